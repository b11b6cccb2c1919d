/** The result of a comparison of profiles: the shape of `tune --json` and of the report's `comparison`. */
import * as v from 'valibot';
import type { PreferenceValue } from '../profiles/knob.ts';
import { type Carrier, carrierSchema, type ProfileRole, roleSchema } from '../profiles/profile.ts';
import { count, finite, type Shape } from '../schema.ts';

/** A figure that is not known is `undefined`, and absent in JSON. */
const figure = v.optional(finite, () => undefined);

const verdictSchema = v.picklist(['better', 'worse', 'no-meaningful-difference', 'need-more-loads', 'baseline', 'no-verdict']);
/** The verdict of the loads on a profile, against the baseline. */
export type Verdict = Shape<typeof verdictSchema>;

const commonEffectSchema = v.variant('state', [
  v.object({
    state: v.literal('estimated'),
    ratio: finite,
    low: finite,
    high: finite,
    verdict: v.picklist(['better', 'worse', 'no-meaningful-difference', 'need-more-loads']),
    /** Pages over links that it rests on. */
    scenarios: count,
  }),
  /** The scenarios differ detectably; `p`: of no difference between them. */
  v.object({ state: v.literal('withheld'), p: finite }),
]);
/**
 * The effect in which pages over links count by how well their loads repeat, not equally (`common-effect.ts`). Its intervals share an alpha of
 * their own, as large as that of the comparison; a verdict may take from it that there is no real difference, and nothing else.
 */
export type CommonEffect = Shape<typeof commonEffectSchema>;

const paintEffectSchema = v.object({
  outcome: v.picklist(['first-paint', 'largest-paint']),
  /** Above 1: earlier than the other profile's. */
  ratio: figure,
  low: figure,
  high: figure,
  verdict: v.picklist(['better', 'worse', 'no-meaningful-difference', 'need-more-loads']),
  pairs: count,
});
/** A paint compared as the load time is; its intervals share an alpha of their own, as large as that of the comparison. */
export type PaintEffect = Shape<typeof paintEffectSchema>;

const versusBaselineSchema = v.object({
  /** Efficiency against the baseline's, geometric mean over scenarios and blocks; 1 = no change. */
  ratio: figure,
  /** Bounds of the anytime-valid interval, adjusted for the number of profiles; `undefined`: not bounded yet. */
  low: figure,
  high: figure,
  verdict: verdictSchema,
  /** The reason in plain words. */
  reason: v.string(),
  /** The profile compared with: the baseline, or the control where the profile needs the gateway. */
  against: v.string(),
  /** Further loads per profile of this run after which half of such runs have a verdict, 0 once there is one; `undefined`: cannot be said. */
  loadsNeeded: figure,
  /** Likewise, enough for most runs, at most three times as many; `undefined` in older reports too. */
  loadsNeededAtMost: figure,
  /** Pairs of loads the ratio rests on (adjusted: blocks in which both profiles have loads), and in how many the profile did better. */
  pairs: count,
  pairsAhead: count,
  /** Smallest gain, as a share, that as many loads find with 80 % probability; `undefined`: the spread is not known yet. */
  detectableChange: figure,
  /** Two-sided p-value of no change: of Student's t where the loads are looked at once, else valid at every look. */
  p: figure,
  /** Absent: one page over one link only, no interval yet, everyday loads, or no verdict. */
  commonEffect: v.exactOptional(commonEffectSchema),
  /** First paint, and largest where it is another; absent: no load has any. */
  paints: v.exactOptional(v.array(paintEffectSchema)),
});
export type VersusBaseline = Shape<typeof versusBaselineSchema>;

/** `same`: no real difference is shown. `cannot-win`: neither verdict is likely by the planned end. `behind`: the schedule keeps the faster ones. */
export const DROP_REASONS = ['worse', 'same', 'cannot-win', 'behind'] as const;
export type DropReason = (typeof DROP_REASONS)[number];

const profileComparisonSchema = v.object({
  id: v.string(),
  carrier: carrierSchema,
  role: roleSchema,
  loads: count,
  voidLoads: count,
  /** Geometric mean over scenarios. `low` and `high` are not known, see `summariseProfile`: what is compared has an interval. */
  efficiency: v.object({ estimate: figure, low: figure, high: figure }),
  /** Geometric mean over scenarios of the geometric mean in each; `median` is the name it has in reports. */
  loadTimeMs: v.object({ median: figure }),
  versusBaseline: versusBaselineSchema,
  /** Its turns ended before those of others (`race-step.ts`). */
  dropped: v.exactOptional(v.object({ because: v.picklist(DROP_REASONS), afterBlocks: count })),
});
/** One profile: its loads, its figures and its verdict against the baseline. */
export type ProfileComparison = Shape<typeof profileComparisonSchema>;

const scenarioComparisonSchema = v.object({
  page: v.string(),
  link: v.string(),
  profiles: v.array(v.object({ id: v.string(), loads: count, efficiencyMedian: figure, loadTimeMsMedian: figure })),
});
/** One page over one link. `undefined`: no load of the profile there counts. */
export type ScenarioComparison = Shape<typeof scenarioComparisonSchema>;

const recommendedProfileSchema = v.object({
  profileId: v.nullable(v.string()),
  state: v.picklist(['recommended', 'keep-baseline', 'need-more-loads', 'none']),
  sentence: v.string(),
  /** Every gain is shown to be smaller: a share, only where the baseline stays. */
  within: v.exactOptional(finite),
  /** The gain of what is recommended, allowing for its having been chosen: other figures of the comparison do not. Absent: the spread is not known. */
  gain: v.exactOptional(v.object({ ratio: finite, low: finite, high: finite })),
  /** It is within 3 % of the best of as many profiles, the baseline included, for sure; absent: that is not shown. */
  bestOf: v.exactOptional(count),
  /** Further loads of each profile that may decide it, only where more are needed and how many is known. */
  loadsNeeded: v.exactOptional(count),
});
/** `profileId` is `null` where no profile is named, in the states `need-more-loads` and `none`. The sentence stands by itself. */
export type RecommendedProfile = Shape<typeof recommendedProfileSchema>;
/**
 * `recommended`: one profile is separated from the baseline; `keep-baseline`: none is better; `need-more-loads`; `none`: checks failed or no loads.
 */
export type RecommendationState = RecommendedProfile['state'];

const gatewaySettingsSchema = v.object({
  /** Absent: the gateway's own default. */
  connections: v.exactOptional(count),
  depth: count,
});
/** Connections to each server and requests outstanding on one connection, as the gateway takes them. */
export type GatewaySettings = Shape<typeof gatewaySettingsSchema>;

const recommendationSchema = v.object({
  ...recommendedProfileSchema.entries,
  /** What the gateway is to be started with; absent: what is recommended needs none. */
  gateway: v.exactOptional(gatewaySettingsSchema),
  settingsAlone: recommendedProfileSchema,
});
/** The profile itself may need the gateway; `settingsAlone` is the best that needs none, and the only one that a file of preferences can hold. */
export type Recommendation = Shape<typeof recommendationSchema>;

const controlCheckSchema = v.object({
  profileId: v.string(),
  /** Efficiency of the control against the baseline. */
  ratio: figure,
  /** Gateway profiles are compared with the control: always, where its loads allow it. */
  used: v.boolean(),
  sentence: v.string(),
});
/** The gateway's own cost: `c6-d1` through it against the baseline direct. */
export type ControlCheck = Shape<typeof controlCheckSchema>;

const comparisonMethodSchema = v.object({
  /**
   * `paired`: loads of one page over one link in one block; `adjusted`: all loads, with effects of page and block, and draws
   * of two blocks as the independent units.
   */
  estimate: v.picklist(['paired', 'adjusted']),
  /**
   * How often the loads may be looked at: at any time; once, at the number of loads that was planned; or at any time with most of alpha kept for the
   * planned end (`interval-rule.ts`).
   */
  looks: v.picklist(['any', 'once', 'planned']),
  /** Chance, over all looks and the counted intervals, that any of them misses the truth; common effects have as much again. */
  alpha: finite,
  /** Intervals that share it: those of verdicts, not of common effects. */
  intervals: count,
  /** Where most of alpha is spent, as the caller gave it: pairs (adjusted: blocks), or blocks of every scenario. Only where `looks` is `planned`. */
  plannedPairs: v.exactOptional(count),
  plannedBlocks: v.exactOptional(count),
});
/** How the intervals were made. */
export type ComparisonMethod = Shape<typeof comparisonMethodSchema>;
export type Estimate = ComparisonMethod['estimate'];
export type Looks = ComparisonMethod['looks'];

/** The HTTP version of a page; `mixed`: of several, as on the real network, where each server has its own. */
export const LOAD_PROTOCOLS = ['http/1.1', 'http/2', 'http/3', 'mixed'] as const;
export type LoadProtocol = (typeof LOAD_PROTOCOLS)[number];

/** The protocols by which a trial groups its loads, in the order in which they are shown. `unknown`: no request of the load says. */
export const TRIAL_PROTOCOLS = ['http/1.1', 'mixed', 'http/2', 'http/3', 'unknown'] as const;
export type TrialProtocol = (typeof TRIAL_PROTOCOLS)[number];

const profileRanksSchema = v.object({
  id: v.string(),
  /** Scenarios in which it has a figure, so that it has a place there. */
  ranked: count,
  /** Scenarios in which no profile was better. */
  firsts: count,
  /** Scenarios in which it has one of the top-quartile slots. */
  topQuartile: count,
  /** Scenarios in which no profile was worse and some profile was better. */
  lasts: count,
  /** Arithmetic mean of its efficiency over the scenarios in which it has a place, in (0, 1]. */
  meanEfficiency: figure,
});
/** A profile's places in a ranking over scenarios. */
export type ProfileRanks = Shape<typeof profileRanksSchema>;

const scenarioRankingSchema = v.object({
  baseline: v.string(),
  /** Scenarios in which at least two profiles have a figure; only these are counted. */
  scenarios: count,
  /** Top-quartile slots in total: the sum over scenarios of ceil(n / 4), n profiles having a place there. */
  slots: count,
  /** Most often in the top quartile first; then most firsts, then the higher mean efficiency, then the cheaper. */
  profiles: v.array(profileRanksSchema),
  /** Efficiency of the best less that of the worst, averaged over scenarios, in [0, 1). */
  meanSpread: figure,
  /** Mean efficiency of the baseline over the scenarios in which it has a place. */
  baselineEfficiency: figure,
  /** The lead of the best of each scenario over the baseline: difference of their means over that of the baseline; 0.58 is 58 %. */
  gain: figure,
});
/** The result of `rankScenarios`: how often each profile was first, or among the best, in a scenario. */
export type ScenarioRanking = Shape<typeof scenarioRankingSchema>;

const modePeakSchema = v.object({
  /** Median of the group, in the unit of the sample. */
  at: finite,
  /** Share of the sample, in (0, 1). */
  share: finite,
  /** Smallest and largest value of the group. */
  low: finite,
  high: finite,
});
export type ModePeak = Shape<typeof modePeakSchema>;

const severalModesSchema = v.object({
  modes: v.literal('several'),
  /** From the lowest up; two at least. */
  peaks: v.array(modePeakSchema),
  /**
   * Distance of the two groups closest to each other, on the log scale: difference of their means over the root mean square of their
   * standard deviations (D of Ashman, Bird & Zepf, Astronomical Journal 108, 1994; clearly apart above 2).
   */
  separation: finite,
});
/** Groups of a sample, by the tests of `modes.ts`. */
export type SeveralModes = Shape<typeof severalModesSchema>;

const scenarioModesSchema = v.object({
  profileId: v.string(),
  page: v.string(),
  link: v.string(),
  /** Groups of the load times, in ms. */
  modes: severalModesSchema,
});
/** The modes of one profile's load times on one page over one link. */
export type ScenarioModes = Shape<typeof scenarioModesSchema>;

const setAsideSchema = v.object({ profileId: v.string(), page: v.string(), link: v.string() });
/** A page over a link that is left out of the comparisons of a profile, or of all where it is the baseline. */
export type SetAside = Shape<typeof setAsideSchema>;

const protocolComparisonSchema = v.object({
  protocol: v.picklist([...LOAD_PROTOCOLS, 'unknown']),
  pages: v.array(v.string()),
  method: comparisonMethodSchema,
  profiles: v.array(profileComparisonSchema),
  control: v.optional(controlCheckSchema, () => undefined),
  recommendation: recommendationSchema,
});
/** The loads of one protocol compared, where a comparison has several; `unknown`: of pages of which no load says. */
export type ProtocolComparison = Shape<typeof protocolComparisonSchema>;

export const comparisonSchema = v.object({
  baseline: v.string(),
  method: comparisonMethodSchema,
  profiles: v.array(profileComparisonSchema),
  scenarios: v.array(scenarioComparisonSchema),
  /** Places of the profiles within the scenarios; it describes, the verdicts prove. */
  ranking: scenarioRankingSchema,
  /** Profiles whose loads of a page over a link fall into groups, so that no middle describes them. */
  modes: v.array(scenarioModesSchema),
  control: v.optional(controlCheckSchema, () => undefined),
  recommendation: recommendationSchema,
  /** Pages over links without a usable load of a profile, lost for causes that have nothing to do with load times; absent: none. */
  setAside: v.exactOptional(v.array(setAsideSchema)),
  /** Where the pages came over several: the verdicts and the recommendation of each, and none over all. */
  protocols: v.exactOptional(v.array(protocolComparisonSchema)),
});
/** The result of `compareProfiles`: the comparison of `tune --json` and of a report. */
export type Comparison = Shape<typeof comparisonSchema>;

/** One load as the comparison needs it; `withCommonIdeal` gives it its efficiency, which may exceed 1. */
export interface ComparableLoad {
  readonly profileId: string;
  readonly page: string;
  readonly link: string;
  readonly block: number;
  readonly valid: boolean;
  /** Why a load is not valid: for a reason `unrelated` to how long it took, or not. Left out: it may be related. */
  readonly lostTo?: 'unrelated' | 'possibly-load-time';
  /** The HTTP version of its page, whatever the profile; absent: not known. */
  readonly protocol?: LoadProtocol | undefined;
  readonly efficiency: number | undefined;
  readonly loadTimeMs: number | undefined;
  /** First and largest contentful paint, from the start of the navigation; absent: not known. */
  readonly firstPaintMs?: number | undefined;
  readonly largestPaintMs?: number | undefined;
  /** The load was cut short: its load time is a lower bound, and its efficiency an upper one. */
  readonly atBound?: true;
  /** The order of its block was drawn by itself, not as the reverse of the block before (`block-order.ts`). */
  readonly drawnAlone?: true | undefined;
  /** The stretch of a trial in which the load was made: loads of one slot share its conditions. */
  readonly slot?: number | undefined;
}

/** A profile as the comparison needs it. */
export interface ComparedProfile {
  readonly id: string;
  readonly carrier: Carrier;
  readonly role: ProfileRole;
  /** Per server; left out: whatever this Firefox ships. */
  readonly connections?: number | undefined;
  readonly depth: number;
  /** What it sets, which decides its cost; left out: the connections alone. */
  readonly intended?: Readonly<Record<string, PreferenceValue>> | undefined;
}
