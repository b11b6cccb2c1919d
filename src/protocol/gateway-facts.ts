/** What the popup is told of the gateway; its view turns it into words. */
import * as v from 'valibot';
import type { ListedSite } from './gateway-sites.ts';
import { helperProblemSchema } from './helper-state.ts';
import type { HelperResult } from './helper-messages.ts';

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
      /** Absent: no site has answered more than it was asked. */
      readonly doubt?: GatewayDoubt;
    };

/** What came of it that sites answered more than they were asked, since the gateway was switched on. */
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
