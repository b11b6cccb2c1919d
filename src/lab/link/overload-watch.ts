/**
 * Tells when the relay cannot keep up. It goes before everything else that wants a processor (see `prompt-process.ts`), so a relay that is
 * never idle both delays its packets and starves browser and servers: what is measured then is not the link. Pure.
 */

export interface OverloadWatch {
  /** @param cpuMs - Processor time used so far, all threads. @returns the share of one processor once it was too large for too long. */
  look(usage: { readonly cpuMs: number; readonly nowMs: number }): number | undefined;
}

/** The kernel leaves it 95 % of a processor at most (sched_rt_runtime_us); 50 Mbit/s, the most that is emulated, take 50 to 75 %. */
const MOST_SHARE = 0.9;
/** A link that fills up is busy for a second or two; it was seen for minutes, once in some sixty lanes, cause not known. */
const LONGEST_MS = 5000;

export function overloadWatch(start: { readonly cpuMs: number; readonly nowMs: number }): OverloadWatch {
  let last = start;
  let busySince: typeof start | undefined;
  return {
    look: (now) => {
      const share = (now.cpuMs - last.cpuMs) / (now.nowMs - last.nowMs);
      if (share >= MOST_SHARE) busySince ??= last;
      else busySince = undefined;
      last = now;
      if (busySince === undefined || now.nowMs - busySince.nowMs < LONGEST_MS) return undefined;
      return (now.cpuMs - busySince.cpuMs) / (now.nowMs - busySince.nowMs);
    },
  };
}
