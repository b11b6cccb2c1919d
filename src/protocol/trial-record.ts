/** A trial as it lies in the extension's store: its plan and progress, and what the extension needs to carry it on. Format history: 1, first. */
import * as v from 'valibot';
import type { PreferenceValue } from '../core/profiles/knob.ts';
import { TRIAL_PROTOCOLS } from '../core/trial/protocol-plan.ts';
import { ONE_PROTOCOL, type TrialPlan } from '../core/trial/trial-plan.ts';
import type { TrialProgress } from '../core/trial/trial-progress.ts';

export interface TrialRecord {
  readonly plan: TrialPlan;
  readonly progress: TrialProgress;
  /** What the preferences of all arms held before the trial; one that this Firefox does not know is absent. */
  readonly before: Readonly<Record<string, PreferenceValue>>;
  /** Of these, the ones that the person had set: the baseline keeps them, and is not what Firefox ships. */
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
  profileId: v.pipe(v.string(), v.maxLength(64)),
  /** The way it was applied, and is again when the trial pauses or ends. `person`: manually or by a policy, so that only the person can. */
  by: v.picklist(['live', 'helper', 'person']),
  /** Why it could not be applied again; absent: it could, or the trial still has its turn. */
  notAgain: v.exactOptional(v.string()),
});
/** What the person had applied for daily use when the trial began, and the trial reverted. */
export type FormerProfile = Readonly<v.InferOutput<typeof formerProfileSchema>>;

/** `ratio`: predicted efficiency over the baseline's. */
export const predictedArmSchema = v.object({
  profileId: v.pipe(v.string(), v.maxLength(64)),
  ratio: v.pipe(v.number(), v.finite(), v.gtValue(0)),
});
export type PredictedArm = Readonly<v.InferOutput<typeof predictedArmSchema>>;

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
    ...(former && { former }),
  };
}

/** As it is stored. @throws v.ValiError as `parseTrialRecord`: what could not be read again is not written. */
export const storedTrialRecord = (trial: TrialRecord): unknown => ({ format: 1, ...parseTrialRecord({ format: 1, ...trial }) });

/**
 * A trial's plan and progress as they lie in the store, as schemas. Format history: 1, first; 2 of the plan: turns of several slots; 3 of
 * the plan: one protocol is judged.
 */
const finite = v.pipe(v.number(), v.finite());
const time = v.pipe(finite, v.minValue(0));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const share = v.pipe(finite, v.gtValue(0), v.ltValue(1));
const text = v.pipe(v.string(), v.maxLength(2_000));
const trialId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,64}$/));
const profileId = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9.-]{0,63}$/));

const comparedProfileSchema = v.object({
  id: profileId,
  carrier: v.picklist(['none', 'gateway', 'http2', 'legacy']),
  role: v.picklist(['baseline', 'candidate', 'control']),
  connections: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(255))),
  depth: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(64)),
});

const slotRuleSchema = v.variant('kind', [
  v.object({ kind: v.literal('loads'), perSlot: v.pipe(count, v.minValue(1)) }),
  v.object({ kind: v.literal('minutes'), perSlot: v.pipe(finite, v.gtValue(0)) }),
  v.object({ kind: v.literal('session') }),
]);

const planEntries = {
  id: trialId,
  seed: v.pipe(v.number(), v.safeInteger()),
  baseline: profileId,
  profiles: v.pipe(v.array(comparedProfileSchema), v.minLength(2)),
  slots: slotRuleSchema,
  alpha: share,
  meaningfulChange: share,
  targetChange: share,
  power: share,
  plannedLoadsPerArm: v.pipe(count, v.minValue(1)),
  mostLoadsPerArm: v.pipe(count, v.minValue(1)),
  screening: v.nullable(v.object({ loadsPerRound: v.pipe(count, v.minValue(1)) })),
  createdAt: time,
};

const protocolsSchema = v.object({
  judged: v.picklist(TRIAL_PROTOCOLS),
  share: v.pipe(finite, v.gtValue(0), v.maxValue(1)),
  reached: v.array(v.picklist(['http/1.1', 'http/2', 'http/3', 'mixed'])),
});

/** A plan of the first format has turns of one slot; before the third, all protocols were judged together. */
const trialPlanSchema = v.variant('format', [
  v.object({ format: v.literal(3), ...planEntries, slotsPerTurn: v.pipe(count, v.minValue(1)), protocols: protocolsSchema }),
  v.pipe(
    v.object({ format: v.literal(2), ...planEntries, slotsPerTurn: v.pipe(count, v.minValue(1)) }),
    v.transform((plan) => ({ ...plan, protocols: ONE_PROTOCOL })),
  ),
  v.pipe(
    v.object({ format: v.literal(1), ...planEntries }),
    v.transform((plan) => ({ ...plan, slotsPerTurn: 1, protocols: ONE_PROTOCOL })),
  ),
]);

/** The place of a load in its trial, as the load itself carries it. */
export const trialMarkSchema = v.object({
  trialId,
  block: count,
  slot: count,
  profileId,
  position: count,
  washout: v.boolean(),
});

const armCountsSchema = v.object({ attempted: count, recorded: count, lost: count });

const stretchSchema = v.object({
  stage: v.picklist(['screening', 'confirming']),
  round: count,
  fromSlot: count,
  arms: v.array(profileId),
  counts: v.record(profileId, armCountsSchema),
});

/** A bound that is hardly known may be 0 or infinite. */
const ratio = v.optional(v.pipe(v.number(), v.minValue(0)));

const armFindingSchema = v.object({
  profileId,
  ratio,
  low: ratio,
  high: ratio,
  finding: v.picklist(['better', 'worse', 'no-meaningful-difference', 'undecided']),
  loads: count,
  protocol: v.optional(v.picklist(TRIAL_PROTOCOLS)),
  against: v.optional(v.string()),
  gain: v.optional(v.number()),
  baselineLoads: count,
});

const trialEndSchema = v.variant('kind', [
  v.object({ kind: v.literal('confirmed'), found: v.optional(armFindingSchema) }),
  v.object({ kind: v.literal('no-difference'), found: v.optional(armFindingSchema) }),
  v.object({ kind: v.literal('no-candidate-left') }),
  v.object({ kind: v.literal('invalid') }),
  v.object({ kind: v.literal('baseline-not-applicable'), because: text }),
  v.object({ kind: v.literal('stopped-by-person') }),
  v.object({ kind: v.literal('outdated') }),
]);

const trialProgressSchema = v.object({
  format: v.literal(1),
  trialId,
  status: v.picklist(['planned', 'running', 'paused', 'ended']),
  statusSince: finite,
  startedAt: v.optional(finite),
  end: v.optional(trialEndSchema),
  applied: v.boolean(),
  current: v.object({
    slot: count,
    block: count,
    profileId,
    phase: v.picklist(['switching', 'in-effect', 'ended']),
    since: finite,
    inEffectMs: time,
    begun: count,
    attempted: count,
    switchFailures: count,
    failedAt: v.optional(finite),
  }),
  prepared: v.optional(v.object({ slot: count, profileId, state: v.picklist(['written', 'failed']), sessionId: v.optional(text) })),
  session: v.optional(v.object({ id: text, since: finite })),
  stretches: v.pipe(v.array(stretchSchema), v.minLength(1)),
  slots: v.array(v.object({ slot: count, settled: count })),
  dropped: v.array(
    v.variant('reason', [
      v.object({
        profileId,
        reason: v.picklist(['harmful', 'worse']),
        found: v.optional(armFindingSchema),
        because: v.optional(text),
        checkFailed: v.optional(v.literal(true)),
        block: count,
      }),
      v.object({ profileId, reason: v.picklist(['screened-out', 'not-applicable']), because: text, block: count }),
    ]),
  ),
  pauses: v.array(v.object({ from: finite, to: v.optional(finite) })),
  loads: v.array(
    v.object({
      id: v.pipe(v.string(), v.maxLength(200)),
      at: finite,
      mark: trialMarkSchema,
      state: v.picklist(['under-way', 'recorded', 'lost']),
      void: v.boolean(),
    }),
  ),
  forgottenUntil: v.optional(finite),
});

/** @throws v.ValiError when it is not a plan of this format. What a profile leaves open is absent in the record. */
export const parseTrialPlan = (value: unknown): TrialPlan => v.parse(trialPlanSchema, value);
/** @throws v.ValiError when it is not a trial's progress of this format. */
export const parseTrialProgress = (value: unknown): TrialProgress => v.parse(trialProgressSchema, value) as TrialProgress;
