/**
 * Group commit: many small writes in few transactions, each acknowledged only after its own transaction is complete.
 * While one transaction runs, what arrives is collected and goes into the next.
 */

interface GroupCommit<T> {
  /** Settles when the item is stored; rejects with the reason when its transaction failed. */
  readonly write: (item: T) => Promise<void>;
  /** Settles when everything handed in before is stored or has failed. */
  readonly settled: () => Promise<void>;
}

/** When what has gathered is to be written; see `gatheringPause`. */
export interface Pause {
  /** Settles when it is time; called when the first item has come. */
  readonly begin: () => Promise<void>;
  /** Another item has come. */
  readonly extend: () => void;
  /** It is time now: somebody waits. */
  readonly cut: () => void;
}

interface GroupCommitOptions {
  /** Makes few transactions of many items. Without it an item waits only for the transaction that is running. */
  readonly pause?: Pause;
}

export function groupCommit<T>(commit: (items: readonly T[]) => Promise<void>, { pause }: GroupCommitOptions = {}): GroupCommit<T> {
  let waiting: T[] = [];
  let next: Promise<void> | undefined;
  let running: Promise<void> = Promise.resolve();

  const startNext = async () => {
    // A failed transaction has been reported to its own writers; the next one starts regardless.
    await Promise.all([running.catch(() => undefined), pause?.begin()]);
    const items = waiting;
    waiting = [];
    next = undefined;
    running = commit(items);
    await running;
  };

  return {
    write: (item) => {
      waiting.push(item);
      if (next) pause?.extend();
      next ??= startNext();
      return next;
    },
    settled: async () => {
      pause?.cut();
      await (next ?? running).catch(() => undefined);
    },
  };
}

interface PauseLengths {
  /** Nothing more has come for this long. */
  readonly quietMs: number;
  /** At most this long altogether, however much comes. */
  readonly longestMs: number;
}

/** A pause that lasts until nothing more has come for a while: what comes in bursts is written after the burst, not in it. */
export function gatheringPause({ quietMs, longestMs }: PauseLengths): Pause {
  let lastAt = 0;
  let end: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const cut = () => {
    clearTimeout(timer);
    end?.();
    end = undefined;
  };
  /** One timer for many items: when it is due it looks whether it still is. */
  const look = (latest: number) => {
    const now = performance.now();
    const due = Math.min(lastAt + quietMs, latest);
    if (now >= due) cut();
    else timer = setTimeout(look, due - now, latest);
  };

  return {
    begin: () =>
      new Promise((resolve) => {
        end = resolve;
        lastAt = performance.now();
        look(lastAt + longestMs);
      }),
    extend: () => {
      lastAt = performance.now();
    },
    cut,
  };
}
