/** The shape of a sample under a Gaussian kernel: where it splits into two groups, and up to which bandwidth it does. */

/** A sample as weights on a grid, so that smoothing costs the same for 40 values as for 100,000. */
interface Gridded {
  readonly weights: Float64Array;
  readonly from: number;
  readonly step: number;
}

/** Steps are finer than a hundredth of the spread of any sample within its fences (see `withinFences`). */
const GRID = 256;

/** Linear binning: a value between two points is shared by them. @param sorted ascending, not all equal. */
export function onGrid(sorted: Float64Array): Gridded {
  const from = sorted[0] ?? 0;
  const step = ((sorted.at(-1) ?? 0) - from) / (GRID - 1);
  const weights = new Float64Array(GRID);
  for (const value of sorted) {
    const position = (value - from) / step;
    const left = Math.min(GRID - 2, Math.floor(position));
    weights[left] = (weights[left] ?? 0) + 1 - (position - left);
    weights[left + 1] = (weights[left + 1] ?? 0) + position - left;
  }
  return { weights, from, step };
}

/** Whether two groups, each with at least `share` of the sample, are left at a bandwidth in the sample's unit. */
export function isSplitAt(grid: Gridded, bandwidth: number, share: number): boolean {
  return deepestValley(grid, Math.max(0.5, bandwidth / grid.step), share) !== undefined;
}

export interface Split {
  /** The largest bandwidth, in the sample's unit, at which two groups are left. */
  readonly bandwidth: number;
  /** The lowest point between them at that bandwidth. */
  readonly valley: number;
}

/**
 * The critical bandwidth of B. W. Silverman, "Using Kernel Density Estimates to Investigate Multimodality", Journal of the Royal
 * Statistical Society B 43 (1981): with the Gaussian kernel modes only vanish as the bandwidth grows, so there is one bandwidth
 * above which the sample has one. Here a valley counts only with at least `share` of the sample on either side, or
 * the outermost value would decide. `undefined`: no such valley at any bandwidth of a grid step or more.
 */
export function lastSplit(grid: Gridded, share: number): Split | undefined {
  // In grid steps; below half a step the grid itself shows.
  let splits = 0.5;
  let merges = GRID;
  let valley = deepestValley(grid, splits, share);
  if (valley === undefined) return undefined;
  while (merges / splits > PRECISION) {
    const bandwidth = Math.sqrt(splits * merges);
    const found = deepestValley(grid, bandwidth, share);
    if (found === undefined) merges = bandwidth;
    else {
      splits = bandwidth;
      valley = found;
    }
  }
  return { bandwidth: splits * grid.step, valley: grid.from + valley * grid.step };
}

/** The bandwidth is found to 1 %, far within its own chance. */
const PRECISION = 1.01;

/** Index of the lowest local minimum with enough of the sample on both sides. */
function deepestValley(grid: Gridded, bandwidth: number, share: number): number | undefined {
  const density = smoothed(grid.weights, bandwidth);
  const total = grid.weights.reduce((sum, weight) => sum + weight, 0);
  let lowest = Number.POSITIVE_INFINITY;
  let valley: number | undefined;
  let below = 0;
  let falling = false;
  for (let i = 1; i < GRID; i++) {
    const before = density[i - 1] as number;
    const here = density[i] as number;
    below += grid.weights[i - 1] as number;
    if (here < before) falling = true;
    else if (here > before && falling) {
      falling = false;
      const smaller = Math.min(below, total - below) / total;
      if (smaller >= share && before < lowest) {
        lowest = before;
        valley = i - 1;
      }
    }
  }
  return valley;
}

function smoothed(weights: Float64Array, bandwidth: number): Float64Array {
  const reach = Math.min(GRID - 1, Math.ceil(REACH * bandwidth));
  const kernel = new Float64Array(reach + 1);
  for (let i = 0; i <= reach; i++) kernel[i] = Math.exp(-(i * i) / (2 * bandwidth * bandwidth));
  const density = new Float64Array(GRID);
  // Plain loops: a comparison of many pages, links and profiles comes here a thousand times.
  for (let at = 0; at < GRID; at++) {
    const weight = weights[at] as number;
    if (weight === 0) continue;
    const last = Math.min(GRID - 1, at + reach);
    for (let i = Math.max(0, at - reach); i < at; i++) density[i] = (density[i] as number) + weight * (kernel[at - i] as number);
    for (let i = at; i <= last; i++) density[i] = (density[i] as number) + weight * (kernel[i - at] as number);
  }
  return density;
}

/** Standard deviations after which the kernel is below 1e-7 of its height. */
const REACH = 6;
