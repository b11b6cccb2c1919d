/**
 * What the background must remember from one wake of the event page to the next, in `storage.session`: gone when Firefox ends.
 */
import * as v from 'valibot';
import { gatewayEndSchema, helperProblemSchema, helperRunSchema, observedSchema } from '../protocol/helper-state.ts';
import { gatewayRouteSchema } from '../protocol/messages.ts';
import { browser } from './browser.ts';

const runStateSchema = v.object({
  /** Quiet window of the recorder, ms. */
  quietMs: v.optional(v.pipe(v.number(), v.minValue(0))),
  /** The gateway in use: proxy challenges are answered for it alone. */
  route: v.optional(gatewayRouteSchema),
  /** When a load was last stored, ms since the epoch: open pages of the extension listen for it. */
  loadsStored: v.optional(v.number()),
  /** Why the last write of a record failed; absent: it did not. */
  storeFailure: v.optional(v.string()),
  /** Why a leftover route could not be dropped when Firefox started. */
  routeFailure: v.optional(v.string()),
  /** Why it could not be noted, when the event page last started, that the gateway had ended with the one before. */
  gatewayFailure: v.optional(v.string()),
  /** Why what was set manually could not be noted as in effect when the event page last started. */
  byHandFailure: v.optional(v.string()),
  /** Why the policy could not be read when the event page last started. */
  policyFailure: v.optional(v.string()),
  /** Why the trial that a policy defines could not be started when the event page last did. */
  managedTrialFailure: v.optional(v.string()),
  /** Why what the helper has put in effect could not be noted when the event page last started. */
  helperFailure: v.optional(v.string()),
  /** Why what became of the gateway could not be noted; absent: it could. */
  gatewayNoteFailure: v.optional(v.string()),
  /** Why it could not be noted whether Firefox is well with what the helper applied; absent: it could. */
  healthFailure: v.optional(v.string()),
  /** This run of Firefox: another id with every start. */
  browserSession: v.optional(v.object({ id: v.string(), since: v.number() })),
  /** In this run of Firefox the person said that they set or reverted a profile manually. */
  byHandNoted: v.optional(v.boolean()),
  /** When a trial last went on, ms since the epoch: open pages of the extension listen for it. */
  trialChanged: v.optional(v.number()),
  /** Why the trial could not be carried on when it was last tried; absent: it could. */
  trialFailure: v.optional(v.string()),
  /** What the helper said at the start of this run of Firefox; absent: it was not asked yet. */
  helperRun: v.optional(helperRunSchema),
  /** Whether the last page that was asked for came, in this run of Firefox. */
  isWell: v.optional(v.boolean()),
  /** What the probe saw last in this run of Firefox, or why it saw nothing. */
  observed: v.optional(observedSchema),
  notObserved: v.optional(helperProblemSchema),
  /** The profile that the helper has written for the next start of Firefox; `firefox-default`: none. */
  laidReady: v.optional(v.string()),
  /** When something changed with the helper that nobody asked for, ms since the epoch: open pages of the extension listen for it. */
  helperChanged: v.optional(v.number()),
  /** When the gateway was last switched on or off or ended, and why, if by itself. */
  gateway: v.optional(v.object({ changedAt: v.number(), ended: v.optional(gatewayEndSchema) })),
  /** A trial has switched the gateway, which was on with this profile before; without one, off. Absent: what it is, it is by the person. */
  gatewayBeforeTrial: v.optional(v.object({ profileId: v.optional(v.string()) })),
});

export type RunState = v.InferOutput<typeof runStateSchema>;

/** Everything remembered. @throws v.ValiError when something else wrote there. */
export async function readRunState(): Promise<RunState> {
  return v.parse(runStateSchema, await browser.storage.session.get(Object.keys(runStateSchema.entries)));
}

/** Remembers one fact; `undefined` forgets it. */
export async function writeRunState<K extends keyof RunState>(key: K, value: RunState[K] | undefined): Promise<void> {
  if (value === undefined) await browser.storage.session.remove(key);
  else await browser.storage.session.set({ [key]: value });
}

/** Which run of Firefox this is: `storage.session` is gone when Firefox ends, so what is found there was left by this run. */
type BrowserSession = NonNullable<RunState['browserSession']>;

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
