/** What a search did and found, as the report and `tune --json` keep it. */
import * as v from 'valibot';
import { preferenceValueSchema } from '../profiles/knob.ts';
import { count, finite, type Shape } from '../schema.ts';

const optionalFigure = v.exactOptional(finite);
const settings = v.record(v.string(), preferenceValueSchema);

const namedSettingsSchema = v.object({
  profileId: v.string(),
  /** What they set, besides Firefox's own settings. */
  settings,
});

/** Speed over that of Firefox's own settings; 1.25 is 25 % faster. */
const proofSchema = v.object({
  ...namedSettingsSchema.entries,
  ratio: optionalFigure,
  low: optionalFigure,
  high: optionalFigure,
  verdict: v.picklist(['better', 'worse', 'no-meaningful-difference', 'need-more-loads', 'no-verdict']),
  /** Pairs of loads, and the blocks that they are in. */
  pairs: count,
  blocks: count,
  /** Geometric mean over the pages and links, ms. */
  loadTimeMs: optionalFigure,
  baselineMs: optionalFigure,
});
export type Proof = Shape<typeof proofSchema>;

const contributionSchema = v.object({
  preference: v.string(),
  value: preferenceValueSchema,
  /** Speed of the settings over that of the same settings without this preference. Absent: not modelled. */
  predicted: optionalFigure,
  /** The same, measured with its interval. Absent: there was no time. */
  measured: v.exactOptional(v.object({ ratio: finite, low: optionalFigure, high: optionalFigure, pairs: count })),
});
/** What one preference does in settings that are confirmed. */
export type Contribution = Shape<typeof contributionSchema>;

/** Ids of settings that were to be measured and have no load that counts; absent: none. */
const notMeasured = v.exactOptional(v.array(v.string()));

export const searchAnswerSchema = v.variant('state', [
  v.object({
    state: v.literal('faster'),
    /** The fastest that is confirmed. */
    best: proofSchema,
    /** The cheapest that is confirmed and not surely 3 % slower than the best; often the best itself. What is recommended and written. */
    cheapest: proofSchema,
    /** `cheapest` is within 3 % of the best of as many settings, for sure; absent: that is not shown. */
    bestOf: v.exactOptional(count),
    contributions: v.array(contributionSchema),
    notMeasured,
  }),
  /**
   * `out-of-reach`: no preference that was searched acts on a request of these pages. `none-predicted`: the simulator leaves no gain possible, and
   * nothing else was there to try. `none-ahead`: nothing was ahead when it was measured. `not-proven`: what was ahead is not likely to be proven.
   */
  v.object({
    state: v.literal('nothing-beats'),
    because: v.picklist(['out-of-reach', 'none-predicted', 'none-ahead', 'not-proven']),
    closest: v.exactOptional(proofSchema),
    /**
     * Speed over Firefox's own settings up to which the intervals of measured settings reach; where none was measured, the bands of predicted ones.
     * Absent: not bounded.
     */
    highest: optionalFigure,
    /** A smaller gain, as a share, of measured settings that no interval rules out, shows in fewer than four of five runs; absent: not known. */
    unseenBelow: optionalFigure,
  }),
  /** Ahead, and not proven by the end of the time; or nothing was ahead, and not everything was measured. */
  v.object({ state: v.literal('undecided'), closest: v.exactOptional(proofSchema), notMeasured }),
  /** A check of the loads failed; `reason` is a sentence. */
  v.object({ state: v.literal('no-verdict'), reason: v.string() }),
  v.object({ state: v.literal('interrupted'), closest: v.exactOptional(proofSchema) }),
]);
export type SearchAnswer = Shape<typeof searchAnswerSchema>;

const armSchema = v.object({
  ...namedSettingsSchema.entries,
  /** Speed over Firefox's own settings. Absent: no pair of loads counts. */
  ratio: optionalFigure,
  /** What ended its turns (`race-step.ts`); `kept`: nothing did. `not-measured`: the time was too short for so many arms. */
  outcome: v.picklist(['kept', 'worse', 'same', 'cannot-win', 'behind', 'no-loads', 'not-measured']),
});

const stepSchema = v.object({
  kind: v.picklist(['race', 'contributions']),
  blocks: count,
  loads: count,
  arms: v.array(armSchema),
});
/** One step in Firefox, and what became of its arms. */
export type SearchStep = Shape<typeof stepSchema>;

/** The `search` of a report. */
export const searchRecordSchema = v.object({
  answer: searchAnswerSchema,
  /** Sentences that say so. */
  sentences: v.array(v.string()),
  screening: v.object({
    /** Combinations of the preferences below, Firefox's own settings among them. */
    combinations: count,
    simulatedLoads: count,
    supported: count,
    possible: count,
    knobs: v.array(v.object({ preference: v.string(), values: v.array(preferenceValueSchema) })),
    outOfReach: v.array(v.string()),
    /** What went on to Firefox. */
    shortlist: v.array(
      v.object({
        ...namedSettingsSchema.entries,
        why: v.picklist(['predicted', 'curious']),
        predicted: v.exactOptional(v.object({ ratio: finite, low: optionalFigure, high: optionalFigure })),
      }),
    ),
  }),
  steps: v.array(stepSchema),
  tookS: finite,
});
export type SearchRecord = Shape<typeof searchRecordSchema>;
