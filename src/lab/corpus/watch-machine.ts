/** Whether other programs keep the machine busy: a timer that comes late says so. */

export interface MachineWatch {
  /** Share of the two seconds before `at` (ms since the epoch) in which a timer was due and had not come; in [0, 1]. */
  lateShareBefore(at: number): number;
  stop(): void;
}

const EVERY_MS = 5;
/** A timer of an idle machine is late by less. */
const PUNCTUAL_MS = 1;
const WINDOW_MS = 2000;
/** Half of so many are kept at least: 70 s at 5 ms, the longest load that is waited for and what goes before it. */
const MOST_TICKS = 28_000;

export function watchMachine(): MachineWatch {
  const ticks: { readonly at: number; readonly lateMs: number }[] = [];
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    ticks.push({ at: Date.now(), lateMs: Math.max(0, now - last - EVERY_MS - PUNCTUAL_MS) });
    if (ticks.length > MOST_TICKS) ticks.splice(0, MOST_TICKS / 2);
    last = now;
  }, EVERY_MS);
  return {
    lateShareBefore: (at) => {
      const late = ticks.reduce((sum, tick) => sum + (tick.at <= at && tick.at > at - WINDOW_MS ? tick.lateMs : 0), 0);
      return Math.min(1, late / WINDOW_MS);
    },
    stop: () => clearInterval(timer),
  };
}
