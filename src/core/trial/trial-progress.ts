/**
 * How far a trial is, as JSON: all that the extension stores of it, so that the event page may end between any two events. `advance` is the only
 * writer.
 */

import * as v from 'valibot';
import { TRIAL_PROTOCOLS } from '../compare/comparison.ts';
import { count, finite, notNegative, type Shape } from '../schema.ts';
import { armIdSchema, trialIdSchema, trialMarkSchema } from './trial-mark.ts';

const text = v.pipe(v.string(), v.maxLength(2_000));

/** A bound that is hardly known may be 0 or infinite. */
const ratio = v.optional(v.pipe(v.number(), v.minValue(0)));

const armFindingSchema = v.object({
  profileId: armIdSchema,
  ratio,
  low: ratio,
  high: ratio,
  finding: v.picklist(['better', 'worse', 'no-meaningful-difference', 'undecided']),
  /** Counted loads that can be used, of the candidate and of what it is compared with (`baselineLoads`). */
  loads: count,
  /** The protocol of its pages; absent: all pages, as they have one protocol, or none is known. */
  protocol: v.optional(v.picklist(TRIAL_PROTOCOLS)),
  /** The control, where the gateway by itself makes a difference and this figure is without it; absent: the baseline. */
  against: v.optional(v.string()),
  /** Given with `against`: efficiency against the baseline's, gateway included. */
  gain: v.optional(v.number()),
  baselineLoads: count,
});
/** Efficiency of a candidate against the baseline's, or the control's (`against`); 1 = no change. Bounds hold at every look; `undefined`: not bounded yet. */
export type ArmFinding = Shape<typeof armFindingSchema>;

const droppedArmSchema = v.variant('reason', [
  v.object({
    profileId: armIdSchema,
    /**
     * `harmful`: slower by 10 % or more; `worse`: by a meaningful change. `same`: no real difference; `cannot-win`: a gain of 10 % would hardly be found
     * any more; `behind`: others were faster when the schedule kept them.
     */
    reason: v.picklist(['harmful', 'worse', 'same', 'cannot-win', 'behind']),
    found: armFindingSchema,
    /** A check of the trial had failed: its turns end, and nothing is proven of it. */
    checkFailed: v.optional(v.literal(true)),
    /** The first block without it, and already the rest of that block where it is `harmful`. */
    block: count,
  }),
  v.object({
    profileId: armIdSchema,
    /** `not-applicable`: it could not be put in effect; `not-needed`: the control, when nothing is left that goes through the gateway. */
    reason: v.picklist(['not-applicable', 'not-needed']),
    because: text,
    /** The first block without it, and already the rest of that block where it is `not-applicable`. */
    block: count,
  }),
]);
/** A profile that has no turns any more. */
export type DroppedArm = Shape<typeof droppedArmSchema>;

/** Dropped for what its loads have shown. */
export type LosingArm = Extract<DroppedArm, { readonly found: ArmFinding }>;

export const isSlower = (arm: DroppedArm): arm is LosingArm => arm.reason === 'harmful' || arm.reason === 'worse';

const armCountsSchema = v.object({
  /** Loads that began in its slots and were not cut by a switch or a pause. */
  attempted: count,
  recorded: count,
  lost: count,
});
/** Loads of one arm without the washout. */
export type ArmCounts = Shape<typeof armCountsSchema>;

const trialStretchSchema = v.object({
  fromSlot: count,
  /** The active arms, in the order of the plan. */
  arms: v.array(armIdSchema),
  /** Counts by profile, for every arm of the stretch. */
  counts: v.record(armIdSchema, armCountsSchema),
});
/** Consecutive slots with the same arms. */
export type TrialStretch = Shape<typeof trialStretchSchema>;

const currentSlotSchema = v.object({
  slot: count,
  block: count,
  profileId: armIdSchema,
  /**
   * `switching`: its profile is to be put in effect (as soon as no load is in progress); `in-effect`; `ended`: to be looked at
   * before the next has its turn.
   */
  phase: v.picklist(['switching', 'in-effect', 'ended']),
  /** Wall clock, ms: when the phase began. */
  since: finite,
  /** Time in effect before an interruption. */
  inEffectMs: notNegative,
  /** Loads that began since the profile was put in effect, the washout among them. */
  begun: count,
  /** Loads of the slot, without washout and void ones. */
  attempted: count,
  switchFailures: count,
  failedAt: v.optional(finite),
});
/** The slot that has its turn. */
export type CurrentSlot = Shape<typeof currentSlotSchema>;

const markedLoadSchema = v.object({
  id: v.pipe(v.string(), v.maxLength(200)),
  at: finite,
  mark: trialMarkSchema,
  state: v.picklist(['under-way', 'recorded', 'lost']),
  /** It began before its slot's profile was in effect, or a pause, a drop or a restart came in between: it is not of the trial. */
  void: v.boolean(),
});
/** A load in progress, or settled not long ago, so that repeated events count once. */
export type MarkedLoad = Shape<typeof markedLoadSchema>;

/** `found`: the figures it ended with; its loads may be dropped from the store later, or be assigned to other links. */
const trialEndSchema = v.variant('kind', [
  v.object({ kind: v.literal('confirmed'), found: v.optional(armFindingSchema) }),
  v.object({ kind: v.literal('no-difference'), found: v.optional(armFindingSchema) }),
  v.object({ kind: v.literal('no-candidate-left') }),
  /** A check failed until the loads were used up. */
  v.object({ kind: v.literal('invalid') }),
  v.object({ kind: v.literal('baseline-not-applicable'), because: text }),
  v.object({ kind: v.literal('stopped-by-person') }),
]);
/** How a trial ended. */
export type TrialEnd = Shape<typeof trialEndSchema>;

export const trialProgressSchema = v.object({
  format: v.literal(1),
  trialId: trialIdSchema,
  status: v.picklist(['planned', 'running', 'paused', 'ended']),
  /** When the status came to be, wall clock, ms. */
  statusSince: finite,
  startedAt: v.optional(finite),
  end: v.optional(trialEndSchema),
  /** Whether a profile of the trial may be in effect, and is to be undone when it pauses or ends. */
  applied: v.boolean(),
  current: currentSlotSchema,
  /**
   * Slots by session: what is prepared for the next start of Firefox. `sessionId`: the run of Firefox in which it was written, if known: it is
   * in effect from the next run on.
   */
  prepared: v.optional(
    v.object({ slot: count, profileId: armIdSchema, state: v.picklist(['written', 'failed']), sessionId: v.optional(text) }),
  ),
  session: v.optional(v.object({ id: text, since: finite })),
  /** Page loads while it ran, whether they count or not: what the person has done for it. */
  made: count,
  /** Draws with which it ends, planned from how much its own loads vary; absent: those of the plan. */
  plannedDraws: v.optional(v.pipe(count, v.minValue(1))),
  /** From first to last; the last one is in progress. */
  stretches: v.pipe(v.array(trialStretchSchema), v.minLength(1)),
  /** Slots in which a load has settled, without the washout, in their order: losses are counted slot by slot. */
  slots: v.array(v.object({ slot: count, settled: count })),
  dropped: v.array(droppedArmSchema),
  /** Wall clock, ms since the epoch; without `to` it is going on. */
  pauses: v.array(v.object({ from: finite, to: v.optional(finite) })),
  loads: v.array(markedLoadSchema),
  /** The latest beginning among settled loads that are no longer in `loads`. */
  forgottenUntil: v.optional(finite),
});
/** The progress of a trial, which with its plan is all that is known of it. */
export type TrialProgress = Shape<typeof trialProgressSchema>;
