/**
 * The output of `tune --json`: the command's contract, as docs/tune-json.md shows it (`node src/tools/doc-tables.mjs`). Every member is always there.
 * What is not known, or does not apply, is `null`, never 0 and never absent. The members keep their meaning; others may be added.
 */

export interface TuneDocument {
  /** One per profile, baseline first. */
  readonly profiles: readonly TunedProfile[];
  readonly method: {
    /** `paired`: loads of one page, link and block; `adjusted`: everyday loads, with effects of page and block taken out. */
    readonly estimate: 'paired' | 'adjusted';
    /** At any time; once; at any time with most of alpha kept for the planned end. */
    readonly looks: 'any' | 'once' | 'planned';
    /** Shared by so many `intervals`; those of common effects are not among them, and share as much again. */
    readonly alpha: number;
    readonly intervals: number;
  };
  /** One per page and link. */
  readonly scenarios: readonly {
    readonly page: string;
    readonly link: string;
    readonly profiles: readonly {
      readonly id: string;
      readonly loads: number;
      readonly efficiencyMedian: number | null;
      readonly loadTimeMsMedian: number | null;
    }[];
  }[];
  readonly links: readonly {
    readonly name: string;
    readonly kind: 'packet' | 'relay' | 'real';
    /** `tune` prints the first two. */
    readonly basis: 'configured' | 'estimated' | 'measured';
    /** `null` on the real network; what else the link has follows. */
    readonly asked: {
      readonly rttMs: number;
      readonly downKbps: number;
      readonly upKbps: number | null;
      readonly queue: number | null;
    } | null;
    readonly measured: { readonly rttMs: number; readonly downKbps: number } | null;
  }[];
  /** Loads of a profile that fall into groups, in ms. */
  readonly modes: readonly {
    readonly profileId: string;
    readonly page: string;
    readonly link: string;
    readonly peaks: readonly { readonly at: number; readonly share: number; readonly low: number; readonly high: number }[];
    readonly separation: number;
  }[];
  /** Places within the scenarios; they pick nothing. */
  readonly ranking: {
    readonly scenarios: number;
    /** Top-quartile places that there were. */
    readonly slots: number;
    readonly profiles: readonly {
      readonly id: string;
      readonly ranked: number;
      readonly firsts: number;
      readonly topQuartile: number;
      readonly lasts: number;
      /** Arithmetic mean of the medians that are ranked, not the efficiency of `profiles`. */
      readonly meanEfficiency: number | null;
    }[];
    readonly meanSpread: number | null;
    readonly baselineEfficiency: number | null;
    readonly gain: number | null;
    readonly pick: { readonly state: 'none'; readonly profileId: null; readonly by: null; readonly best: null; readonly reason: string };
  };
  /** The gateway's own cost; `null` without a control. */
  readonly control: TunedControl | null;
  readonly recommendation: TunedRecommendation;
  /**
   * A page over a link without a load of that profile that counts, for causes that have nothing to do with load times. The verdicts rest on
   * the others.
   */
  readonly setAside: readonly { readonly profileId: string; readonly page: string; readonly link: string }[];
  /** One for each protocol where the pages came over several, else empty. The verdicts above are then `no-verdict`: protocols are never pooled. */
  readonly protocols: readonly {
    readonly protocol: 'http/1.1' | 'http/2' | 'http/3' | 'mixed' | 'unknown';
    readonly pages: readonly string[];
    readonly method: TuneDocument['method'];
    readonly profiles: readonly TunedProfile[];
    readonly control: TunedControl | null;
    readonly recommendation: TunedRecommendation;
  }[];
  /** `null` without `--search`. The other members are of all loads of its race. */
  readonly search: SearchDocument | null;
  /** Absolute paths; `null`: not written, as `policies` and `userJs` where nothing is proven by settings without the gateway. */
  readonly files: {
    readonly report: string | null;
    readonly html: string | null;
    readonly policies: string | null;
    readonly userJs: string | null;
    readonly loads: string | null;
  };
  readonly seed: number | null;
  readonly firefox: { readonly version: string; readonly buildId: string | null; readonly channel: string | null } | null;
  /** `tune` prints the first two. */
  readonly applier: 'experiment-api' | 'driver' | 'policy' | 'helper' | 'gateway' | 'manual' | null;
  /** What a reader must know, in sentences. */
  readonly notes: readonly string[];
}

/** A search and its answer. Ratios are speeds over Firefox's own settings; 1.25 is 25 % faster. */
export interface SearchDocument {
  readonly state: 'faster' | 'nothing-beats' | 'undecided' | 'no-verdict' | 'interrupted';
  /** Why nothing beats Firefox's own settings; `null` in other states. */
  readonly because: 'out-of-reach' | 'none-predicted' | 'none-ahead' | 'not-proven' | null;
  readonly sentences: readonly string[];
  /** The fastest that is confirmed, and the cheapest that is not surely 3 % slower, which is what the files set; `null` unless `faster`. */
  readonly best: SearchedSettings | null;
  readonly cheapest: SearchedSettings | null;
  /** `cheapest` is within 3 % of the best of so many, for sure; `null`: that is not shown. */
  readonly bestOf: number | null;
  /** What came closest, where nothing is confirmed. */
  readonly closest: SearchedSettings | null;
  /**
   * Where nothing beats Firefox's own settings: the speed over them up to which the intervals of measured settings reach (where none was measured,
   * the bands of predicted ones), and the gain, as a share, below which one might not have shown.
   */
  readonly highest: number | null;
  readonly unseenBelow: number | null;
  /** Settings that were to be measured and have no load that counts. */
  readonly notMeasured: readonly string[];
  /** Speed of the best over the same settings without one preference. */
  readonly contributions: readonly {
    readonly preference: string;
    readonly value: number | boolean | string;
    readonly predicted: number | null;
    readonly measured: { readonly ratio: number; readonly low: number | null; readonly high: number | null; readonly pairs: number } | null;
  }[];
  readonly screening: {
    readonly combinations: number;
    readonly simulatedLoads: number;
    /** Combinations that gain 3 % or more by the whole band of their prediction, and by its middle alone. */
    readonly supported: number;
    readonly possible: number;
    readonly knobs: readonly { readonly preference: string; readonly values: readonly (number | boolean | string)[] }[];
    /** No request of these pages reads them. */
    readonly outOfReach: readonly string[];
    readonly shortlist: readonly {
      readonly profileId: string;
      /** `curious`: it is not modelled. */
      readonly why: 'predicted' | 'curious';
      readonly predicted: { readonly ratio: number; readonly low: number | null; readonly high: number | null } | null;
    }[];
  };
  readonly steps: readonly {
    readonly kind: 'race' | 'contributions';
    readonly blocks: number;
    readonly loads: number;
    readonly arms: readonly {
      readonly profileId: string;
      readonly ratio: number | null;
      readonly outcome: 'kept' | 'behind' | 'worse' | 'same' | 'cannot-win' | 'no-loads' | 'not-measured';
    }[];
  }[];
  readonly tookS: number;
}

/** Settings with their figures on the loads that were to confirm them. */
export interface SearchedSettings {
  readonly profileId: string;
  readonly settings: Readonly<Record<string, number | boolean | string>>;
  readonly ratio: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly pairs: number;
  readonly blocks: number;
  readonly loadTimeMs: number | null;
  readonly baselineMs: number | null;
}

export interface TunedProfile {
  readonly id: string;
  readonly carrier: 'none' | 'gateway' | 'http2' | 'legacy';
  readonly role: 'baseline' | 'candidate' | 'control';
  /** Loads that count, and those that are excluded. */
  readonly loads: number;
  readonly voidLoads: number;
  /** Geometric mean over scenarios. `low` and `high` are `null`: no interval from a few loads of one profile holds. */
  readonly efficiency: { readonly estimate: number | null; readonly low: number | null; readonly high: number | null };
  /** In spite of its name the geometric mean over scenarios, ms. */
  readonly loadTimeMs: { readonly median: number | null };
  /** What ended its turns before those of others; `null`: nothing did. */
  readonly dropped: { readonly because: 'worse' | 'same' | 'cannot-win' | 'behind'; readonly afterBlocks: number } | null;
  readonly versusBaseline: {
    readonly ratio: number | null;
    readonly low: number | null;
    readonly high: number | null;
    readonly verdict: 'better' | 'worse' | 'no-meaningful-difference' | 'need-more-loads' | 'baseline' | 'no-verdict';
    /** The verdict in words. */
    readonly reason: string;
    /** What was compared with. */
    readonly against: string;
    /** Per profile, for this run continued; 0 once there is a verdict. Half of such runs have it by then, most by `loadsNeededAtMost`. */
    readonly loadsNeeded: number | null;
    /** At most three times as many. */
    readonly loadsNeededAtMost: number | null;
    /** Pairs of loads (or blocks), and in how many the profile did better. */
    readonly pairs: number;
    readonly pairsAhead: number;
    /** Smallest gain, as a share, that as many loads find in four of five runs. */
    readonly detectableChange: number | null;
    /** p-value of no change, valid at every look unless `method.looks` is `once`. */
    readonly p: number | null;
    /**
     * Pages over links counted by how well their loads repeat, not equally; `withheld` where these differ detectably. `null`: not estimated.
     * Nothing is recommended by it.
     */
    readonly commonEffect:
      | {
          readonly state: 'estimated';
          readonly ratio: number;
          readonly low: number;
          readonly high: number;
          readonly verdict: 'better' | 'worse' | 'no-meaningful-difference' | 'need-more-loads';
          readonly scenarios: number;
        }
      | { readonly state: 'withheld'; readonly p: number }
      | null;
    /** First paint, and largest where it is another, compared as the load time is; above 1: sooner. Empty: no load has any. */
    readonly paints: readonly {
      readonly outcome: 'first-paint' | 'largest-paint';
      readonly ratio: number | null;
      readonly low: number | null;
      readonly high: number | null;
      readonly verdict: 'better' | 'worse' | 'no-meaningful-difference' | 'need-more-loads';
      readonly pairs: number;
    }[];
  };
}

export interface TunedControl {
  readonly profileId: string;
  readonly ratio: number | null;
  /** Gateway profiles are compared with the control: always, where its loads allow it. */
  readonly used: boolean;
  readonly sentence: string;
}

/** Whatever carries it; `profileId` is `null` in the states `need-more-loads` and `none`. */
export interface TunedRecommendation {
  readonly profileId: string | null;
  readonly state: 'recommended' | 'keep-baseline' | 'need-more-loads' | 'none';
  readonly sentence: string;
  /** The gain of what is recommended, allowing for its having been chosen, as no other figure does; `null`: nothing is, or it is not known. */
  readonly gain: { readonly ratio: number; readonly low: number; readonly high: number } | null;
  /** Every gain is shown to be smaller, as a share; `null` where that is not shown. */
  readonly within: number | null;
  /** The profile is within 3 % of the best of so many, for sure; `null`: that is not shown. */
  readonly bestOf: number | null;
  /** Further loads of each profile that may decide it; `null`: nothing is open, or it is not known. */
  readonly loadsNeeded: number | null;
  /** The gateway that it needs; `null`: it needs none. */
  readonly gateway: { readonly connections: number | null; readonly depth: number } | null;
  /** The best without the gateway; what `files.policies` and `files.userJs` set, in the state `recommended`. */
  readonly settingsAlone: {
    readonly profileId: string | null;
    readonly state: 'recommended' | 'keep-baseline' | 'need-more-loads' | 'none';
    readonly sentence: string;
    readonly gain: { readonly ratio: number; readonly low: number; readonly high: number } | null;
    readonly within: number | null;
    /** The profile is within 3 % of the best of so many, for sure; `null`: that is not shown. */
    readonly bestOf: number | null;
    readonly loadsNeeded: number | null;
  };
}
