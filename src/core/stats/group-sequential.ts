/**
 * The levels of looks that were planned: group-sequential tests that spend alpha in O'Brien and Fleming's shape, little at first and most at the end
 * (O'Brien & Fleming, "A multiple testing procedure for clinical trials", Biometrics 35 (1979); as a spending function Lan & DeMets, "Discrete
 * sequential boundaries for clinical trials", Biometrika 70 (1983)). The chance to be beyond the boundary at some look is found by the recursion of
 * Armitage, McPherson & Rowe, "Repeated significance tests on accumulating data", J. R. Statist. Soc. A 132 (1969).
 */
import { normalQuantile, normalUpperTail } from './distributions.ts';

/** Alpha spent by this fraction of the planned values, in (0, 1], half of it on either side; all of it at 1. */
const obrienFlemingSpent = (fraction: number, alpha: number): number =>
  4 * normalUpperTail(normalQuantile(1 - alpha / 4) / Math.sqrt(fraction));

/** Points of the grid on which the density between two boundaries is kept: levels are then right to 1e-6. An odd number, for Simpson's rule. */
const POINTS = 201;

const known = new Map<string, readonly number[]>();

/**
 * Two-sided levels of the looks, for a normal statistic; with few values the same levels of Student's t hold nearly as well (Jennison & Turnbull,
 * "Group Sequential Methods" (2000), section 3.8).
 * @param fractions of the planned values at which the looks are, ascending, in (0, 1].
 */
export function lookLevels(fractions: readonly number[], alpha: number): readonly number[] {
  const key = `${alpha} ${fractions.join(' ')}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const levels = computedLevels(fractions, alpha);
  known.set(key, levels);
  return levels;
}

/** The sum of the values so far, where no look was beyond its boundary: points, and the chance of each. */
interface Inside {
  readonly at: Float64Array;
  readonly mass: Float64Array;
}

function computedLevels(fractions: readonly number[], alpha: number): readonly number[] {
  const levels: number[] = [];
  let inside: Inside = { at: Float64Array.of(0), mass: Float64Array.of(1) };
  let before = 0;
  let spent = 0;
  for (const fraction of fractions) {
    const step = Math.sqrt(fraction - before);
    const toSpend = obrienFlemingSpent(fraction, alpha) - spent;
    const bound = boundaryFor(inside, { step, toSpend, most: 12 * Math.sqrt(fraction) });
    levels.push(2 * normalUpperTail(bound / Math.sqrt(fraction)));
    inside = insideOf(inside, { step, bound });
    spent += toSpend;
    before = fraction;
  }
  return levels;
}

function boundaryFor(
  { at, mass }: Inside,
  { step, toSpend, most }: { readonly step: number; readonly toSpend: number; readonly most: number },
): number {
  const beyond = (bound: number) =>
    at.reduce(
      (sum, value, k) => sum + (mass[k] as number) * (normalUpperTail((bound - value) / step) + normalUpperTail((bound + value) / step)),
      0,
    );
  let [low, high] = [0, most];
  for (let halving = 0; halving < 50; halving++) {
    const middle = (low + high) / 2;
    if (beyond(middle) > toSpend) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function insideOf({ at, mass }: Inside, { step, bound }: { readonly step: number; readonly bound: number }): Inside {
  const width = (2 * bound) / (POINTS - 1);
  const points = Float64Array.from({ length: POINTS }, (_, k) => -bound + k * width);
  const scale = 1 / (step * Math.sqrt(2 * Math.PI));
  const masses = points.map((point, k) => {
    let density = 0;
    for (let from = 0; from < at.length; from++) {
      density += (mass[from] as number) * Math.exp(-(((point - (at[from] as number)) / step) ** 2) / 2);
    }
    const simpson = k === 0 || k === POINTS - 1 ? 1 : k % 2 === 1 ? 4 : 2;
    return (density * scale * simpson * width) / 3;
  });
  return { at: points, mass: masses };
}
