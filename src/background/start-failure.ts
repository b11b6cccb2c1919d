/** What cannot be told to anybody at start is kept for the popup, which asks later. */
import { writeRunState } from '../adapters/run-state.ts';

/** Runs `work`; its failure is remembered, its success forgets the last. */
export async function noticeStartFailure(work: () => Promise<void>): Promise<void> {
  try {
    await work();
    await writeRunState('startFailure', undefined);
  } catch (error) {
    await writeRunState('startFailure', error instanceof Error ? error.message : String(error));
  }
}
