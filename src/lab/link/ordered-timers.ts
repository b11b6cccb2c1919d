/** Timers of one stream that never overtake each other. */

/** Calls back once after about so long; `setTimeout` outside tests. */
export type StartTimer = (action: () => void, delayMs: number) => void;

/**
 * Node cuts delays to whole milliseconds and counts them from when its loop last looked at the clock, so that of two timers started shortly
 * after one another the later may come first, and bytes written by them would change places. Each timer that comes does the oldest action
 * still waiting, whichever it was started for; what is due next is then late or early by less than the timers are apart.
 * @returns adds an action, to be done at `dueMs` of the clock that `nowMs` reads, and after all that were added before.
 */
export function orderedTimers(nowMs: () => number, start: StartTimer): (dueMs: number, action: () => void) => void {
  const waiting: (() => void)[] = [];
  return (dueMs, action) => {
    waiting.push(action);
    start(() => waiting.shift()?.(), Math.max(0, dueMs - nowMs()));
  };
}
