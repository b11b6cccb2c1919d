/**
 * The output of `predict --json`, as docs/predict.md shows it (`node src/tools/doc-tables.mjs`). Every member is always there; what is not known, or
 * does not apply, is `null`. The members keep their meaning; others may be added. Units are in the names; loss is a share, 0 to 1.
 */

export interface PredictDocument {
  /** The file as it was named. */
  readonly source: { readonly kind: 'har' | 'report' | 'recipe'; readonly file: string };
  /** `null`: there are several, see `scenarios`. */
  readonly link: PredictedLink | null;
  /** Figures of all pages together. */
  readonly page: PredictedPage;
  /** In the order of load time. */
  readonly profiles: readonly {
    readonly id: string;
    /** `none` or `gateway`. */
    readonly carrier: string;
    readonly loadTimeMs: number;
    readonly efficiency: number;
    /**
     * What is predicted. `unchanged`: every simulated load takes as long as with `firefox-default`. `not-modelled`: nothing, because the simulator has no
     * model of what acts; `cannot-act`: nothing, because no request uses a protocol that any of it acts on. Load time and efficiency are then those of
     * `firefox-default`. `short-round-trips`: nothing, because what goes through the gateway is not predicted over those.
     */
    readonly effect: 'predicted' | 'unchanged' | 'not-modelled' | 'cannot-act' | 'short-round-trips';
    /** Efficiency over that of `firefox-default`; `null` unless `effect` is `predicted`. */
    readonly ratio: number | null;
    /** Where measured figures should lie; `null`: such bands are not known to hold, or nothing is predicted. */
    readonly loadTimeBandMs: { readonly low: number; readonly high: number } | null;
    readonly ratioBand: { readonly low: number; readonly high: number } | null;
    readonly connections: number;
    readonly bound: PredictedBound;
    /** They sum to 1. */
    readonly boundShares: Readonly<Record<PredictedBound, number>>;
    /** Sites that the gateway meets for the first time, or knows; `null`: nothing goes through it. */
    readonly gateway: 'first-visit' | 'known-site' | null;
    /** Preferences that are not modelled, and those of a profile of which none can act on these pages. */
    readonly coverage: {
      readonly state: 'modelled' | 'in-part' | 'not-modelled' | 'cannot-act';
      readonly notModelled: readonly string[];
      readonly cannotAct: readonly string[];
    };
  }[];
  readonly recommendation: {
    /**
     * `keep`: none gains 3 %; `within-band`: the low end of the gain's bracket is a loss; `unproven`: such brackets are not known to hold;
     * `parts-from-record`: the simulation does not match the recording.
     */
    readonly state: 'try' | 'keep' | 'within-band' | 'unproven' | 'parts-from-record';
    /** `firefox-default` except for `try`. */
    readonly profileId: string;
    readonly sentence: string;
    /** The command that measures. */
    readonly measure: string;
  };
  /** Measured error of load times, as shares; of several regimes the largest; `null`: of one of them it was not measured. */
  readonly model: {
    readonly errorP50: number | null;
    readonly errorP90: number | null;
    readonly basis: string;
    /** Those of these predictions. */
    readonly regimes: readonly {
      readonly carriage: 'http/1.1' | 'gateway' | 'http/2' | 'http/3';
      readonly loss: string;
      readonly loadTime: RegimeErrorFigures;
      readonly ratio?: RegimeErrorFigures;
      /** The same where the profile paces requests in another way. */
      readonly pacing?: RegimeErrorFigures;
    }[];
    readonly unmeasured: readonly string[];
  };
  /** What was assumed, for how many requests, by which rule; `page` is `null` where it is of the link. */
  readonly inferred: readonly { readonly page: string | null; readonly field: string; readonly requests: number; readonly rule: string }[];
  /** Loads that the file holds (the median), beside their simulation over their own link. */
  readonly recorded: readonly RecordedDocument[];
  /** Requests in total, and those that the number of connections and the depth can act on. */
  readonly reach: { readonly requests: number; readonly byConnections: number; readonly byDepth: number };
  /** One per page and link. */
  readonly scenarios: readonly PredictedScenarioDocument[];
  /** What the recorded load of a page fetched more than once. */
  readonly duplicates: readonly DuplicatesDocument[];
  /** What a reader must know, in sentences. */
  readonly notes: readonly string[];
}

/** What took most of the time. */
type PredictedBound = 'bandwidth' | 'queue-wait' | 'round-trips' | 'loss' | 'server' | 'page';

/** `bytes`: of all responses, headers included. */
export interface PredictedPage {
  readonly requests: number;
  readonly origins: number;
  readonly bytes: number;
}

export interface PredictedLink {
  readonly name: string;
  /** `configured`: by the lab; `default`: the file shows none. */
  readonly basis: 'given' | 'configured' | 'estimated' | 'default';
  readonly rttMs: number;
  readonly downKbps: number;
  readonly upKbps: number;
  readonly lossDown: number;
  readonly lossUp: number;
  readonly queuePackets: number;
  readonly jitterMs: number;
  readonly initialWindow: number;
  readonly congestionControl: string;
}

/** Errors are shares. */
interface RegimeErrorFigures {
  readonly pairs: number;
  readonly errorP50: number;
  readonly errorP90: number;
  /** Bands are wider by these shares at either end. */
  readonly below: number;
  readonly above: number;
  /** Share of bands that held loads which they were not made from. */
  readonly held?: number;
}

export interface RecordedDocument {
  readonly page: string;
  readonly link: string | null;
  readonly profileId: string;
  readonly loads: number;
  readonly loadTimeMs: number;
  readonly simulatedMs: number | null;
  /** A share of the recorded time. */
  readonly difference: number | null;
  readonly state: 'agrees' | 'parts' | 'not-judged';
}

export interface PredictedScenarioDocument {
  readonly page: PredictedPage & { readonly name: string };
  readonly link: PredictedLink;
  /** Simulated loads of each profile; the figures are those of the load in the middle. */
  readonly runs: number;
  readonly profiles: readonly {
    readonly id: string;
    readonly loadTimeMs: number;
    readonly efficiency: number;
    readonly connections: number;
    readonly bound: PredictedBound;
    readonly retransmissions: number;
  }[];
}

/** The time that the duplicates take one after the other over each link: a round trip each, and the bytes at the link's rate. */
export interface DuplicatesDocument {
  readonly page: string;
  readonly requests: number;
  readonly roundTrips: number;
  readonly emptySources: number;
  readonly bytes: number | null;
  readonly links: readonly { readonly link: string; readonly ms: number | null }[];
}
