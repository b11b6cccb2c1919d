/**
 * The owner of failures that nobody waits for: kept until the popup asks. In memory first, because the store that is to remember them may be
 * what fails; what `storage.session` takes is known to the next life of the event page too.
 */
import { PlumbfoxError } from '../core/errors.ts';
import { START_PARTS, type StartFailure, type StartPart } from '../protocol/page-state.ts';
import { type RunState, readRunState, writeRunState } from './run-state.ts';

/** Whose failures are kept, each by the name that it has in the run's state. */
const FAILURE_KEYS = [
  'storeFailure',
  'routeFailure',
  'policyFailure',
  'helperFailure',
  'trialFailure',
  'gatewayFailure',
  'byHandFailure',
  'managedTrialFailure',
  'gatewayNoteFailure',
  'healthFailure',
] as const satisfies readonly (keyof RunState)[];

export type FailureKey = (typeof FAILURE_KEYS)[number];

interface Noted {
  /** `undefined`: it went well. */
  readonly message: string | undefined;
  isStored: boolean;
}

/** What was noted in this life of the event page. */
const noted = new Map<FailureKey, Noted>();

/** Remembers why something failed, or, with `undefined`, that it did not. Never rejects; what is known and stored is not written again. */
export async function noteFailure(key: FailureKey, message: string | undefined): Promise<void> {
  const last = noted.get(key);
  if (last?.isStored && last.message === message) return;
  const now: Noted = { message, isStored: false };
  noted.set(key, now);
  try {
    await writeRunState(key, message);
    now.isStored = true;
  } catch {
    // It stands in memory, where the popup finds it; the next failure or success tries to store it again.
  }
}

/** Runs what nobody waits for: its failure is kept under `key`, its success ends the one before. Never rejects. @returns whether it succeeded. */
export async function recordFailure(key: FailureKey, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
  } catch (error) {
    await noteFailure(key, failureMessage(error));
    return false;
  }
  await noteFailure(key, undefined);
  return true;
}

/** For `catch`: keeps the failure under `key`, and never rejects. */
export function failureHandler(key: FailureKey): (error: unknown) => Promise<void> {
  return (error) => noteFailure(key, failureMessage(error));
}

/** What is kept now. @throws what `readRunState` throws. */
export async function keptFailures(): Promise<Readonly<Partial<Record<FailureKey, string>>>> {
  const stored = await readRunState();
  const kept = FAILURE_KEYS.map((key) => {
    const here = noted.get(key);
    return [key, here === undefined || here.isStored ? stored[key] : here.message] as const;
  });
  return Object.fromEntries(kept.filter(([, message]) => message !== undefined));
}

/** An error of the browser's says by its name what has happened; one of our own says it in its sentence. */
export function failureMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'Error' || error instanceof PlumbfoxError ? error.message : `${error.name}: ${error.message}`;
}

/** Runs `work`; its failure is remembered under the name of that part, its success forgets the last. Never rejects. @returns whether it succeeded. */
export const noticeStartFailure = (part: StartPart, work: () => Promise<unknown>): Promise<boolean> =>
  recordFailure(`${part}Failure`, work);

/** What has failed and has not succeeded since. */
export async function startFailures(): Promise<readonly StartFailure[]> {
  const kept = await keptFailures();
  return START_PARTS.flatMap((part) => {
    const why = kept[`${part}Failure`];
    return why === undefined ? [] : [{ part, why }];
  });
}
