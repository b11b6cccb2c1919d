/** What the popup is told of the helper, as facts; its view turns them into words. */
import * as v from 'valibot';
import { HELPER_ERROR_KINDS, type HelperStatus } from './helper-messages.ts';

/** Why nothing can be asked of the helper, or why it did not do what it was asked; a closed set, so that the popup can explain each. */
export const helperProblemSchema = v.variant('why', [
  /** This extension may not speak to programs: the permission was not given, or was taken back. */
  v.object({ why: v.literal('no-permission') }),
  /** Firefox finds no helper that this extension may use. */
  v.object({ why: v.literal('not-installed') }),
  /** It ended before it had answered. */
  v.object({ why: v.literal('stopped') }),
  /** What it answered is not of this protocol, or it could not be started: Firefox says the same of both. */
  v.object({ why: v.literal('unreadable') }),
  /** It did not answer in time. */
  v.object({ why: v.literal('silent') }),
  /** It speaks another version of the protocol. */
  v.object({ why: v.literal('other-version'), isNewer: v.boolean() }),
  /** It answered that it does not, and why. */
  v.object({ why: v.literal('refused'), kind: v.picklist(HELPER_ERROR_KINDS), message: v.string() }),
]);
export type HelperProblem = v.InferOutput<typeof helperProblemSchema>;

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** What the behaviour probe saw of the browser that runs. */
export const observedSchema = v.object({
  profileId: v.string(),
  /** Most connections with a request at once, to one server. */
  connections: count,
  /** Most requests outstanding on one of them. */
  depth: count,
  /** Pieces asked for, and those of them that came to the server. */
  pieces: count,
  arrived: count,
});
export type Observed = v.InferOutput<typeof observedSchema>;

/** What the helper said at the start of this run of Firefox; kept while it runs. */
export const helperRunSchema = v.object({
  /** Profile that the files of the Firefox profile held when Firefox read them; absent: none of ours. */
  inEffect: v.optional(v.string()),
  /** Whether the helper waits for word that the browser is well. */
  awaitsConfirmation: v.boolean(),
  /** Why it could not be asked; absent: it was. */
  problem: v.optional(helperProblemSchema),
  /** How often it was asked in vain. */
  failures: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
});
export type HelperRun = v.InferOutput<typeof helperRunSchema>;

export type HelperFacts =
  /** There are no helpers on this system (Android). */
  | { readonly state: 'unsupported' }
  | { readonly state: 'problem'; readonly problem: HelperProblem }
  | {
      readonly state: 'ready';
      readonly helper: string;
      readonly profileFound: boolean;
      readonly status: HelperStatus;
      /** As the probe saw this run of Firefox last; absent: it was not asked, or what is in effect has changed since. */
      readonly observed?: Observed;
      /** Why the probe failed when it was last asked. */
      readonly notObserved?: HelperProblem;
    };
