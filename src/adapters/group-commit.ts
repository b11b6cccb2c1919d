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

export interface GroupCommitOptions {
  /** Settles when what has gathered is to be written: a short pause makes few transactions of many events. Not at all, if left out. */
  readonly pause?: () => Promise<void>;
}

export function groupCommit<T>(commit: (items: readonly T[]) => Promise<void>, { pause }: GroupCommitOptions = {}): GroupCommit<T> {
  let waiting: T[] = [];
  let next: Promise<void> | undefined;
  let running: Promise<void> = Promise.resolve();

  const startNext = async () => {
    // A failed transaction has been reported to its own writers; the next one starts regardless.
    await Promise.all([running.catch(() => undefined), pause?.()]);
    const items = waiting;
    waiting = [];
    next = undefined;
    running = commit(items);
    await running;
  };

  return {
    write: (item) => {
      waiting.push(item);
      next ??= startNext();
      return next;
    },
    settled: async () => {
      await (next ?? running).catch(() => undefined);
    },
  };
}
