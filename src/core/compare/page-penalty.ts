/**
 * How far the effects of pages are drawn towards each other: the variance of a load's noise over that of the pages (Henderson 1975, as `absorbEffects`
 * has it), by moments (Searle, Casella & McCulloch, "Variance Components" (1992), ch. 5). No profile is looked at: what is drawn for a block cannot
 * move it, so that the randomisation holds for whatever comes out.
 */
import { absorbEffects, type Factor, type Table } from '../stats/least-squares.ts';
import type { LoadColumns } from './adjusted-fit.ts';

/** Fewer degrees of freedom say little of the noise: then the ratio that trials expect is taken. */
const MIN_DEGREES = 20;
/** The spread of loads is expected to be 0.35, that of pages 0.5, as in our simulations (test/calibration). */
const EXPECTED_PENALTY = (0.35 / 0.5) ** 2;
/** Beyond these pages count as fixed, or as all the same. */
const MIN_PENALTY = 1e-3;
const MAX_PENALTY = 1e3;

/** @returns above 0, for `adjustedFit`. */
export function pagePenalty({ count, scenario, link, block, logEfficiency, logPrediction, predicted }: LoadColumns): number {
  const left = withoutPrediction({ values: logEfficiency, logPrediction, predicted }, [link, block]);
  const within = squaresWithout(left, [scenario, block]);
  const between = squaresWithout(left, [link, block]);
  // Blocks and scenarios are joined by loads that have both; parts that share nothing would add a degree of freedom each.
  const degrees = count - scenario.count - block.count + 1;
  if (degrees < MIN_DEGREES) return EXPECTED_PENALTY;
  const noise = within / degrees;
  const pages = (between - noise * (count - block.count - link.count + 1)) / freeOfBlocks(scenario, block);
  return Math.min(MAX_PENALTY, Math.max(MIN_PENALTY, pages > 0 ? noise / pages : MAX_PENALTY));
}

interface Outcome {
  readonly values: Float64Array;
  readonly logPrediction: Float64Array;
  readonly predicted: Float64Array;
}

/** The outcome less what a straight line over the prediction says of it, loads without one by themselves. */
function withoutPrediction({ values, logPrediction, predicted }: Outcome, factors: readonly Factor[]): Float64Array {
  if (!predicted.includes(1)) return values;
  const table: Table = { values: new Float64Array(values.length * 2), width: 2 };
  const own = Float64Array.from(values);
  // Without one, a load is taken to be as the others are on average.
  const known = predicted.reduce((sum, one) => sum + one, 0);
  const centre = logPrediction.reduce((sum, one) => sum + one, 0) / known;
  const filled = logPrediction.map((one, at) => (predicted[at] === 1 ? one - centre : 0));
  for (let row = 0; row < values.length; row++) {
    table.values[2 * row] = filled[row] as number;
    table.values[2 * row + 1] = values[row] as number;
  }
  absorbEffects(table, factors);
  let [products, squares] = [0, 0];
  for (let row = 0; row < values.length; row++) {
    products += (table.values[2 * row] as number) * (table.values[2 * row + 1] as number);
    squares += (table.values[2 * row] as number) ** 2;
  }
  const slope = squares > 0 ? products / squares : 0;
  return own.map((value, row) => value - slope * (filled[row] as number));
}

function squaresWithout(values: Float64Array, factors: readonly Factor[]): number {
  const table: Table = { values: Float64Array.from(values), width: 1 };
  absorbEffects(table, factors);
  return table.values.reduce((sum, value) => sum + value * value, 0);
}

/** What the pages' variance has in the squares within blocks: loads less, in each block, the sum of squared counts of its pages over its loads. */
function freeOfBlocks(scenario: Factor, block: Factor): number {
  const counts = new Map<number, number>();
  const sizes = new Float64Array(block.count);
  for (let row = 0; row < block.levels.length; row++) {
    const level = block.levels[row] as number;
    const key = level * scenario.count + (scenario.levels[row] as number);
    counts.set(key, (counts.get(key) ?? 0) + 1);
    sizes[level] = (sizes[level] as number) + 1;
  }
  let free = block.levels.length;
  for (const [key, size] of counts) free -= size ** 2 / (sizes[Math.floor(key / scenario.count)] as number);
  return Math.max(1, free);
}
