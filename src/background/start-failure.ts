/** What cannot be told to anybody at start is kept for the popup, which asks later. */
import { keptFailures, owned } from '../adapters/failure-notes.ts';
import { START_PARTS, type StartFailure, type StartPart } from '../protocol/start-failure.ts';

/** Runs `work`; its failure is remembered under the name of that part, its success forgets the last. Never rejects. @returns whether it succeeded. */
export const noticeStartFailure = (part: StartPart, work: () => Promise<unknown>): Promise<boolean> => owned(`${part}Failure`, work);

/** What has failed and has not succeeded since. */
export async function startFailures(): Promise<readonly StartFailure[]> {
  const kept = await keptFailures();
  return START_PARTS.flatMap((part) => {
    const why = kept[`${part}Failure`];
    return why === undefined ? [] : [{ part, why }];
  });
}
