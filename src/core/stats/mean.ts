/** The arithmetic mean of at least one value. */
export function mean(values: Iterable<number> & { readonly length: number }): number {
  let total = 0;
  for (const value of values) total += value;
  return total / values.length;
}
