/** What a ranking over scenarios says. */

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
