/** Ranks from 1, equal values sharing the mean of the ranks they take together. */
export interface Midranks {
  /** In the order of the values; multiples of 1/2. */
  readonly ranks: Float64Array;
  /** The sum over groups of equal values of t^3 - t, t values in the group: 0 without ties. */
  readonly tieTerm: number;
}

/** @param values finite. */
export function midranks(values: ArrayLike<number>): Midranks {
  const at = (index: number) => values[index] ?? 0;
  const order = Uint32Array.from(values, (_, index) => index).sort((i, j) => at(i) - at(j));
  const position = (place: number) => order[place] ?? 0;
  const ranks = new Float64Array(values.length);
  let tieTerm = 0;
  for (let first = 0; first < order.length; ) {
    let after = first + 1;
    while (after < order.length && at(position(after)) === at(position(first))) after++;
    for (let place = first; place < after; place++) ranks[position(place)] = (first + 1 + after) / 2;
    const tied = after - first;
    tieTerm += tied ** 3 - tied;
    first = after;
  }
  return { ranks, tieTerm };
}
