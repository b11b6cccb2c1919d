/** Which of the lanes beside a check are at work: what is measured while one of them is not, is not measured beside all. */

export interface BusyLanes {
  /** A load begins. Lanes that are not among the others may report it too. */
  begins(lane: number): void;
  /** The lane broke; it is at work again with the next load it begins. */
  breaks(lane: number): void;
  /** There is nothing more for it to do, or it was given up. */
  ends(lane: number): void;
  /** Settles with `true` once all are at work, with `false` as soon as one has ended: then they never will be. */
  all(): Promise<boolean>;
  /** How often one of them ceased to be at work so far. */
  lapses(): number;
}

export function busyLanes(numbers: readonly number[]): BusyLanes {
  const others = new Set(numbers);
  const busy = new Set<number>();
  let lapses = 0;
  let hasEnded = false;
  let waiting: ((isSo: boolean) => void)[] = [];
  const notify = (): void => {
    if (!hasEnded && busy.size < others.size) return;
    for (const settle of waiting) settle(!hasEnded);
    waiting = [];
  };
  const ceases = (lane: number): void => {
    if (busy.delete(lane)) lapses += 1;
  };
  return {
    begins: (lane) => {
      if (others.has(lane)) busy.add(lane);
      notify();
    },
    breaks: ceases,
    ends: (lane) => {
      if (!others.has(lane)) return;
      ceases(lane);
      hasEnded = true;
      notify();
    },
    all: () =>
      new Promise((settle) => {
        waiting.push(settle);
        notify();
      }),
    lapses: () => lapses,
  };
}
