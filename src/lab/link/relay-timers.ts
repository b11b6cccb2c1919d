/** The clocks of the relays: an exact alarm, timers that keep their order, and a watch over how busy a relay is. */
import { parentPort, Worker, workerData } from 'node:worker_threads';

/** Milliseconds on a clock that every thread of the process shares. */
export const sharedNowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

interface Alarm {
  /** Rings once at the time given; a later call replaces the time. */
  set(dueMs: number): void;
  close(): Promise<void>;
}

/**
 * An alarm more exact than Node's timers, which count whole milliseconds and fire up to one late: a thread that does nothing
 * but sleep on a futex until the time set. Measured on a 2-core machine: 0.1-0.2 ms late, against 0.5-1.6 ms.
 * @param program - URL of a program that calls `runAlarmThread` when it is not the main thread.
 */
export function alarm(program: URL, ring: () => void): Alarm {
  const shared = new SharedArrayBuffer(16);
  const due = new Float64Array(shared, 8, 1);
  const turn = new Int32Array(shared, 0, 1);
  due[0] = Number.POSITIVE_INFINITY;
  const thread = new Worker(program, { workerData: shared });
  thread.on('message', ring);
  return {
    set: (dueMs) => {
      due[0] = dueMs;
      Atomics.add(turn, 0, 1);
      Atomics.notify(turn, 0);
    },
    close: async () => {
      await thread.terminate();
    },
  };
}

/** The thread's whole life. */
export function runAlarmThread(): void {
  const shared = workerData as SharedArrayBuffer;
  const due = new Float64Array(shared, 8, 1);
  const turn = new Int32Array(shared, 0, 1);
  for (;;) {
    const seen = Atomics.load(turn, 0);
    const waitMs = (due[0] as number) - sharedNowMs();
    if (waitMs > 0) {
      Atomics.wait(turn, 0, seen, waitMs);
      continue;
    }
    due[0] = Number.POSITIVE_INFINITY;
    parentPort?.postMessage(0);
  }
}

/**
 * Tells when the relay cannot keep up. It goes before everything else that wants a processor (see `emulated-link.ts`), so a relay that is
 * never idle both delays its packets and starves browser and servers: what is measured then is not the link.
 */
interface OverloadWatch {
  /** @param busyMs - Time not spent waiting for packets so far. @returns its share once that was too large for too long. */
  look(usage: { readonly busyMs: number; readonly nowMs: number }): number | undefined;
}

/** The kernel leaves it 95 % of a processor at most (sched_rt_runtime_us); 50 Mbit/s, the most that is emulated, take some 70 %, all threads. */
const MAX_BUSY_SHARE = 0.9;
/** A link that fills up is busy for a second or two. */
const MAX_BUSY_MS = 5000;

export function overloadWatch(start: { readonly busyMs: number; readonly nowMs: number }): OverloadWatch {
  let last = start;
  let busySince: typeof start | undefined;
  return {
    look: (now) => {
      const share = (now.busyMs - last.busyMs) / (now.nowMs - last.nowMs);
      if (share >= MAX_BUSY_SHARE) busySince ??= last;
      else busySince = undefined;
      last = now;
      if (busySince === undefined || now.nowMs - busySince.nowMs < MAX_BUSY_MS) return undefined;
      return (now.busyMs - busySince.busyMs) / (now.nowMs - busySince.nowMs);
    },
  };
}

/** Calls back once after about so long; `setTimeout` outside tests. */
export type StartTimer = (action: () => void, delayMs: number) => void;

/**
 * Timers of one stream that never overtake each other. Node cuts delays to whole milliseconds and counts them from when its loop last looked at the
 * clock, so that of two timers started shortly after one another the later may come first, and bytes written by them would change places. Each timer
 * that comes does the oldest action still waiting, whichever it was started for; what is due next is then late or early by less than the timers are
 * apart.
 * @returns adds an action, to be done at `dueMs` of the clock that `nowMs` reads, and after all that were added before.
 */
export function orderedTimers(nowMs: () => number, start: StartTimer): (dueMs: number, action: () => void) => void {
  const waiting: (() => void)[] = [];
  return (dueMs, action) => {
    waiting.push(action);
    start(() => waiting.shift()?.(), Math.max(0, dueMs - nowMs()));
  };
}
