/**
 * ln of the gamma function for x > 0: Stirling's series (Abramowitz & Stegun 6.1.40) at x >= 12, where its first omitted
 * term is below 1e-16, reached from below by the recurrence gamma(x + 1) = x * gamma(x).
 */
export function logGamma(x: number): number {
  let shifted = x;
  let product = 1;
  while (shifted < STIRLING_FROM) {
    product *= shifted;
    shifted += 1;
  }
  const inverse = 1 / shifted;
  const square = inverse * inverse;
  let series = 0;
  for (const coefficient of STIRLING) series = series * square + coefficient;
  return (shifted - 0.5) * Math.log(shifted) - shifted + HALF_LOG_TWO_PI + series * inverse - Math.log(product);
}

const STIRLING_FROM = 12;
const HALF_LOG_TWO_PI = Math.log(2 * Math.PI) / 2;
/** B(2k) / (2k (2k - 1)), highest power first: A&S 6.1.40 with Bernoulli numbers of table 23.2. */
const STIRLING = [1 / 156, -691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12];
