/** What the popup is told of the gateway; its view turns it into words. */
import * as v from 'valibot';
import { helperProblemSchema } from './helper-facts.ts';
import type { HelperResult } from './helper-messages.ts';

/**
 * Why a listed site goes direct all the same. For good, until the person takes it off the list: `authentication` (it asked for a password, and
 * what carries one never goes through the gateway), `misbehaved` (it answered more than it was asked, not as HTTP/1.1 says, or closed in the middle),
 * `this-machine` (its name leads to this machine or its own network link). While it lasts: `other-proxy` (another proxy is in effect for it).
 */
export const directReasonSchema = v.picklist(['authentication', 'misbehaved', 'this-machine', 'other-proxy']);
export type DirectReason = v.InferOutput<typeof directReasonSchema>;

/** A site that the person has listed for pipelining. */
export const listedSiteSchema = v.object({
  /** `http://host` or `http://host:port`, as the URL standard serialises it. */
  origin: v.pipe(v.string(), v.regex(/^http:\/\/[^/?#@\s]+$/), v.maxLength(300)),
  /** Absent: its requests may go through the gateway. */
  direct: v.optional(directReasonSchema),
});
export type ListedSite = v.InferOutput<typeof listedSiteSchema>;

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
      /** Since it was switched on; absent: it does not tell. */
      readonly counters?: HelperResult<'gateway-counters'>;
    };

/** Why the last gateway went away without being asked to. */
export const gatewayEndSchema = v.object({
  why: helperProblemSchema,
  /** Tabs that were in the middle of a page, and were loaded again. */
  reloaded: v.pipe(v.number(), v.integer(), v.minValue(0)),
});
export type GatewayEnd = v.InferOutput<typeof gatewayEndSchema>;
