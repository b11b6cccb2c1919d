/** Student's t distribution. */
import { PlumbfoxError } from '../errors.ts';
import { incompleteBeta } from './incomplete-beta.ts';

/** P(|T| > |t|) with the degrees of freedom given: I_x(df / 2, 1 / 2) at x = df / (df + t^2) (A&S 26.7.1). */
export function studentTTwoSided(t: number, degreesOfFreedom: number): number {
  return incompleteBeta(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5);
}

/**
 * The quantile t with P(T <= t) = p, by bisection on the tail.
 * @param p in (0, 1).
 * @throws PlumbfoxError bad-input outside it, or unless the degrees of freedom are positive.
 */
export function studentTQuantile(p: number, degreesOfFreedom: number): number {
  if (!(p > 0 && p < 1 && degreesOfFreedom > 0)) {
    throw new PlumbfoxError('bad-input', `Student's t has no quantile ${p} with ${degreesOfFreedom} degrees of freedom`);
  }
  if (p === 0.5) return 0;
  const bothTails = 2 * Math.min(p, 1 - p);
  let low = 0;
  let high = 1;
  while (studentTTwoSided(high, degreesOfFreedom) > bothTails) {
    low = high;
    high *= 2;
  }
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return p < 0.5 ? -middle : middle;
    if (studentTTwoSided(middle, degreesOfFreedom) > bothTails) low = middle;
    else high = middle;
  }
}
