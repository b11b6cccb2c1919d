/**
 * Failures of work that nothing awaits, kept until the popup asks for them. They are noted in memory first, because the store may be what fails;
 * in `storage.session` the next event page finds them too.
 */
import { PlumbfoxError } from '../core/errors.ts';
import { START_PARTS, type StartFailure, type StartPart } from '../protocol/page-state.ts';
import { type RunState, readRunState, writeRunState } from './run-state.ts';

/** Names of failures in the run's state. */
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

type FailureKey = (typeof FAILURE_KEYS)[number];

interface Noted {
  /** `undefined`: it succeeded. */
  readonly message: string | undefined;
  isStored: boolean;
}

/** What was noted in this life of the event page. */
const noted = new Map<FailureKey, Noted>();

/** Remembers why something failed, or, with `undefined`, that it did not. Never rejects, and does not write the same message again. */
export async function noteFailure(key: FailureKey, message: string | undefined): Promise<void> {
  const last = noted.get(key);
  if (last?.isStored && last.message === message) return;
  const now: Noted = { message, isStored: false };
  noted.set(key, now);
  try {
    await writeRunState(key, message);
    now.isStored = true;
  } catch {
    // The popup finds it in memory; the next failure or success tries to store it again.
  }
}

/** Runs work that nothing awaits: keeps its failure under `key`; its success clears an earlier one. Never rejects. @returns whether it succeeded. */
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

/** The failures that are kept now. @throws what `readRunState` throws. */
export async function keptFailures(): Promise<Readonly<Partial<Record<FailureKey, string>>>> {
  const stored = await readRunState();
  const kept = FAILURE_KEYS.map((key) => {
    const here = noted.get(key);
    return [key, here === undefined || here.isStored ? stored[key] : here.message] as const;
  });
  return Object.fromEntries(kept.filter(([, message]) => message !== undefined));
}

/** A browser's error says by its name what has happened; one of our own says it in its message. */
export function failureMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'Error' || error instanceof PlumbfoxError ? error.message : `${error.name}: ${error.message}`;
}

/** Does what `recordFailure` does, for a part of the start. */
export const noticeStartFailure = (part: StartPart, work: () => Promise<unknown>): Promise<boolean> =>
  recordFailure(`${part}Failure`, work);

/** Parts of the start that have failed and not succeeded since. */
export async function startFailures(): Promise<readonly StartFailure[]> {
  const kept = await keptFailures();
  return START_PARTS.flatMap((part) => {
    const why = kept[`${part}Failure`];
    return why === undefined ? [] : [{ part, why }];
  });
}
