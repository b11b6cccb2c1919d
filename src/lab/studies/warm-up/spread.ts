/** The median of some loads with the lowest and the highest of them. Pure. */
import { median } from '../../../core/stats/median.ts';

export interface Spread {
  /** The median, or what is said where it is made. */
  readonly middle: number;
  readonly low: number;
  readonly high: number;
}

/** `undefined` of nothing. */
export function spreadOf(values: readonly number[]): Spread | undefined {
  const middle = median(values);
  return middle === undefined ? undefined : { middle, low: Math.min(...values), high: Math.max(...values) };
}

/**
 * Chance that lowest and highest of so many independent values enclose the median of what they are drawn from, whatever its distribution:
 * 1 less that all lie on one side of it (David and Nagaraja, Order Statistics, 2003, section 7.1).
 */
export const rangeHoldsMedian = (values: number): number => 1 - 2 ** (1 - values);
