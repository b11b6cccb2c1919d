/** Runs a piece of work once all work before it has ended, whether that succeeded or failed. Settles as the work does. */
type RunExclusive = <T>(work: () => Promise<T>) => Promise<T>;

/** A queue in which one piece of work runs at a time, in the order in which they were handed in. */
export function createMutex(): RunExclusive {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
