/** How far the simulator was from real loads, when it was last held against them. Written by `npm run accuracy -- --write`. */
import type { Carriage, LossKind, Prediction } from '../simulate/prediction.ts';
import { percent } from '../text/figures.ts';
import type { Band } from './run-band.ts';

/** How much the bands of simulated figures are widened at either end, shares; those of load times count by `timeScale`. */
export interface Margins {
  readonly below: number;
  readonly above: number;
}

/** How far predictions of one kind were off; shares: 0.05 is 5 %. */
export interface PredictionError extends Margins {
  /** Pairs of prediction and measurement. */
  readonly pairs: number;
  /** Absolute error as a share of the measured figure: half of the predictions are closer. */
  readonly errorP50: number;
  /** The same; nine of ten predictions are closer. */
  readonly errorP90: number;
  /** Share of bands that held what was measured, each source judged by margins of the others alone; absent: too few could be. */
  readonly held?: number;
}

/** The conditions that decide how far a prediction is off. */
export interface Regime {
  readonly carriage: Carriage;
  readonly loss: LossKind;
}

export interface RegimeError extends Regime {
  readonly loadTime: PredictionError;
  /** Error of the speed under one profile over that under Firefox's own settings; absent: too few were measured. */
  readonly ratio?: PredictionError;
  /** The same, where the profile paces requests in another way: gains are smaller than predicted. The gateway is never paced, so its are all in `ratio`. */
  readonly pacing?: PredictionError;
}

/** The error of load times of one or several regimes: of several the largest. */
export interface ModelError {
  readonly errorP50: number;
  readonly errorP90: number;
  /** Absent: bands of such load times are not known to hold. */
  readonly margins?: Margins;
  /** Margins of the ratios that were asked for; absent: their bands are not known to hold. */
  readonly ratio?: Margins;
  /** What it was held against, in a few words. */
  readonly basis: string;
}

/** Only bands of a regime that held at least this share of left-out loads are shown, and recommended by. */
export const MIN_HELD = 0.85;

/**
 * A prediction for no machine in particular, as every user is shown it (`predictTypical`), against every published load that can be requested of it.
 */
export const ERROR_BASIS =
  '5032 loads of 205 pages over links in Firefox 153.7.0 (12 published sets, each counting the same; docs/accuracy.md)';

/** A regime that is not here was not measured, or by fewer than five pairs. */
export const REGIME_ERRORS: readonly RegimeError[] = [
  {
    carriage: 'http/1.1',
    loss: 'none',
    loadTime: { pairs: 336, errorP50: 0.0552, errorP90: 0.2142, below: 0.0045, above: 0.1917, held: 0.9012 },
    ratio: { pairs: 137, errorP50: 0.0239, errorP90: 0.0886, below: 0.112, above: 0.1271, held: 0.9018 },
    pacing: { pairs: 53, errorP50: 0.0807, errorP90: 0.2878, below: 0.3736, above: 0.1253, held: 0.8679 },
  },
  {
    carriage: 'http/1.1',
    loss: 'queue',
    loadTime: { pairs: 33, errorP50: 0.1303, errorP90: 0.3515, below: 0.0586, above: 0.6019, held: 0.9394 },
    ratio: { pairs: 12, errorP50: 0.0651, errorP90: 0.1209, below: 0, above: 0.1445 },
  },
  {
    carriage: 'http/1.1',
    loss: 'chance',
    loadTime: { pairs: 14, errorP50: 0.1146, errorP90: 0.3789, below: 0, above: 0.0184 },
    ratio: { pairs: 12, errorP50: 0.1345, errorP90: 0.4257, below: 0, above: 0 },
  },
  {
    carriage: 'gateway',
    loss: 'none',
    loadTime: { pairs: 891, errorP50: 0.0342, errorP90: 0.114, below: 0.0006, above: 0.1685, held: 0.8923 },
    ratio: { pairs: 831, errorP50: 0.0199, errorP90: 0.0956, below: 0.1292, above: 0.1251, held: 0.8877 },
  },
  {
    carriage: 'gateway',
    loss: 'queue',
    loadTime: { pairs: 155, errorP50: 0.0486, errorP90: 0.1962, below: 0.0278, above: 0.3462, held: 0.9282 },
    ratio: { pairs: 200, errorP50: 0.1181, errorP90: 0.3545, below: 0.2553, above: 0.584, held: 0.9713 },
  },
  {
    carriage: 'http/2',
    loss: 'none',
    loadTime: { pairs: 22, errorP50: 0.1225, errorP90: 0.3178, below: 0, above: 0.3011, held: 0.9545 },
  },
  {
    carriage: 'http/3',
    loss: 'none',
    loadTime: { pairs: 14, errorP50: 0.1569, errorP90: 0.4255, below: 0.2283, above: 0.2177 },
  },
];

/** The errors of each way in which requests were carried. */
export const regimesOf = ({ carriages, loss }: Pick<Prediction, 'carriages' | 'loss'>): readonly Regime[] =>
  carriages.map((carriage) => ({ carriage, loss }));

const SEVERITY = { none: 0, queue: 1, chance: 2 } as const satisfies Record<LossKind, number>;

export interface RatioAsked {
  /** Predictions that the ratios are to, in the same order. */
  readonly baseline: readonly Prediction[];
  /** Whether the profile changes nothing of HTTP/2 and HTTP/3: on a page that has HTTP/1.1 too, the ratio is then of that. */
  readonly actsOnHttp1Alone: boolean;
}

/** The ratio of two loads has the losses of that which has more. */
export const ratioRegimes = (predictions: readonly Prediction[], { baseline, actsOnHttp1Alone }: RatioAsked) =>
  predictions.flatMap((own, at) => {
    const other = baseline[at] ?? own;
    const loss = SEVERITY[other.loss] > SEVERITY[own.loss] ? other.loss : own.loss;
    const http1 = own.carriages.filter((carriage) => carriage === 'http/1.1' || carriage === 'gateway');
    const isPacedAlike = JSON.stringify(own.pacing) === JSON.stringify(other.pacing);
    const carriages = actsOnHttp1Alone && http1.length > 0 ? http1 : own.carriages;
    return carriages.map((carriage) => ({ carriage, loss, figure: isPacedAlike || carriage === 'gateway' ? 'ratio' : 'pacing' }) as const);
  });

/**
 * The error of these predictions, by their regimes.
 * @param asked - For which ratios: then only the regimes that decide about those have to be measured; unless given, for the load times.
 * @returns `undefined` where one of their regimes was never measured.
 */
export function errorOf(predictions: readonly Prediction[], asked?: RatioAsked): ModelError | undefined {
  const ratios = asked === undefined ? [] : ratioRegimes(predictions, asked);
  const rows = (asked === undefined ? predictions.flatMap(regimesOf) : ratios).map(rowOf);
  const known = rows.filter((row) => row !== undefined);
  if (known.length === 0 || known.length < rows.length) return undefined;
  const margins = largest(known.map(({ loadTime }) => loadTime));
  const ratio = largest(ratios.map((regime) => rowOf(regime)?.[regime.figure]));
  const labels = [...new Set(known.map((row) => `${regimeLabel(row)}: ${row.loadTime.pairs} pairs`))];
  return {
    errorP50: Math.max(...known.map(({ loadTime }) => loadTime.errorP50)),
    errorP90: Math.max(...known.map(({ loadTime }) => loadTime.errorP90)),
    ...(margins && { margins }),
    ...(ratio && { ratio }),
    basis: `${labels.join('; ')} out of ${ERROR_BASIS}`,
  };
}

/** `undefined`: there are none, or those of one are not known to hold. */
function largest(errors: readonly (PredictionError | undefined)[]): Margins | undefined {
  const holding = errors.filter((error) => error !== undefined).filter(({ held = 0 }) => held >= MIN_HELD);
  if (holding.length === 0 || holding.length < errors.length) return undefined;
  return { below: Math.max(...holding.map(({ below }) => below)), above: Math.max(...holding.map(({ above }) => above)) };
}

/** Margins count twice for a load of this length, and more for a shorter one: the machine's own work is most of it. Chosen with all sources in view. */
const MACHINE_MS = 1000;
export const timeScale = (ms: number): number => 1 + MACHINE_MS / Math.max(1, ms);

export const widened = ({ low, high }: Band, { below, above }: Margins, scale = 1): Band => ({
  low: low / (1 + below * scale),
  high: high * (1 + above * scale),
});

/** Regimes among these predictions of which no error was measured, in words. */
export const unmeasuredRegimes = (predictions: readonly Prediction[]): readonly string[] => [
  ...new Set(predictions.flatMap(regimesOf).flatMap((regime) => (rowOf(regime) === undefined ? regimeLabel(regime) : []))),
];

/** What is known of the regimes of these ratios whose bands are not known to hold, in words. */
export const unprovenRatios = (predictions: readonly Prediction[], asked: RatioAsked): readonly string[] => [
  ...new Set(
    ratioRegimes(predictions, asked).flatMap((regime) => {
      const error = rowOf(regime)?.[regime.figure];
      if ((error?.held ?? 0) >= MIN_HELD) return [];
      const label = `${regimeLabel(regime)}${regime.figure === 'pacing' ? ', pacing changed' : ''}`;
      if (error?.held !== undefined) return [`${label}, where ${percent(error.held)} held`];
      return [`${label}, where ${error === undefined ? 'too few were measured' : `${error.pairs} were measured`}`];
    }),
  ),
];

/** The measured errors of these predictions' regimes, in the order of the table. */
export function measuredRegimes(predictions: readonly Prediction[]): readonly RegimeError[] {
  const own = new Set(predictions.flatMap(regimesOf).map(rowOf));
  return REGIME_ERRORS.filter((row) => own.has(row));
}

const rowOf = ({ carriage, loss }: Regime): RegimeError | undefined =>
  REGIME_ERRORS.find((row) => row.carriage === carriage && row.loss === loss);

const CARRIAGE_LABELS: Readonly<Record<Carriage, string>> = {
  'http/1.1': 'HTTP/1.1',
  gateway: 'HTTP/1.1 through the gateway',
  'http/2': 'HTTP/2',
  'http/3': 'HTTP/3',
};
const LOSS_LABELS: Readonly<Record<LossKind, string>> = {
  none: 'no packet lost',
  queue: 'packets lost in a full queue',
  chance: 'packets lost by chance',
};

/** `HTTP/1.1 through the gateway, packets lost in a full queue`. */
export const regimeLabel = ({ carriage, loss }: Regime): string => `${CARRIAGE_LABELS[carriage]}, ${LOSS_LABELS[loss]}`;
