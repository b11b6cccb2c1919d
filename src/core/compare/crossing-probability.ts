/**
 * When a sum of normal values has crossed a boundary with a given chance: the recursion of Armitage, McPherson & Rowe, "Repeated significance
 * tests on accumulating data", J. R. Statist. Soc. A 132 (1969), on a grid.
 */
export interface Crossing {
  /** Mean of a value over its standard deviation; > 0. */
  readonly effect: number;
  /** |sum| / sqrt(n) at and beyond which the sum has crossed after n values; `undefined`: it cannot yet. */
  readonly boundary: (n: number) => number | undefined;
  readonly probability: number;
  /** Looks at most. */
  readonly most: number;
}

/** Points of the grid per standard deviation of a value: the chance is found to about 0.001. */
const POINTS_PER_SD = 6;
/** Steps beyond this many standard deviations are left out: their chance is 1e-7. */
const REACH_SD = 5.2;

/** The number of values by which the upper boundary has been crossed with that chance; `undefined`: not within `most`. */
export function crossingProbability({ effect, boundary, probability, most }: Crossing): number | undefined {
  const step = stepDensity(effect);
  let crossed = 0;
  let state: State = { from: 0, mass: Float64Array.of(1) };
  for (let n = 1; n <= most; n++) {
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

/** A point stands for what lies within half a step of it: the one at the boundary is divided. */
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

/** Without the ends that no longer matter. */
function trimmed({ from, mass }: State): State {
  let first = 0;
  while (first < mass.length - 1 && (mass[first] as number) < 1e-9) first += 1;
  let last = mass.length - 1;
  while (last > first && (mass[last] as number) < 1e-12) last -= 1;
  return { from: from + first, mass: mass.slice(first, last + 1) };
}
