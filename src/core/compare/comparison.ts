import type { ScenarioModes } from './modes.ts';

/** What a comparison of profiles says: the shape of `tune --json` and of the report's `comparison`. */
export type Verdict = 'better' | 'worse' | 'no-meaningful-difference' | 'need-more-loads' | 'baseline' | 'no-verdict';

export interface VersusBaseline {
  /** Efficiency against the baseline's, geometric mean over scenarios and blocks; 1 = no change. */
  readonly ratio: number | undefined;
  /** Bounds of the anytime-valid interval, adjusted for the number of profiles; `undefined`: not bounded yet. */
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly verdict: Verdict;
  /** The reason in plain words. */
  readonly reason: string;
  /** The profile compared with: the baseline, or the control where the gateway's own cost is above 3 %. */
  readonly against: string;
  /** Further loads per profile of this run after which half of such runs have a verdict, 0 once there is one; `undefined`: cannot be said. */
  readonly loadsNeeded: number | undefined;
  /** Likewise, enough for most runs, at most three times as many; `undefined` in older reports too. */
  readonly loadsNeededAtMost: number | undefined;
  /** Pairs of loads the ratio rests on (adjusted: blocks in which both profiles have loads), and in how many the profile did better. */
  readonly pairs: number;
  readonly pairsAhead: number;
  /** Smallest gain, as a share, that as many loads find with 80 % probability; `undefined`: the spread is not known yet. */
  readonly detectableChange: number | undefined;
  /** Two-sided p-value of no change: of Student's t where the loads are looked at once, else valid at every look. */
  readonly p: number | undefined;
}

/** One profile: its loads, its figures and its verdict against the baseline. */
export interface ProfileComparison {
  readonly id: string;
  readonly carrier: 'none' | 'gateway' | 'http2' | 'legacy';
  readonly role: 'baseline' | 'candidate' | 'control';
  readonly loads: number;
  readonly voidLoads: number;
  /** Geometric mean over scenarios. `low` and `high` are not known, see `summariseProfile`: what is compared has an interval. */
  readonly efficiency: { readonly estimate: number | undefined; readonly low: number | undefined; readonly high: number | undefined };
  /** Geometric mean over scenarios of the geometric mean in each; `median` is the name it has in reports. */
  readonly loadTimeMs: { readonly median: number | undefined };
  readonly versusBaseline: VersusBaseline;
}

/** One page over one link. `undefined`: no load of the profile there counts. */
export interface ScenarioComparison {
  readonly page: string;
  readonly link: string;
  readonly profiles: readonly {
    readonly id: string;
    readonly loads: number;
    readonly efficiencyMedian: number | undefined;
    readonly loadTimeMsMedian: number | undefined;
  }[];
}

/** `recommended`: one profile is separated from the baseline; `keep-baseline`: none is better; `need-more-loads`; `none`: checks failed or no loads. */
export type RecommendationState = 'recommended' | 'keep-baseline' | 'need-more-loads' | 'none';

/** `profileId` is `null` where no profile is named, in the states `need-more-loads` and `none`. The sentence stands by itself. */
export interface RecommendedProfile {
  readonly profileId: string | null;
  readonly state: RecommendationState;
  readonly sentence: string;
}

/** Connections to each server and requests outstanding on one connection, as the gateway takes them. */
export interface GatewaySettings {
  /** Absent: the gateway's own default. */
  readonly connections?: number;
  readonly depth: number;
}

/** The profile itself may need the gateway; `settingsAlone` is the best that needs none, and the only one that a file of preferences can hold. */
export interface Recommendation extends RecommendedProfile {
  /** What the gateway is to be started with; absent: what is recommended needs none. */
  readonly gateway?: GatewaySettings;
  readonly settingsAlone: RecommendedProfile;
}

/** The gateway's own cost: `c6-d1` through it against the baseline direct. */
export interface ControlCheck {
  readonly profileId: string;
  /** Efficiency of the control against the baseline. */
  readonly ratio: number | undefined;
  /** Above 3 % either way: gateway profiles are compared with the control. */
  readonly used: boolean;
  readonly sentence: string;
}

/**
 * `paired`: loads of one page over one link in one block; `adjusted`: all loads, with effects of page and block and the prediction
 * as covariate, blocks being the independent units.
 */
export type Estimate = 'paired' | 'adjusted';

/**
 * How often the loads may be looked at: at any time; once, at the number of loads that was planned; or at any time with most of alpha kept for the
 * planned end (`interval-rule.ts`).
 */
export type Looks = 'any' | 'once' | 'planned';

/** How the intervals were made. */
export interface ComparisonMethod {
  readonly estimate: Estimate;
  readonly looks: Looks;
  /** Chance, over all intervals and looks, that any of them misses the truth. */
  readonly alpha: number;
  /** Intervals that share it. */
  readonly intervals: number;
  /** Where most of alpha is spent, as the caller gave it: pairs (adjusted: blocks), or blocks of every scenario. Only where `looks` is `planned`. */
  readonly plannedPairs?: number;
  readonly plannedBlocks?: number;
}

/** The HTTP version of a page; `mixed`: of several, as on the real network, where each server has its own. */
export const LOAD_PROTOCOLS = ['http/1.1', 'http/2', 'http/3', 'mixed'] as const;
export type LoadProtocol = (typeof LOAD_PROTOCOLS)[number];

/** The loads of one protocol compared, where a comparison has several; `unknown`: of pages of which no load says. */
export interface ProtocolComparison extends Pick<Comparison, 'method' | 'profiles' | 'control' | 'recommendation'> {
  readonly protocol: LoadProtocol | 'unknown';
  readonly pages: readonly string[];
}

/** A page over a link that is left out of the comparisons of a profile, or of all where it is the baseline. */
export interface SetAside {
  readonly profileId: string;
  readonly page: string;
  readonly link: string;
}

/** The result of `compareProfiles`: the comparison of `tune --json` and of a report. */
export interface Comparison {
  readonly baseline: string;
  readonly method: ComparisonMethod;
  readonly profiles: readonly ProfileComparison[];
  readonly scenarios: readonly ScenarioComparison[];
  /** Places of the profiles within the scenarios; it describes, the verdicts prove. */
  readonly ranking: ScenarioRanking;
  /** Profiles whose loads of a page over a link fall into groups, so that no middle describes them. */
  readonly modes: readonly ScenarioModes[];
  readonly control: ControlCheck | undefined;
  readonly recommendation: Recommendation;
  /** Pages over links without a usable load of a profile, lost for causes that have nothing to do with load times; absent: none. */
  readonly setAside?: readonly SetAside[];
  /** Where the pages came over several: the verdicts and the recommendation of each, and none over all. */
  readonly protocols?: readonly ProtocolComparison[];
}

/** One load as the comparison needs it; `withCommonIdeal` gives it its efficiency, which may exceed 1. */
export interface ComparableLoad {
  readonly profileId: string;
  readonly page: string;
  readonly link: string;
  readonly block: number;
  readonly valid: boolean;
  /** Of a load that is not valid, why: `unrelated` to how long it took, or not. Left out: it may be related. */
  readonly lostTo?: 'unrelated' | 'possibly-load-time';
  /** Of its page, whatever the profile; left out: not known. */
  readonly protocol?: LoadProtocol | undefined;
  readonly efficiency: number | undefined;
  readonly loadTimeMs: number | undefined;
  /** The load was cut short: its load time is a lower bound, and its efficiency an upper one. */
  readonly atBound?: true;
  /** The stretch of a trial in which the load was made: loads of one slot share its conditions. */
  readonly slot?: number | undefined;
  /**
   * Efficiency that was predicted for this load under the baseline, known without its outcome; > 0. Any factor common to all
   * predictions is without effect.
   */
  readonly prediction?: number | undefined;
}

/** What the comparison needs to know of a profile. */
export interface ComparedProfile {
  readonly id: string;
  readonly carrier: ProfileComparison['carrier'];
  readonly role: ProfileComparison['role'];
  /** Per server; left out: whatever this Firefox ships. */
  readonly connections?: number | undefined;
  readonly depth: number;
}

/** A profile's places in a ranking over scenarios. */
export interface ProfileRanks {
  readonly id: string;
  /** Scenarios in which it has a figure, so that it has a place there. */
  readonly ranked: number;
  /** Scenarios in which nobody was better. */
  readonly firsts: number;
  /** Scenarios in which it has one of the top-quartile slots. */
  readonly topQuartile: number;
  /** Scenarios in which nobody was worse and somebody was better. */
  readonly lasts: number;
  /** Arithmetic mean of its efficiency over the scenarios in which it has a place, in (0, 1]. */
  readonly meanEfficiency: number | undefined;
}

/** The result of `rankScenarios`: how often each profile was first, or among the best, in a scenario. */
export interface ScenarioRanking {
  readonly baseline: string;
  /** Scenarios in which at least two profiles have a figure; only these are counted. */
  readonly scenarios: number;
  /** Top-quartile slots in all: the sum over scenarios of ceil(n / 4), n profiles having a place there. */
  readonly slots: number;
  /** Most often in the top quartile first; then most firsts, then the higher mean efficiency, then the cheaper. */
  readonly profiles: readonly ProfileRanks[];
  /** Efficiency of the best less that of the worst, averaged over scenarios, in [0, 1). */
  readonly meanSpread: number | undefined;
  /** Mean efficiency of the baseline over the scenarios in which it has a place. */
  readonly baselineEfficiency: number | undefined;
  /** By how much the best of each scenario beats the baseline: difference of their means over that of the baseline; 0.58 is 58 %. */
  readonly gain: number | undefined;
}
