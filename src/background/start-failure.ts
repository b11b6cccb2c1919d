/** What cannot be told to anybody at start is kept for the popup, which asks later. */
import { writeRunState } from '../adapters/run-state.ts';

/** Runs `work`; its failure is remembered under `key`, its success forgets the last. */
export async function noticeStartFailure(
  key: 'routeFailure' | 'policyFailure' | 'helperFailure',
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
    await writeRunState(key, undefined);
  } catch (error) {
    await writeRunState(key, error instanceof Error ? error.message : String(error));
  }
}
