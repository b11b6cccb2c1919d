/**
 * Group commit: many small writes in few transactions, each acknowledged only after its own transaction is complete. Writes that arrive while a
 * transaction runs go into the next one.
 */
interface GroupCommit<T> {
  /** Settles when the item is stored; rejects with the reason when its transaction failed. */
  readonly write: (item: T) => Promise<void>;
  /** Settles when everything passed in before is stored or has failed. */
  readonly settled: () => Promise<void>;
}

/** Decides when gathered items are written; see `gatheringPause`. */
export interface Pause {
  /** Called with the first item; settles when it is time to write. */
  readonly begin: () => Promise<void>;
  /** Called with each further item. */
  readonly extend: () => void;
  /** Ends the pause at once because a caller waits. */
  readonly cut: () => void;
}

interface GroupCommitOptions {
  /** Makes few transactions of many items. Without it an item waits only for a running transaction. */
  readonly pause?: Pause;
}

export function groupCommit<T>(commit: (items: readonly T[]) => Promise<void>, { pause }: GroupCommitOptions = {}): GroupCommit<T> {
  let waiting: T[] = [];
  let next: Promise<void> | undefined;
  let running: Promise<void> = Promise.resolve();

  const startNext = async () => {
    // A failed transaction was reported to its own writers; the next one starts regardless.
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
  /** Ends the pause when nothing has come for this long. */
  readonly quietMs: number;
  /** Ends the pause in any case after this long. */
  readonly maxMs: number;
}

/** A pause that lasts until nothing has come for a while: what comes in bursts is written after the burst, not in it. */
export function gatheringPause({ quietMs, maxMs }: PauseLengths): Pause {
  let lastAt = 0;
  let end: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const cut = () => {
    clearTimeout(timer);
    end?.();
    end = undefined;
  };
  /** One timer for many items: when it fires, it checks whether more time is needed. */
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
        look(lastAt + maxMs);
      }),
    extend: () => {
      lastAt = performance.now();
    },
    cut,
  };
}
