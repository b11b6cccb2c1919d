/** The state of trials for the popup, and the requests it may send; its view model turns them into words. */

import * as v from 'valibot';
import type { TrialAnswer } from '../core/answer/answer.ts';
import type { ComparedRow, VerdictBasis } from '../core/answer/card.ts';
import type { CountableLoads } from '../core/answer/proof.ts';
import type { TrialProtocol } from '../core/compare/comparison.ts';
import { PlumbfoxError } from '../core/errors.ts';
import type { Platform } from '../core/profiles/knob.ts';
import { profileIdSchema } from '../core/profiles/profile-id.ts';
import { acceptsSchema } from '../core/profiles/profile-price.ts';
import { MAX_ARMS } from '../core/trial/trial-defaults.ts';
import type { SlotRule } from '../core/trial/trial-plan.ts';
import type { TrialState } from '../core/trial/trial-state.ts';
import { type FormerProfile, predictedArmSchema } from './trial-record.ts';

/** Profiles besides the baseline, by name, and how long each has its turn; what is left out is planned as usual. */
export const trialWishSchema = v.object({
  candidates: v.pipe(v.array(profileIdSchema), v.minLength(1), v.maxLength(MAX_ARMS - 1)),
  slots: v.optional(
    v.variant('kind', [
      v.object({ kind: v.literal('loads'), perSlot: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000)) }),
      v.object({ kind: v.literal('minutes'), perSlot: v.pipe(v.number(), v.minValue(1), v.maxValue(1_440)) }),
    ]),
  ),
  mostLoadsPerArm: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000))),
  /** Preferences of the candidates whose price the person has accepted. */
  accepts: v.optional(acceptsSchema),
  /** Candidates that were chosen because they were predicted to be the best; no part of how the trial judges them. */
  predicted: v.optional(v.pipe(v.array(predictedArmSchema), v.maxLength(MAX_ARMS - 1))),
});

export type TrialWish = v.InferOutput<typeof trialWishSchema>;

export interface TrialOffer {
  readonly baseline: string;
  readonly offered: readonly { readonly id: string; readonly title: string }[];
  /** Through the gateway: switched while Firefox runs, whatever else is; absent: there is none. */
  readonly gateway?: readonly { readonly id: string; readonly title: string }[];
  readonly notOffered: readonly { readonly id: string; readonly why: string }[];
  /** Where nothing is said. */
  readonly usual: { readonly loadsPerSlot: number; readonly minutesPerSlot: number };
}

/** How long a trial is that is not begun yet. */
export interface TrialLengths {
  /** Page loads that the person makes for it on average (`expectedLoads`), and at most. */
  readonly plannedLoads: number;
  readonly mostLoads: number;
  readonly slots: SlotRule;
  /** The protocol of the pages that the verdict is about, and their share of the newest loads; absent: all of them, or it is not known. */
  readonly judged?: { readonly protocol: TrialProtocol; readonly share: number };
  /** Where profiles of the trial go through the gateway: how many of the newest loads could have counted in it. */
  readonly gateway?: CountableLoads;
}

export interface TrialArm {
  readonly profileId: string;
  /** Loads that began in its slots, those recorded, and those lost; the first after each switch is none of them. */
  readonly attempted: number;
  readonly recorded: number;
  readonly lost: number;
  /** What Firefox ships, through the gateway: no candidate. */
  readonly isControl?: true;
  /** Why it has no turn any more. */
  readonly dropped?: string;
  /** It was chosen by prediction: efficiency over the baseline's as it was predicted when the trial began. Not measured. */
  readonly predictedRatio?: number;
}

export type TrialNow =
  /** The profile is due and comes into effect as soon as no page is loading. */
  | { readonly state: 'switching'; readonly loading: number }
  /** `washout`: no load has begun since it came into effect, and the first will not count. */
  | { readonly state: 'in-effect'; readonly since: number; readonly washout: boolean }
  /** Slots by session: the profile is due; `held`: what this session runs under instead. */
  | { readonly state: 'due-at-start'; readonly held: string }
  | { readonly state: 'paused'; readonly because: string | undefined; readonly restoring: boolean }
  | { readonly state: 'ended'; readonly restoring: boolean };

export interface CurrentTrial {
  readonly id: string;
  readonly stateKind: TrialState['kind'];
  readonly sentence: string;
  /** What it contributes to the answer; absent: it ended without finding anything out. */
  readonly answer?: TrialAnswer;
  /** Profiles that it dropped for being slower; absent: none. */
  readonly slower?: readonly string[];
  /** Sentences of the checks that warn or have failed. */
  readonly warnings: readonly string[];
  /** Sentences of the checks that have failed; absent: none has. */
  readonly failedChecks?: readonly string[];
  /** Findings of pages over other protocols than the judged one, in sentences; absent: there are none. */
  readonly otherProtocols?: readonly string[];
  /** How its candidates stand against the baseline; absent: nothing may be said yet. */
  readonly rows?: readonly ComparedRow[];
  /** Absent: it has confirmed nothing. */
  readonly basis?: VerdictBasis;
  readonly slots: SlotRule;
  /** Page loads that the person has made for it, and those still expected (`loadsLeft`). */
  readonly made: number;
  readonly loadsLeft: number;
  /** How many of the newest loads could have counted in it; absent: all, as none of its profiles goes through the gateway. */
  readonly countable?: CountableLoads;
  readonly arms: readonly TrialArm[];
  /** The slot that has its turn; block and slot from 0, the slot in the whole trial and in its block. */
  readonly turn: { readonly profileId: string; readonly block: number; readonly slot: number; readonly slotInBlock: number };
  readonly now: TrialNow;
  /** What it applies and reverts takes effect at the next start of Firefox. */
  readonly byHelper?: true;
  /** What the person had applied before it. */
  readonly former?: FormerProfile;
  /** The gateway is all that it switches. */
  readonly byGateway?: true;
  /**
   * Slots by session: the profile that the next start of Firefox is to have, and the text of the policies.json that names it. `helper`: it puts
   * profiles in their place, and has done so with this one, or waits until the browser has been well for a while, or could not.
   */
  readonly due?: { readonly profileId: string; readonly policies: string; readonly helper?: 'staged' | 'not-yet' };
}

export interface TrialFacts {
  /** Whether profiles can be switched while this Firefox runs; if not, each start of Firefox is a slot. */
  readonly live: boolean;
  readonly offer: TrialOffer;
  /** What the person has applied and a trial that starts would revert; absent: nothing, or a trial is in progress. */
  readonly former?: FormerProfile;
  /** The newest trial, also when it has ended. */
  readonly current: CurrentTrial | undefined;
  /** The platform, where only the person can set profiles, manually; absent: elsewhere. */
  readonly byHand?: Platform;
  /** Why the trial could not be carried on, the last time it was tried; absent: it could. */
  readonly failure?: string;
}

/** A trial as an administrator defines it in a policy, which the extension begins by itself, once for each id. */
const { candidates, slots, mostLoadsPerArm, accepts } = trialWishSchema.entries;
const wish = { candidates, slots, mostLoadsPerArm, accepts };

/** A trial as a person writes it into a file: what is not named here is refused. */
const trialDefinitionSchema = v.strictObject(wish);
type TrialDefinition = v.InferOutput<typeof trialDefinitionSchema>;

/** Characters of the file that a refusal quotes. Chosen, not measured. */
const MAX_WORDS = 400;

/** @throws PlumbfoxError `bad-input`, in one line. */
export function parseTrialDefinition(value: unknown): TrialDefinition {
  const result = v.safeParse(trialDefinitionSchema, value);
  if (result.success) return result.output;
  throw new PlumbfoxError('bad-input', `It defines no trial: ${v.summarize(result.issues).replaceAll(/\s+/g, ' ').slice(0, MAX_WORDS)}`);
}

/** The trial in managed storage. The id is the trial's own. */
export const managedTrialSchema = v.object({ ...wish, id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,64}$/)) });
export type ManagedTrial = v.InferOutput<typeof managedTrialSchema>;
