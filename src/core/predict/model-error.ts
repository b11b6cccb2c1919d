/** How far the simulator was from real loads, when it was last held against them. Written by `npm run accuracy -- --write`. */
import type { Carriage, LossKind, Prediction } from '../simulate/prediction.ts';

/** How far predictions of one kind were off; shares: 0.05 is 5 %. Every source of loads counts the same. */
export interface PredictionError {
  /** Pairs of prediction and measurement. */
  readonly pairs: number;
  /** Absolute error as a share of the measured figure: half of the predictions are closer. */
  readonly errorP50: number;
  /** The same; nine of ten predictions are closer. */
  readonly errorP90: number;
  /** In nine of ten cases what was measured lies within the band of the simulated loads, widened by this share at either end. */
  readonly bandMargin: number;
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
  /** Published loads that it rests on, by folder. */
  readonly sources: readonly string[];
}

/** The error of predictions of one or several regimes: of several the largest. */
export interface ModelError extends Omit<PredictionError, 'pairs'> {
  /** Absent: never measured. */
  readonly ratio?: Omit<PredictionError, 'pairs'>;
  /** What it was held against, in a few words. */
  readonly basis: string;
}

/**
 * A prediction for no machine in particular, as every user is shown it (`predictTypical`), against every published load that can be requested of it.
 */
export const ERROR_BASIS =
  '2692 loads of 167 pages over links in Firefox 153.7.0 (8 published sets, each counting the same; docs/accuracy.md)';

/** A regime that is not here was not measured, or by fewer than five pairs. */
export const REGIME_ERRORS: readonly RegimeError[] = [
  {
    carriage: 'http/1.1',
    loss: 'none',
    loadTime: { pairs: 218, errorP50: 0.0394, errorP90: 0.1316, bandMargin: 0.1263 },
    ratio: { pairs: 97, errorP50: 0.0211, errorP90: 0.0698, bandMargin: 0.0741 },
    sources: [
      'docs/results/fennec-2008',
      'docs/results/fennec-2008-dispatch',
      'docs/results/modern-defaults',
      'docs/results/pipelining-10x150k',
      'docs/results/read-size',
      'test/corpus',
      'test/corpus-cubic',
    ],
  },
  {
    carriage: 'http/1.1',
    loss: 'queue',
    loadTime: { pairs: 33, errorP50: 0.0796, errorP90: 0.3463, bandMargin: 0.4945 },
    ratio: { pairs: 12, errorP50: 0.0651, errorP90: 0.145, bandMargin: 0.1445 },
    sources: [
      'docs/results/fennec-2008',
      'docs/results/fennec-2008-dispatch',
      'docs/results/h2-large-objects',
      'test/corpus',
      'test/corpus-cubic',
    ],
  },
  {
    carriage: 'http/1.1',
    loss: 'chance',
    loadTime: { pairs: 14, errorP50: 0.1146, errorP90: 0.3789, bandMargin: 0 },
    ratio: { pairs: 12, errorP50: 0.1345, errorP90: 0.4257, bandMargin: 0 },
    sources: ['docs/results/modern-defaults'],
  },
  {
    carriage: 'gateway',
    loss: 'none',
    loadTime: { pairs: 891, errorP50: 0.0342, errorP90: 0.114, bandMargin: 0.1012 },
    ratio: { pairs: 846, errorP50: 0.0201, errorP90: 0.1103, bandMargin: 0.1074 },
    sources: [
      'docs/results/fennec-2008',
      'docs/results/fennec-2008-dispatch',
      'docs/results/pipelining-10x150k',
      'test/corpus',
      'test/corpus-cubic',
    ],
  },
  {
    carriage: 'gateway',
    loss: 'queue',
    loadTime: { pairs: 155, errorP50: 0.0506, errorP90: 0.1691, bandMargin: 0.1537 },
    ratio: { pairs: 200, errorP50: 0.1181, errorP90: 0.354, bandMargin: 0.5086 },
    sources: ['docs/results/fennec-2008', 'docs/results/fennec-2008-dispatch', 'test/corpus', 'test/corpus-cubic'],
  },
  {
    carriage: 'http/2',
    loss: 'none',
    loadTime: { pairs: 16, errorP50: 0.0853, errorP90: 0.1704, bandMargin: 0.1796 },
    sources: ['docs/results/h2-large-objects', 'docs/results/modern-defaults'],
  },
  {
    carriage: 'http/3',
    loss: 'none',
    loadTime: { pairs: 6, errorP50: 0.0851, errorP90: 0.3023, bandMargin: 0.2855 },
    sources: ['docs/results/modern-defaults'],
  },
];

/** The errors of each way in which requests were carried. */
export const regimesOf = ({ carriages, loss }: Pick<Prediction, 'carriages' | 'loss'>): readonly Regime[] =>
  carriages.map((carriage) => ({ carriage, loss }));

/** Every regime of these predictions, each once. */
export const regimesOfAll = (predictions: readonly Prediction[]): readonly Regime[] => [
  ...new Map(predictions.flatMap(regimesOf).map((regime) => [`${regime.carriage} ${regime.loss}`, regime])).values(),
];

const SEVERITY = { none: 0, queue: 1, chance: 2 } as const satisfies Record<LossKind, number>;

export interface RatioAsked {
  /** Predictions that the ratios are to, in the same order. */
  readonly baseline: readonly Prediction[];
  /** Whether the profile changes nothing of HTTP/2 and HTTP/3: on a page that has HTTP/1.1 too, the ratio is then of that. */
  readonly actsOnHttp1Alone: boolean;
}

/** The ratio of two loads has the losses of that which has more. */
function regimesOfRatio(own: Prediction, { baseline, actsOnHttp1Alone }: { baseline: Prediction | undefined; actsOnHttp1Alone: boolean }) {
  const loss = baseline !== undefined && SEVERITY[baseline.loss] > SEVERITY[own.loss] ? baseline.loss : own.loss;
  const http1 = own.carriages.filter((carriage) => carriage === 'http/1.1' || carriage === 'gateway');
  return regimesOf({ carriages: actsOnHttp1Alone && http1.length > 0 ? http1 : own.carriages, loss });
}

/**
 * The error of these predictions, by their regimes.
 * @param asked - For which ratios: then only the regimes that decide about those have to be measured; unless given, for the load times.
 * @returns `undefined` where one of their regimes was never measured.
 */
export function errorOf(predictions: readonly Prediction[], asked?: RatioAsked): ModelError | undefined {
  const { baseline, actsOnHttp1Alone } = asked ?? { baseline: predictions, actsOnHttp1Alone: true };
  const ratioRows = predictions.flatMap((own, at) => regimesOfRatio(own, { baseline: baseline[at], actsOnHttp1Alone })).map(rowOf);
  const rows = asked === undefined ? predictions.flatMap(regimesOf).map(rowOf) : ratioRows;
  const loadTime = largest(rows.map((row) => row?.loadTime));
  if (loadTime === undefined) return undefined;
  const ratio = largest(ratioRows.map((row) => row?.ratio));
  const labels = [...new Set(rows.flatMap((row) => (row === undefined ? [] : `${regimeLabel(row)}: ${row.loadTime.pairs} pairs`)))];
  return { ...loadTime, ...(ratio && { ratio }), basis: `${labels.join('; ')} out of ${ERROR_BASIS}` };
}

/** Regimes among these predictions of which no error was measured, in words. */
export const unmeasuredRegimes = (predictions: readonly Prediction[]): readonly string[] => [
  ...new Set(predictions.flatMap(regimesOf).flatMap((regime) => (rowOf(regime) === undefined ? regimeLabel(regime) : []))),
];

/** The measured errors of these predictions' regimes, in the order of the table. */
export function measuredRegimes(predictions: readonly Prediction[]): readonly RegimeError[] {
  const own = new Set(predictions.flatMap(regimesOf).map(rowOf));
  return REGIME_ERRORS.filter((row) => own.has(row));
}

const rowOf = ({ carriage, loss }: Regime): RegimeError | undefined =>
  REGIME_ERRORS.find((row) => row.carriage === carriage && row.loss === loss);

/** `undefined`: there are none, or one of them is not known. */
function largest(errors: readonly (PredictionError | undefined)[]): Omit<PredictionError, 'pairs'> | undefined {
  const known = errors.filter((error) => error !== undefined);
  if (known.length === 0 || known.length < errors.length) return undefined;
  const most = (figure: Exclude<keyof PredictionError, 'pairs'>) => Math.max(...known.map((error) => error[figure]));
  return { errorP50: most('errorP50'), errorP90: most('errorP90'), bandMargin: most('bandMargin') };
}

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
