/** p-values of several tests, adjusted so that each may be compared with alpha as if it were the only one. */
import { PlumbfoxError } from '../errors.ts';

/**
 * Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979): at most alpha
 * of having any false alarm, however the tests depend on each other.
 *
 * @returns in the order of the input, each in [0, 1] and none below the raw one.
 * @throws PlumbfoxError bad-input for an empty list or a p outside [0, 1].
 */
export function holm(p: readonly number[]): number[] {
  const order = ascending(p);
  const adjusted = new Array<number>(p.length).fill(1);
  let largest = 0;
  order.forEach((index, place) => {
    largest = Math.max(largest, Math.min(1, (p[index] ?? 1) * (p.length - place)));
    adjusted[index] = largest;
  });
  return adjusted;
}

/** The indices of p, ordered from the smallest p to the largest. */
function ascending(p: readonly number[]): number[] {
  if (p.length === 0) throw new PlumbfoxError('bad-input', 'There is no p-value to adjust');
  for (const value of p) {
    if (!(value >= 0 && value <= 1)) throw new PlumbfoxError('bad-input', `A p-value lies in [0, 1]; it cannot be ${value}`);
  }
  return p.map((_, index) => index).sort((i, j) => (p[i] ?? 1) - (p[j] ?? 1));
}
