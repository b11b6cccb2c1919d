/**
 * Tells when the relay cannot keep up. It goes before everything else that wants a processor (see `prompt-process.ts`), so a relay that is
 * never idle both delays its packets and starves browser and servers: what is measured then is not the link. Pure.
 */

export interface OverloadWatch {
  /** @param busyMs - Time not spent waiting for packets so far. @returns its share once that was too large for too long. */
  look(usage: { readonly busyMs: number; readonly nowMs: number }): number | undefined;
}

/** The kernel leaves it 95 % of a processor at most (sched_rt_runtime_us); 50 Mbit/s, the most that is emulated, take some 70 %, all threads. */
const MOST_SHARE = 0.9;
/** A link that fills up is busy for a second or two. */
const LONGEST_MS = 5000;

export function overloadWatch(start: { readonly busyMs: number; readonly nowMs: number }): OverloadWatch {
  let last = start;
  let busySince: typeof start | undefined;
  return {
    look: (now) => {
      const share = (now.busyMs - last.busyMs) / (now.nowMs - last.nowMs);
      if (share >= MOST_SHARE) busySince ??= last;
      else busySince = undefined;
      last = now;
      if (busySince === undefined || now.nowMs - busySince.nowMs < LONGEST_MS) return undefined;
      return (now.busyMs - busySince.busyMs) / (now.nowMs - busySince.nowMs);
    },
  };
}
