/** The load in the middle of several: with loss or jitter a single one says little. */
import { type PredictableProfile, type PredictOptions, predict } from './predict.ts';
import type { Prediction } from './prediction.ts';
import { SEGMENT_BYTES } from './wire.ts';

export interface TypicalPredictions {
  /** Loads simulated of each profile. */
  readonly runs: number;
  /** Of every profile, in their order, the load whose load time is the median. */
  readonly predictions: readonly Prediction[];
}

/** Several profiles over one page and link. */
export interface TypicalOptions extends PredictOptions {
  readonly profiles: readonly PredictableProfile[];
}

/** Without chance one load says all; with it, so many that about a million packets are simulated (a second or two), within bounds. */
const PACKETS = 1_000_000;
/** Odd, so that there is one in the middle. */
const FEWEST_RUNS = 5;
const MOST_RUNS = 51;
const SEEDS = 2 ** 32;

/** @throws PlumbfoxError `bad-input` as `predict` does. */
export function predictTypical(options: TypicalOptions): TypicalPredictions {
  const runs = runsFor(options);
  if (runs === 1) return { runs, predictions: predict(options) };
  // One profile after the other: the timelines of all loads at once would be many.
  return { runs, predictions: options.profiles.map((profile) => middleOf(profile, options, runs)) };
}

function middleOf(profile: PredictableProfile, options: TypicalOptions, runs: number): Prediction {
  const { seed = 0 } = options;
  const loads = Array.from({ length: runs }, (_, run) => predict({ ...options, profiles: [profile], seed: (seed + run) % SEEDS })).flat();
  const middle = loads.sort((a, b) => a.loadTimeMs - b.loadTimeMs)[(runs - 1) / 2];
  if (middle === undefined) throw new RangeError('A prediction is missing');
  return middle;
}

/** 1 where nothing is left to chance. Depends on page, link and number of profiles alone. */
export function runsFor({ page, link, profiles }: Pick<TypicalOptions, 'page' | 'link' | 'profiles'>): number {
  const { lossDown = 0, lossUp = 0, jitterMs = 0 } = link;
  if (lossDown === 0 && lossUp === 0 && jitterMs === 0) return 1;
  const packets = page.requests.reduce((sum, { bytes }) => sum + 1 + Math.ceil(bytes / SEGMENT_BYTES), 0);
  const affordable = Math.floor(PACKETS / Math.max(1, packets * profiles.length));
  const runs = Math.min(MOST_RUNS, Math.max(FEWEST_RUNS, affordable));
  return runs % 2 === 1 ? runs : runs - 1;
}
