/** The state of the helper and of the gateway that it runs, for the popup. */
import * as v from 'valibot';
import { count } from '../core/schema.ts';
import type { ListedSite } from './gateway-sites.ts';
import { HELPER_ERROR_KINDS, type HelperResult, type HelperStatus } from './helper-messages.ts';

/** Why nothing can be asked of the helper, or why it did not do what it was asked; a closed set, so that the popup can explain each. */
export const helperProblemSchema = v.variant('why', [
  /** This extension may not speak to programs: the permission was not given, or was withdrawn. */
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

/** The behaviour probe's observation of the running browser. */
export const observedSchema = v.object({
  profileId: v.string(),
  /** Most connections with a request at once, to one server. */
  connections: count,
  /** Most requests outstanding on one of them. */
  depth: count,
  /** Pieces requested, and those of them that came to the server. */
  pieces: count,
  arrived: count,
});
export type Observed = v.InferOutput<typeof observedSchema>;

/** The helper's reply at the start of this run of Firefox; kept while it runs. */
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
      /** What the probe saw last of this run of Firefox; absent: it was not asked, or what is in effect has changed since. */
      readonly observed?: Observed;
      /** Why the probe failed when it was last asked. */
      readonly notObserved?: HelperProblem;
    };

export type GatewayFacts =
  /** There is no helper that could run one: none for this system (Android), none installed, or none allowed. */
  | { readonly state: 'unsupported' }
  | {
      readonly state: 'off';
      readonly sites: readonly ListedSite[];
      /** It ended by itself when it was last on; absent: it was switched off, or not on in this run of Firefox. */
      readonly ended?: GatewayEnd;
    }
  | {
      readonly state: 'on';
      readonly sites: readonly ListedSite[];
      readonly profileId: string;
      readonly connections: number;
      readonly depth: number;
      /** Since it was switched on; absent: it does not report them. */
      readonly counters?: HelperResult<'gateway-counters'>;
      /** Absent: no site has answered more than it was asked. */
      readonly doubt?: GatewayDoubt;
    };

/** The consequence of surplus responses from sites, since the gateway was switched on. */
export interface GatewayDoubt {
  /** Those that may have been another request's. */
  readonly answers: number;
  /** Pages that showed some of them: loaded again, and those that a form was sent for, which are not. */
  readonly reloaded: number;
  readonly left: number;
}

/** Why the last gateway went away without being asked to. */
export const gatewayEndSchema = v.object({
  why: helperProblemSchema,
  /** Tabs that were in the middle of a page, and were loaded again. */
  reloaded: v.pipe(v.number(), v.integer(), v.minValue(0)),
});
export type GatewayEnd = v.InferOutput<typeof gatewayEndSchema>;
