/** A trial as it lies in the extension's store: its plan and progress, and what the extension needs to carry it on. Format history: 1, first. */
import * as v from 'valibot';
import type { PreferenceValue } from '../core/profiles/knob.ts';
import { heldValueSchema } from '../core/profiles/profile.ts';
import { profileIdSchema } from '../core/profiles/profile-id.ts';
import { type TrialPlan, trialPlanSchema } from '../core/trial/trial-plan.ts';
import { type TrialProgress, trialProgressSchema } from '../core/trial/trial-progress.ts';

export interface TrialRecord {
  readonly plan: TrialPlan;
  readonly progress: TrialProgress;
  /** What the preferences of all arms held before the trial; one that this Firefox does not know is absent. */
  readonly before: Readonly<Record<string, PreferenceValue>>;
  /** Those of them that the person had set: the baseline keeps them, and differs from Firefox's own settings. */
  readonly own: readonly string[];
  /** The last navigation that the trial has processed, by its key in the store. */
  readonly toldUntil: number;
  /** Why the trial paused by itself, in words; absent: it did not. */
  readonly pausedBecause?: string;
  /** The helper puts the profiles in their place, for slots by session; absent: the person does. */
  readonly byHelper?: true;
  /** Candidates that were chosen by prediction, and what was predicted of them when the trial began; absent: none was. */
  readonly predicted?: readonly PredictedArm[];
  /** Absent: nothing was applied. */
  readonly former?: FormerProfile;
}

const formerProfileSchema = v.object({
  profileId: profileIdSchema,
  /** The way it was applied, and is again when the trial pauses or ends. `person`: manually or by a policy, so that only the person can. */
  by: v.picklist(['live', 'helper', 'person']),
  /** Why it could not be applied again; absent: it could, or the trial still has its turn. */
  notAgain: v.exactOptional(v.string()),
});
/** The profile that the user had applied for daily use when the trial began, and that the trial reverted. */
export type FormerProfile = Readonly<v.InferOutput<typeof formerProfileSchema>>;

/** `ratio`: predicted efficiency over the baseline's. */
export const predictedArmSchema = v.object({
  profileId: profileIdSchema,
  ratio: v.pipe(v.number(), v.finite(), v.gtValue(0)),
});
export type PredictedArm = Readonly<v.InferOutput<typeof predictedArmSchema>>;

const trialRecordSchema = v.object({
  format: v.literal(1),
  plan: v.unknown(),
  progress: v.unknown(),
  before: v.record(v.string(), heldValueSchema),
  own: v.array(v.string()),
  toldUntil: v.pipe(v.number(), v.integer(), v.minValue(0)),
  pausedBecause: v.optional(v.string()),
  byHelper: v.optional(v.literal(true)),
  predicted: v.optional(v.array(predictedArmSchema)),
  former: v.optional(formerProfileSchema),
});

/** @throws v.ValiError when it is not a trial of this format. */
export function parseTrialRecord(value: unknown): TrialRecord {
  const { plan, progress, before, own, toldUntil, pausedBecause, byHelper, predicted, former } = v.parse(trialRecordSchema, value);
  return {
    plan: parseTrialPlan(plan),
    progress: parseTrialProgress(progress),
    before,
    own,
    toldUntil,
    ...(pausedBecause !== undefined && { pausedBecause }),
    ...(byHelper && { byHelper }),
    ...(predicted && { predicted }),
    ...(former && { former }),
  };
}

/** The trial as it is stored. @throws v.ValiError as `parseTrialRecord`: what could not be read again is not written. */
export const storedTrialRecord = (trial: TrialRecord): unknown => ({ format: 1, ...parseTrialRecord({ format: 1, ...trial }) });

/** @throws v.ValiError when it is not a plan of this format. What a profile leaves open is absent in the record. */
export const parseTrialPlan = (value: unknown): TrialPlan => v.parse(trialPlanSchema, value);
/** @throws v.ValiError when it is not a trial's progress of this format. */
export const parseTrialProgress = (value: unknown): TrialProgress => v.parse(trialProgressSchema, value);
