/** How far the simulator was from real loads, when it was last held against them. Written by `npm run accuracy -- --write`. */
import { parseProfileId } from '../profiles/profile-id.ts';
import type { Prediction } from './prediction.ts';

export interface ModelError {
  /** Absolute error of the load time as a share of the measured one, where nothing is known of the machine: half of the predictions are closer. 0.05 is 5 %. */
  readonly errorP50: number;
  /** The same; nine of ten predictions are closer. */
  readonly errorP90: number;
  /** What it was held against, in a few words. */
  readonly basis: string;
}

/** `undefined`: not measured yet. */
export const MODEL_ERROR: ModelError | undefined = {
  errorP50: 0.0357,
  errorP90: 0.1584,
  basis:
    '336 loads of 14 scenarios (7 pages, 8 links) in Firefox 153.7.0, not used in calibration; 1.3 % and 7.0 % where the work of the machine itself is known',
};

/** What decides how far a prediction is off. */
export interface Regime {
  /** Of requests to HTTP/1.1 servers: `gateway`: several on a connection. HTTP/2 and HTTP/3 were never held against real loads. */
  readonly carrier: 'none' | 'gateway';
  /** Whether the simulated load lost packets, in a full queue or by chance. */
  readonly loss: 'none' | 'some';
  /** Whether what the machine itself adds was told to the simulator. */
  readonly machine: 'known' | 'unknown';
}

/** As in `ModelError`; `pairs` of prediction and measurement. */
export interface RegimeError extends Regime {
  readonly pairs: number;
  readonly errorP50: number;
  readonly errorP90: number;
}

/** Of the reporting half of the corpus: HTTP/1.1 without TLS. */
export const REGIME_ERRORS: readonly RegimeError[] = [
  { carrier: 'gateway', loss: 'none', machine: 'known', pairs: 38, errorP50: 0.0124, errorP90: 0.0537 },
  { carrier: 'gateway', loss: 'some', machine: 'known', pairs: 4, errorP50: 0.1122, errorP90: 0.1494 },
  { carrier: 'none', loss: 'none', machine: 'known', pairs: 37, errorP50: 0.0143, errorP90: 0.0637 },
  { carrier: 'none', loss: 'some', machine: 'known', pairs: 5, errorP50: 0.0099, errorP90: 0.0332 },
  { carrier: 'gateway', loss: 'none', machine: 'unknown', pairs: 37, errorP50: 0.0297, errorP90: 0.1779 },
  { carrier: 'gateway', loss: 'some', machine: 'unknown', pairs: 5, errorP50: 0.1075, errorP90: 0.161 },
  { carrier: 'none', loss: 'none', machine: 'unknown', pairs: 37, errorP50: 0.0336, errorP90: 0.0884 },
  { carrier: 'none', loss: 'some', machine: 'unknown', pairs: 5, errorP50: 0.0357, errorP90: 0.0782 },
];

/** Of a prediction for no machine in particular. */
export const regimeOf = ({ profileId, retransmissions }: Pick<Prediction, 'profileId' | 'retransmissions'>): Regime => ({
  carrier: (parseProfileId(profileId)?.depth ?? 1) > 1 ? 'gateway' : 'none',
  loss: retransmissions > 0 ? 'some' : 'none',
  machine: 'unknown',
});

/** The error of the worst regime among these predictions, for no machine in particular; all of them together where none is in the table. */
export function errorOfRegimes(predictions: readonly Prediction[]): ModelError | undefined {
  const regimes = predictions.map(regimeOf);
  const own = REGIME_ERRORS.filter((row) => regimes.some((regime) => isSame(regime, row)));
  const worst = own.reduce<RegimeError | undefined>(
    (most, row) => (most === undefined || row.errorP90 > most.errorP90 ? row : most),
    undefined,
  );
  if (worst === undefined || MODEL_ERROR === undefined) return MODEL_ERROR;
  return {
    errorP50: worst.errorP50,
    errorP90: worst.errorP90,
    basis: `${regimeLabel(worst)}: ${worst.pairs} pairs of prediction and measurement out of ${MODEL_ERROR.basis}`,
  };
}

const isSame = (a: Regime, b: Regime): boolean => a.carrier === b.carrier && a.loss === b.loss && a.machine === b.machine;

/** `HTTP/1.1 through the gateway, packets lost`. */
export const regimeLabel = ({ carrier, loss }: Pick<Regime, 'carrier' | 'loss'>): string =>
  `HTTP/1.1${carrier === 'gateway' ? ' through the gateway' : ''}, ${loss === 'some' ? 'packets lost' : 'no packet lost'}`;
