/** How often a test that is right may be wrong. */

/**
 * The fewest and the most of `runs` in which something of the chance `p` happens, each tail beyond them having less than
 * (1 - level) / 2: quantiles of the binomial distribution. For 2,000 runs at 5 % and 99.9 %: 69 to 133, as SciPy's
 * `binom.ppf([0.0005, 0.9995], 2000, 0.05)` says.
 */
export function acceptanceBand({ runs, p, level }: { readonly runs: number; readonly p: number; readonly level: number }): {
  readonly low: number;
  readonly high: number;
} {
  const tail = (1 - level) / 2;
  let low: number | undefined;
  let cumulated = 0;
  let logChance = runs * Math.log1p(-p);
  for (let count = 0; count < runs; count++) {
    cumulated += Math.exp(logChance);
    if (low === undefined && cumulated >= tail) low = count;
    if (cumulated >= 1 - tail) return { low: low ?? count, high: count };
    logChance += Math.log((runs - count) / (count + 1)) + Math.log(p) - Math.log1p(-p);
  }
  return { low: low ?? runs, high: runs };
}
