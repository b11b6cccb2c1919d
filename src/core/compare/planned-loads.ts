/** How many loads a comparison will take, worked out before the first of them. */
import { PlumbfoxError } from '../errors.ts';
import { sequentialTCritical } from '../stats/confidence-sequence.ts';
import { studentTQuantile } from '../stats/distributions.ts';
import type { Looks } from './comparison.ts';
import { POWER_Z } from './loads-needed.ts';
import { DEFAULT_ALPHA } from './thresholds.ts';

interface LoadPlanOptions {
  /** Intervals that share alpha; 1 for two profiles. */
  readonly intervals?: number;
  /** Standard deviation of ln efficiency of one load when page, link and block are allowed for; > 0. */
  readonly logSd: number;
  /** Change in efficiency to be found, as a share; 0.1 is 10 %, above -1 and not 0. */
  readonly change: number;
  readonly alpha?: number;
  readonly looks: Looks;
  /** Pairs between two looks, where there are many. Default: 1. */
  readonly pairsPerLook?: number;
  /** Absent: the loads of both profiles are of the same pages, in pairs. */
  readonly everyday?: EverydayLoads;
}

/** Loads of everyday browsing, analysed with effects of page and block (`adjustedFit`). */
interface EverydayLoads {
  readonly loadsPerSlot: number;
  /** Pages over links that are loaded again and again, each of which takes a load's worth to fit. */
  readonly pages: number;
}

/** Loads per profile beyond which no user waits for the answer. Chosen, not measured. */
export const MAX_PLANNED_LOADS = 5_000;

/**
 * Loads of each profile with which the change is found in 80 % of comparisons. A load of one profile is set against one of the other, so a
 * pair's log ratio has variance 2 * logSd^2. Looked at once: the smallest n with (t + z) * sd / sqrt(n) <= |ln(1 + change)|, z = 0.84.
 * Looked at again and again: the smallest n by which the interval has excluded no change at some look with a chance of 80 %.
 *
 * Everyday loads are compared in blocks of m loads of each profile, so n counts blocks, of variance 2 * logSd^2 / m. Fitting S pages costs
 * more: profiles vary within blocks in 2mn - n directions, of which S are the pages' own, so it takes n + S / (2m - 1) blocks. By
 * simulation of 60 pages and 3 loads to a slot, 146 +- 6 loads of each profile are needed for 10 % at one look; this says 150.
 *
 * @throws PlumbfoxError bad-input for figures out of range, or when it takes more than 5,000 loads per profile.
 */
export function planLoads(options: LoadPlanOptions): { readonly loadsPerProfile: number } {
  checkOptions(options);
  const { intervals = 1, logSd, change, alpha = DEFAULT_ALPHA, looks, pairsPerLook = 1, everyday } = options;
  const { loadsPerSlot, pages } = everyday ?? { loadsPerSlot: 1, pages: 0 };
  const effect = (Math.abs(Math.log1p(change)) * Math.sqrt(loadsPerSlot)) / (logSd * Math.SQRT2);
  const level = alpha / intervals;
  const fitted = Math.ceil(pages / (2 * loadsPerSlot - 1));
  const inLoads = (pairs: number) => loadsPerSlot * (pairs + fitted);
  const fixed = within(fixedPairs(effect, level), change);
  if (looks === 'once') return { loadsPerProfile: inLoads(fixed) };
  // The best precision depends on the number of pairs, and that number hardly on the precision: two rounds settle it.
  let precision = precisionFor(fixed, level);
  let needed = within(sequentialPairs(effect, { level, precision, pairsPerLook }), change);
  precision = precisionFor(needed + fitted, level);
  needed = within(sequentialPairs(effect, { level, precision, pairsPerLook }), change);
  return { loadsPerProfile: inLoads(needed) };
}

function checkOptions({ intervals = 1, logSd, change, alpha = DEFAULT_ALPHA, pairsPerLook = 1, everyday }: LoadPlanOptions): void {
  const refused = (message: string) => new PlumbfoxError('bad-input', message);
  if (!(logSd > 0 && Number.isFinite(logSd))) throw refused(`The spread of a load must be positive, not ${logSd}`);
  if (!(change > -1 && change !== 0 && Number.isFinite(change))) throw refused(`A change to be found is above -1 and not 0, not ${change}`);
  if (!(alpha > 0 && alpha < 1)) throw refused(`alpha is a chance in (0, 1), not ${alpha}`);
  for (const [what, value] of Object.entries({ intervals, pairsPerLook, loadsPerSlot: everyday?.loadsPerSlot ?? 1 })) {
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

function fixedPairs(effect: number, alpha: number): number | undefined {
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

interface SequentialDesign {
  readonly level: number;
  readonly precision: number;
  readonly pairsPerLook: number;
}

function sequentialPairs(effect: number, { level, precision, pairsPerLook }: SequentialDesign): number | undefined {
  const isLook = (n: number) => n % pairsPerLook === 0;
  return crossingProbability({
    effect,
    boundary: (n) => (isLook(n) ? sequentialTCritical(level, { effectiveCount: n, degreesOfFreedom: n - 1, precision }) : undefined),
    probability: POWER,
    maxValues: MAX_PLANNED_LOADS,
  });
}

/**
 * 80 %, and two points for what the model leaves out: an estimated variance, and in a trial checks that a verdict waits for. Planned
 * for 80 %, 79.4 +- 1.8 % of 500 simulated trials were confirmed by then (test/calibration).
 */
const POWER = 0.82;

function within(pairs: number | undefined, change: number): number {
  if (pairs !== undefined) return pairs;
  throw new PlumbfoxError(
    'bad-input',
    `A change of ${change * 100} % would take more than ${MAX_PLANNED_LOADS} loads per profile: ask for a larger one`,
  );
}

/**
 * When a sum of normal values has crossed a boundary with a given chance: the recursion of Armitage, McPherson & Rowe, "Repeated significance
 * tests on accumulating data", J. R. Statist. Soc. A 132 (1969), on a grid.
 */
interface Crossing {
  /** Mean of a value over its standard deviation; > 0. */
  readonly effect: number;
  /** |sum| / sqrt(n) from which on the sum has crossed after n values; `undefined`: it cannot yet. */
  readonly boundary: (n: number) => number | undefined;
  readonly probability: number;
  readonly maxValues: number;
}

/** Points of the grid per standard deviation of a value: the chance is found to about 0.001. */
const POINTS_PER_SD = 6;
/** Steps beyond this many standard deviations are left out: their chance is 1e-7. */
const REACH_SD = 5.2;

/** The number of values by which the upper boundary has been crossed with that chance; `undefined`: not within `maxValues`. */
export function crossingProbability({ effect, boundary, probability, maxValues }: Crossing): number | undefined {
  const step = stepDensity(effect);
  let crossed = 0;
  let state: State = { from: 0, mass: Float64Array.of(1) };
  for (let n = 1; n <= maxValues; n++) {
    state = convolve(state, step);
    const limit = boundary(n);
    if (limit !== undefined) {
      const cut = cutAbove(state, limit * Math.sqrt(n) * POINTS_PER_SD);
      crossed += cut.above;
      state = cut.state;
    }
    if (crossed >= probability) return n;
  }
  return undefined;
}

/** Chance by grid point; the first point is `from`, in steps of 1 / POINTS_PER_SD standard deviations. */
interface State {
  readonly from: number;
  readonly mass: Float64Array;
}

/** A normal value rounded to the grid, its mean kept. */
function stepDensity(effect: number): State {
  const from = Math.floor((effect - REACH_SD) * POINTS_PER_SD);
  const to = Math.ceil((effect + REACH_SD) * POINTS_PER_SD);
  const mass = Float64Array.from({ length: to - from + 1 }, (_, at) => Math.exp(-(((from + at) / POINTS_PER_SD - effect) ** 2) / 2));
  const total = mass.reduce((sum, one) => sum + one, 0);
  return { from, mass: mass.map((one) => one / total) };
}

function convolve(state: State, step: State): State {
  const mass = new Float64Array(state.mass.length + step.mass.length - 1);
  for (let at = 0; at < state.mass.length; at++) {
    const own = state.mass[at] as number;
    for (let k = 0; k < step.mass.length; k++) mass[at + k] = (mass[at + k] as number) + own * (step.mass[k] as number);
  }
  return trimmed({ from: state.from + step.from, mass });
}

/** A point stands for all within half a step of it: the one at the boundary is divided. */
function cutAbove({ from, mass }: State, limit: number): { readonly above: number; readonly state: State } {
  const kept = mass.slice();
  let above = 0;
  for (let at = Math.max(0, Math.floor(limit - from)); at < mass.length; at++) {
    const share = Math.min(1, Math.max(0, from + at + 0.5 - limit));
    above += share * (mass[at] as number);
    kept[at] = (1 - share) * (mass[at] as number);
  }
  return { above, state: { from, mass: kept } };
}

/** Drops the ends that no longer matter. */
function trimmed({ from, mass }: State): State {
  let first = 0;
  while (first < mass.length - 1 && (mass[first] as number) < 1e-9) first += 1;
  let last = mass.length - 1;
  while (last > first && (mass[last] as number) < 1e-12) last -= 1;
  return { from: from + first, mass: mass.slice(first, last + 1) };
}
