/**
 * Group commit: many small writes in few transactions, each acknowledged only after its own transaction is complete.
 * While one transaction runs, what arrives is collected and goes into the next.
 */
export interface GroupCommit<T> {
  /** Settles when the item is stored; rejects with the reason when its transaction failed. */
  readonly write: (item: T) => Promise<void>;
  /** Settles when everything handed in before is stored or has failed. */
  readonly settled: () => Promise<void>;
}

/** When what has gathered is to be written; see `gathering-pause.ts`. */
export interface Pause {
  /** Settles when it is time; called when the first item has come. */
  readonly begin: () => Promise<void>;
  /** Another item has come. */
  readonly extend: () => void;
  /** It is time now: somebody waits. */
  readonly cut: () => void;
}

export interface GroupCommitOptions {
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
