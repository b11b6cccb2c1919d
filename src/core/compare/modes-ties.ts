/** Ties of a rounded sample spread over what the rounding left open: a rounded value must not look like a mode. */

export interface SpreadValues {
  /** Ascending; as many as before. */
  readonly values: Float64Array;
  /** Different values before. */
  readonly distinct: number;
}

/**
 * Equal values are spread evenly over the width of the rounding, taken to be the smallest distance of two different values, or of one
 * from 0. A sample that was not rounded has at most chance ties, whose neighbours are so close that nothing moves.
 *
 * @param sorted ascending, positive.
 */
export function spreadTies(sorted: Float64Array): SpreadValues {
  let distinct = sorted.length === 0 ? 0 : 1;
  // No rounding is wider than the smallest value is large, or it would be 0.
  let width = sorted[0] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i < sorted.length; i++) {
    const distance = (sorted[i] ?? 0) - (sorted[i - 1] ?? 0);
    if (distance === 0) continue;
    distinct += 1;
    width = Math.min(width, distance);
  }
  if (distinct === sorted.length || distinct < 2) return { values: sorted, distinct };
  const values = Float64Array.from(sorted);
  for (let from = 0; from < sorted.length; ) {
    const value = sorted[from] ?? 0;
    let to = from + 1;
    while (to < sorted.length && sorted[to] === value) to += 1;
    for (let i = from; i < to; i++) values[i] = value + width * ((i - from + 0.5) / (to - from) - 0.5);
    from = to;
  }
  return { values, distinct };
}
