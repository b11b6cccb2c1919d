/** The band of the simulated runs of one load, which pages read without the simulator. */

/**
 * The fewest whose first and last are the 5 and 95 % of all, and odd, so that there is one in the middle: it is within 1.2 % of the middle of 101
 * in nine of ten scenarios of the corpus (docs/decisions/010-nineteen-shaken-loads.md).
 */
export const MIN_RUNS = 19;

/** 5 to 95 % of the runs. */
export interface Band {
  readonly low: number;
  readonly high: number;
}

/**
 * Quantiles by order statistics at p (n + 1), which a further run is below with probability p (type 6 of Hyndman & Fan, see `quantile`): of 19 runs the first
 * and the last. `undefined`: there are too few.
 */
export function bandOf(values: readonly number[]): Band | undefined {
  if (values.length < MIN_RUNS) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const at = (position: number) => {
    const below = sorted[Math.floor(position) - 1] as number;
    return below + ((sorted[Math.ceil(position) - 1] as number) - below) * (position - Math.floor(position));
  };
  const fromEachEnd = 0.05 * (values.length + 1);
  return { low: at(fromEachEnd), high: at(values.length + 1 - fromEachEnd) };
}
