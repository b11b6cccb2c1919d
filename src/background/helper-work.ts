/** What is asked of the helper is asked one after the other: two of its processes at once would be in each other's way. */
import { type HelperConnection, withHelper } from '../adapters/native-helper.ts';

let last: Promise<unknown> = Promise.resolve();

/** @throws HelperFailure, and whatever the work throws. */
export function helperWork<T>(work: (helper: HelperConnection) => Promise<T>): Promise<T> {
  const result = last.then(() => withHelper(work));
  last = result.catch(() => undefined);
  return result;
}
