/** The state that one event page leaves to the next, in `storage.session`: it is gone when Firefox exits. */
import * as v from 'valibot';
import { tryoutSchema } from '../core/field/tryout.ts';
import type { Shape } from '../core/schema.ts';
import { gatewayEndSchema, helperProblemSchema, helperRunSchema, observedSchema } from '../protocol/helper-state.ts';
import { gatewayRouteSchema } from '../protocol/messages.ts';
import { browser } from './browser.ts';

const runStateSchema = v.object({
  /** Quiet window of the recorder, ms. */
  quietMs: v.optional(v.pipe(v.number(), v.minValue(0))),
  /** The gateway in use, the only one whose proxy challenges are answered. */
  route: v.optional(gatewayRouteSchema),
  /** The tabs that show the answer to a form. */
  formAnswers: v.optional(v.array(v.number())),
  /** Three sites that are loaded twice, as the person asked for. */
  tryout: v.optional(tryoutSchema),
  /** When a load was last stored, ms since the epoch: open pages of the extension listen for it. */
  loadsStored: v.optional(v.number()),
  // Why something failed when it was last tried; absent: it did not.
  /** Writing a record. */
  storeFailure: v.optional(v.string()),
  /** Dropping a leftover route when Firefox started. */
  routeFailure: v.optional(v.string()),
  /** Noting, when the event page started, that the gateway had ended with the one before. */
  gatewayFailure: v.optional(v.string()),
  /** Noting as in effect what was set manually. */
  byHandFailure: v.optional(v.string()),
  policyFailure: v.optional(v.string()),
  /** Starting the trial that a policy defines. */
  managedTrialFailure: v.optional(v.string()),
  /** Noting what the helper has put in effect. */
  helperFailure: v.optional(v.string()),
  /** Noting how the gateway ended. */
  gatewayNoteFailure: v.optional(v.string()),
  /** Noting whether Firefox runs well with what the helper applied. */
  healthFailure: v.optional(v.string()),
  /** Advancing the trial. */
  trialFailure: v.optional(v.string()),

  /** Identifies this run of Firefox: every start has another id. */
  browserSession: v.optional(v.object({ id: v.string(), since: v.number() })),
  /** Whether the person has said in this run of Firefox that they set or reverted a profile manually. */
  byHandNoted: v.optional(v.boolean()),
  /** When a trial last advanced, ms since the epoch: open pages of the extension listen for it. */
  trialChanged: v.optional(v.number()),
  /** The helper's answer at the start of this run of Firefox; absent: it was not asked yet. */
  helperRun: v.optional(helperRunSchema),
  /** Whether the last page requested in this run of Firefox arrived. */
  isWell: v.optional(v.boolean()),
  /** What the probe saw last in this run of Firefox, or why it saw nothing. */
  observed: v.optional(observedSchema),
  notObserved: v.optional(helperProblemSchema),
  /** The profile that the helper has written for the next start of Firefox; `firefox-default`: none. */
  laidReady: v.optional(v.string()),
  /** When the helper's state last changed unasked, ms since the epoch: open pages of the extension listen for it. */
  helperChanged: v.optional(v.number()),
  /** When the gateway was last switched on or off, or ended; `ended`: by itself. */
  gateway: v.optional(v.object({ changedAt: v.number(), ended: v.optional(gatewayEndSchema) })),
  /** The gateway before a trial switched it: on with this profile, or off without one. Absent: no trial has switched it. */
  gatewayBeforeTrial: v.optional(v.object({ profileId: v.optional(v.string()) })),
});

export type RunState = Shape<typeof runStateSchema>;

/** The whole state. @throws v.ValiError when something else wrote there. */
export async function readRunState(): Promise<RunState> {
  return v.parse(runStateSchema, await browser.storage.session.get(Object.keys(runStateSchema.entries)));
}

/** Writes one member; `undefined` removes it. */
export async function writeRunState<K extends keyof RunState>(key: K, value: RunState[K] | undefined): Promise<void> {
  if (value === undefined) await browser.storage.session.remove(key);
  else await browser.storage.session.set({ [key]: value });
}

/** Calls back when one of these members has changed. In the event page, call at the top level. */
export function watchRunState(keys: readonly (keyof RunState)[], onChange: () => Promise<void>): void {
  browser.storage.session.onChanged.addListener((changes) => (keys.some((key) => key in changes) ? onChange() : undefined));
}

type BrowserSession = NonNullable<RunState['browserSession']>;

let known: Promise<BrowserSession> | undefined;

/** This run of Firefox: what is found in `storage.session` was left by it. `since`: when its first event page began, the earliest time known. */
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
