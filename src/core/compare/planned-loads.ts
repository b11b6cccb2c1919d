/** How many loads a comparison will take, worked out before the first of them. */
import { PlumbfoxError } from '../errors.ts';
import { sequentialTCritical } from '../stats/confidence-sequence.ts';
import { studentTQuantile } from '../stats/distributions.ts';
import { POWER_Z } from './loads-needed.ts';
import { DEFAULT_ALPHA } from './thresholds.ts';

interface LoadPlanOptions {
  /** Intervals that share alpha; 1 for two profiles. */
  readonly intervals?: number;
  /** Standard deviation of ln efficiency of one load when page, link and block are allowed for; > 0. */
  readonly logSd: number;
  /** Change in efficiency to be found, as a share; 0.1 is 10 %, above -1 and not 0. */
  readonly change: number;
  /** The level of the look that decides. */
  readonly alpha?: number;
  /** Absent: the loads of both profiles are of the same pages, in pairs. */
  readonly everyday?: EverydayLoads;
}

/** Loads of everyday browsing, analysed with effects of page and block (`adjustedFit`). */
interface EverydayLoads {
  /** Loads of a profile between two draws: the independent units of the verdict. */
  readonly loadsPerDraw: number;
  /** Pages over links that are loaded again and again, each of which takes a load's worth to fit. */
  readonly pages: number;
}

/** Loads per profile beyond which no user waits for the answer. Chosen, not measured. */
const MAX_PLANNED_LOADS = 5_000;

/**
 * Loads of each profile with which the change is found in 80 % of comparisons. A load of one profile is set against one of the other, so a
 * pair's log ratio has variance 2 * logSd^2: the smallest n with (t + z) * sd / sqrt(n) <= |ln(1 + change)|, z = 0.84.
 *
 * Everyday loads are compared in draws of m loads of each profile, so n counts draws, of variance 2 * logSd^2 / m. Fitting S pages costs
 * more: profiles vary within draws in 2mn - n directions, of which S are the pages' own, so it takes n + S / (2m - 1) draws. By
 * simulation of 60 pages and 3 loads to a draw, 146 +- 6 loads of each profile are needed for 10 % at one look; this says 150.
 *
 * @throws PlumbfoxError bad-input for figures out of range, or when it takes more than 5,000 loads per profile.
 */
export function planLoads(options: LoadPlanOptions): { readonly loadsPerProfile: number } {
  checkOptions(options);
  const { intervals = 1, logSd, change, alpha = DEFAULT_ALPHA, everyday } = options;
  const { loadsPerDraw, pages } = everyday ?? { loadsPerDraw: 1, pages: 0 };
  const effect = (Math.abs(Math.log1p(change)) * Math.sqrt(loadsPerDraw)) / (logSd * Math.SQRT2);
  const pairs = pairsNeeded(effect, alpha / intervals);
  if (pairs === undefined) {
    const takes = `A change of ${change * 100} % would take more than ${MAX_PLANNED_LOADS} loads per profile`;
    throw new PlumbfoxError('bad-input', `${takes}: ask for a larger one`);
  }
  return { loadsPerProfile: loadsPerDraw * (pairs + Math.ceil(pages / (2 * loadsPerDraw - 1))) };
}

function checkOptions({ intervals = 1, logSd, change, alpha = DEFAULT_ALPHA, everyday }: LoadPlanOptions): void {
  const refused = (message: string) => new PlumbfoxError('bad-input', message);
  if (!(logSd > 0 && Number.isFinite(logSd))) throw refused(`The spread of a load must be positive, not ${logSd}`);
  if (!(change > -1 && change !== 0 && Number.isFinite(change))) throw refused(`A change to be found is above -1 and not 0, not ${change}`);
  if (!(alpha > 0 && alpha < 1)) throw refused(`alpha is a chance in (0, 1), not ${alpha}`);
  for (const [what, value] of Object.entries({ intervals, loadsPerDraw: everyday?.loadsPerDraw ?? 1 })) {
    if (!(value >= 1 && Number.isFinite(value))) throw refused(`${what} is 1 or more, not ${value}`);
  }
  if (everyday !== undefined && !(everyday.pages >= 0 && Number.isFinite(everyday.pages))) {
    throw refused(`Pages are counted from 0, not ${everyday.pages}`);
  }
}

/** The precision with which the anytime-valid interval is shortest at this number of pairs; any is valid. */
export function precisionFor(pairs: number, alpha: number): number {
  const widthAt = (logPrecision: number) =>
    sequentialTCritical(alpha, { effectiveCount: pairs, degreesOfFreedom: Math.max(1, pairs - 1), precision: Math.exp(logPrecision) }) ??
    Number.POSITIVE_INFINITY;
  // One minimum between 1/1000 and the number of pairs; found to 1 %, where the width no longer changes.
  let low = Math.log(1e-3);
  let high = Math.log(Math.max(1, pairs));
  while (high - low > 0.01) {
    const third = (high - low) / 3;
    if (widthAt(low + third) <= widthAt(high - third)) high -= third;
    else low += third;
  }
  return Math.exp((low + high) / 2);
}

/** @param effect the mean over the standard deviation of a pair. @returns `undefined`: more than 5,000. */
export function pairsNeeded(effect: number, alpha: number): number | undefined {
  const enough = (n: number) => studentTQuantile(1 - alpha / 2, n - 1) + POWER_Z <= effect * Math.sqrt(n);
  if (!enough(MAX_PLANNED_LOADS)) return undefined;
  let tooFew = 1;
  let sufficient = MAX_PLANNED_LOADS;
  while (sufficient - tooFew > 1) {
    const middle = Math.floor((tooFew + sufficient) / 2);
    if (enough(middle)) sufficient = middle;
    else tooFew = middle;
  }
  return sufficient;
}
