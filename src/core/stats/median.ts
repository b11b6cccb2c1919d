/** The median of a sample in any order; `undefined` for an empty one. */
import { PlumbfoxError } from '../errors.ts';

/** Up to so many values, moving them one by one beats a sort that has to be set up: everyday loads come as thousands of small samples. */
const FEW = 24;

/** @throws PlumbfoxError bad-input when a value is not finite. */
export function median(sample: ArrayLike<number>): number | undefined {
  const middle = middleOf(sample);
  return middle && (middle[0] + middle[1]) / 2;
}

/** The two values in the middle, the same twice in a sample of odd size. @throws PlumbfoxError bad-input when a value is not finite. */
export function middleOf(sample: ArrayLike<number>): readonly [number, number] | undefined {
  if (sample.length === 0) return undefined;
  for (let at = 0; at < sample.length; at++) {
    if (!Number.isFinite(sample[at])) throw new PlumbfoxError('bad-input', `A median needs finite values, not ${sample[at]}`);
  }
  const sorted = sample.length <= FEW ? insertionSorted(sample) : Float64Array.from(sample).sort();
  const below = sorted[(sorted.length - 1) >> 1] as number;
  return [below, sorted[sorted.length >> 1] as number];
}

function insertionSorted(sample: ArrayLike<number>): readonly number[] {
  const sorted: number[] = [];
  for (let at = 0; at < sample.length; at++) {
    const value = sample[at] as number;
    let place = at;
    for (; place > 0 && (sorted[place - 1] as number) > value; place--) sorted[place] = sorted[place - 1] as number;
    sorted[place] = value;
  }
  return sorted;
}
