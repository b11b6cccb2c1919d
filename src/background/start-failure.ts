/** What cannot be told to anybody at start is kept for the popup, which asks later. */
import { readRunState, writeRunState } from '../adapters/run-state.ts';
import { START_PARTS, type StartFailure, type StartPart } from '../protocol/start-failure.ts';

/** Runs `work`; its failure is remembered under the name of that part, its success forgets the last. @returns whether it succeeded. */
export async function noticeStartFailure(part: StartPart, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    await writeRunState(`${part}Failure`, undefined);
    return true;
  } catch (error) {
    await writeRunState(`${part}Failure`, error instanceof Error ? error.message : String(error));
    return false;
  }
}

/** What has failed and has not succeeded since. */
export async function startFailures(): Promise<readonly StartFailure[]> {
  const state = await readRunState();
  return START_PARTS.flatMap((part) => {
    const why = state[`${part}Failure`];
    return why === undefined ? [] : [{ part, why }];
  });
}
