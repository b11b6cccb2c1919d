/** Which run of Firefox this is: `storage.session` is gone when Firefox ends, so what is found there was left by this run. */
import { type RunState, readRunState, writeRunState } from './run-state.ts';

export type BrowserSession = NonNullable<RunState['browserSession']>;

let known: Promise<BrowserSession> | undefined;

/** Since when: as far as is known, that is since the event page first came. */
export function browserSession(): Promise<BrowserSession> {
  known ??= readOrBegin().catch((reason: unknown) => {
    known = undefined;
    throw reason;
  });
  return known;
}

async function readOrBegin(): Promise<BrowserSession> {
  const { browserSession: found } = await readRunState();
  if (found) return found;
  const begun = { id: crypto.randomUUID(), since: performance.timeOrigin };
  await writeRunState('browserSession', begun);
  return begun;
}
