/** A trial as it lies in the extension's store: its plan and progress, and what the extension needs to carry it on. Format history: 1, first. */
import * as v from 'valibot';
import type { PreferenceValue } from '../core/profiles/knob.ts';
import type { TrialPlan } from '../core/trial/trial-plan.ts';
import type { TrialProgress } from '../core/trial/trial-progress.ts';
import { parseTrialPlan, parseTrialProgress } from './trial-schema.ts';

export interface TrialRecord {
  readonly plan: TrialPlan;
  readonly progress: TrialProgress;
  /** What the preferences of all arms held before the trial; one that this Firefox does not know is absent. */
  readonly before: Readonly<Record<string, PreferenceValue>>;
  /** Of these, the ones that the person had set: the baseline keeps them, and is not what Firefox ships. */
  readonly own: readonly string[];
  /** The last navigation of which the trial has been told, by its key in the store. */
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

/** What the person had applied for daily use when the trial began, and the trial took back. */
export interface FormerProfile {
  readonly profileId: string;
  /** The way it was applied, and is again when the trial pauses or ends. `person`: by hand or by a policy, so that only the person can. */
  readonly by: 'live' | 'helper' | 'person';
  /** Why it could not be applied again, in words; absent: it could, or the trial still has its turn. */
  readonly notAgain?: string;
}

const formerProfileSchema = v.object({
  profileId: v.pipe(v.string(), v.maxLength(64)),
  by: v.picklist(['live', 'helper', 'person']),
  notAgain: v.optional(v.string()),
});

export interface PredictedArm {
  readonly profileId: string;
  /** Efficiency over the baseline's, predicted. */
  readonly ratio: number;
}

/** As `PredictedArm`. */
export const predictedArmSchema = v.object({
  profileId: v.pipe(v.string(), v.maxLength(64)),
  ratio: v.pipe(v.number(), v.finite(), v.gtValue(0)),
});

const trialRecordSchema = v.object({
  format: v.literal(1),
  plan: v.unknown(),
  progress: v.unknown(),
  before: v.record(v.string(), v.union([v.pipe(v.number(), v.integer()), v.boolean(), v.string()])),
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
    ...(former && { former: withoutUndefined(former) }),
  };
}

const withoutUndefined = ({ profileId, by, notAgain }: v.InferOutput<typeof formerProfileSchema>): FormerProfile => ({
  profileId,
  by,
  ...(notAgain !== undefined && { notAgain }),
});

/** As it is stored. @throws v.ValiError as `parseTrialRecord`: what could not be read again is not written. */
export const storedTrialRecord = (trial: TrialRecord): unknown => ({ format: 1, ...parseTrialRecord({ format: 1, ...trial }) });
