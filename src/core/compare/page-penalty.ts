/**
 * How far the effects of pages are drawn towards each other: the variance of a load's noise over that of the pages (Henderson 1975, as `absorbEffects`
 * has it), by moments (Searle, Casella & McCulloch, "Variance Components" (1992), ch. 5). No profile is looked at: what is drawn for a block cannot
 * move it, so that the randomisation holds for whatever comes out.
 */
import { absorbEffects, type Factor, type Table } from '../stats/least-squares.ts';
import type { LoadColumns, PagePenalty } from './adjusted-fit.ts';

/** Fewer degrees of freedom say little of the noise: then the ratio that trials expect is taken. */
const MIN_DEGREES = 20;
/** The spread of loads is expected to be 0.35, that of pages 0.5, as in our simulations (test/calibration); pages are the same over every link. */
const EXPECTED: PagePenalty = { page: (0.35 / 0.5) ** 2, scenario: 1e3 };
/** Beyond these effects count as fixed, or as all the same. */
const MIN_PENALTY = 1e-3;
const MAX_PENALTY = 1e3;

/** Three variances from three sums of squares, without effects of scenarios, of pages, and of neither. */
export function pagePenalty(columns: LoadColumns): PagePenalty {
  const { count, page, scenario, link, block, logEfficiency: values } = columns;
  const noise = loadNoise(columns);
  if (noise === undefined) return EXPECTED;
  const within = squaresWithout(values, [page, link, block]) - noise * Math.max(1, count - page.count - block.count - link.count + 2);
  const scenarios = Math.max(0, within / freeOf(scenario, page));
  const between = squaresWithout(values, [link, block]) - noise * (count - block.count - link.count + 1);
  const pages = (between - scenarios * freeOf(scenario, block)) / freeOf(page, block);
  return { page: penaltyOf(noise / pages), scenario: penaltyOf(noise / scenarios) };
}

/** The variance of a load around its page over its link, and its block; `undefined`: too few loads to know. */
export function loadNoise({ count, scenario, block, logEfficiency }: LoadColumns): number | undefined {
  // Blocks and scenarios are joined by loads that have both; parts that share nothing would add a degree of freedom each.
  const degrees = count - scenario.count - block.count + 1;
  return degrees < MIN_DEGREES ? undefined : squaresWithout(logEfficiency, [scenario, block]) / degrees;
}

const penaltyOf = (ratio: number): number => (ratio > 0 ? Math.min(MAX_PENALTY, Math.max(MIN_PENALTY, ratio)) : MAX_PENALTY);

function squaresWithout(values: Float64Array, factors: readonly Factor[]): number {
  const table: Table = { values: Float64Array.from(values), width: 1 };
  absorbEffects(table, factors);
  return table.values.reduce((sum, value) => sum + value * value, 0);
}

/** What a factor's variance has in the squares within the levels of another: loads less, in each, the sum of squared counts over its loads. */
function freeOf(factor: Factor, within: Factor): number {
  const counts = new Map<number, number>();
  const sizes = new Float64Array(within.count);
  for (let row = 0; row < within.levels.length; row++) {
    const level = within.levels[row] as number;
    const key = level * factor.count + (factor.levels[row] as number);
    counts.set(key, (counts.get(key) ?? 0) + 1);
    sizes[level] = (sizes[level] as number) + 1;
  }
  let free = within.levels.length;
  for (const [key, size] of counts) free -= size ** 2 / (sizes[Math.floor(key / factor.count)] as number);
  return Math.max(1, free);
}
