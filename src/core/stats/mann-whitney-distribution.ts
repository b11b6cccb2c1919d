/** The distribution of Mann and Whitney's U when both samples come from one continuous distribution. */

/**
 * P(U = u) for u from 0 to floor(n m / 2); the rest is its mirror image, P(U = n m - u) = P(U = u).
 *
 * The numbers of orderings are the coefficients of the Gaussian binomial [n + m choose n], the product over i = 1..n of
 * (1 - q^(m+i)) / (1 - q^i) (Mann & Whitney, Annals of Mathematical Statistics 18 (1947); Andrews, "The Theory of Partitions"
 * (1976), ch. 3). Factor by factor, each scaled by i / (m + i), the coefficients are chances and nothing overflows; of each
 * product only the lower half is computed, where the subtraction takes away less than it leaves but for a factor of a few.
 * Cost: min(n, m) * n m / 2 steps.
 */
export function mannWhitneyNull(n: number, m: number): Float64Array {
  const [few, many] = n < m ? [n, m] : [m, n];
  const chances = new Float64Array(Math.floor((n * m) / 2) + 1);
  const at = (u: number) => chances[u] ?? 0;
  chances[0] = 1;
  for (let i = 1; i <= few; i++) {
    const top = (i - 1) * many;
    const middle = Math.floor((i * many) / 2);
    for (let u = Math.floor(top / 2) + 1; u <= Math.min(top, middle); u++) chances[u] = at(top - u);
    for (let u = i; u <= middle; u++) chances[u] = at(u) + at(u - i);
    for (let u = middle; u >= many + i; u--) chances[u] = at(u) - at(u - many - i);
    const scale = i / (many + i);
    for (let u = 0; u <= middle; u++) chances[u] = at(u) * scale;
  }
  return chances;
}

/** P(U >= u), u an integer in [0, n m]. */
export function mannWhitneyUpperTail(u: number, n: number, m: number): number {
  const chances = mannWhitneyNull(n, m);
  const mirrored = n * m - u;
  if (mirrored < u) return sumTo(chances, mirrored);
  return 1 - sumTo(chances, u - 1);
}

function sumTo(chances: Float64Array, last: number): number {
  let sum = 0;
  for (let u = 0; u <= last; u++) sum += chances[u] ?? 0;
  return sum;
}
