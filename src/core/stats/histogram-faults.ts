/**
 * What can be wrong with a histogram in itself: it is plain data and may come from a file. Chromium looks for the same in what
 * its renderers send (base/metrics/histogram.cc, `FindCorruption`: order of the buckets, counts too high or too low), but lets
 * a count be off by a few because it is copied while others write; ours are copied whole, so every difference counts.
 */
import { PlumbfoxError } from '../errors.ts';
import type { Histogram } from './histogram.ts';

/** A closed set, so that each can be explained. */
export const HISTOGRAM_FAULTS = [
  /** Limits that do not rise from 0, or not a count for each. */
  'broken-limits',
  'negative-count',
  'fractional-count',
  /** The buckets do not add up to the total that is declared. */
  'total-disagrees',
] as const;
export type HistogramFault = (typeof HISTOGRAM_FAULTS)[number];

export interface FoundFault {
  readonly fault: HistogramFault;
  /** In words, with the figures. */
  readonly detail: string;
}

/** None for a sound histogram. */
export function histogramFaults({ bounds: { lowerLimits }, counts, total }: Histogram): readonly FoundFault[] {
  const found: FoundFault[] = [];
  const unordered = lowerLimits.findIndex((limit, bucket) =>
    bucket === 0 ? limit !== 0 : !(limit > (lowerLimits[bucket - 1] ?? Number.NaN) && limit < Number.POSITIVE_INFINITY),
  );
  if (lowerLimits.length < 2) found.push({ fault: 'broken-limits', detail: `${lowerLimits.length} buckets; there are at least 2` });
  if (unordered >= 0) found.push({ fault: 'broken-limits', detail: `bucket ${unordered} begins at ${lowerLimits[unordered]}` });
  if (counts.length !== lowerLimits.length) {
    found.push({ fault: 'broken-limits', detail: `${counts.length} counts for ${lowerLimits.length} buckets` });
  }
  const negative = counts.findIndex((count) => count < 0);
  if (negative >= 0) found.push({ fault: 'negative-count', detail: `bucket ${negative} counts ${counts[negative]}` });
  const fractional = counts.findIndex((count) => !Number.isSafeInteger(count));
  if (fractional >= 0) found.push({ fault: 'fractional-count', detail: `bucket ${fractional} counts ${counts[fractional]}` });
  const sum = counts.reduce((all, count) => all + count, 0);
  if (sum !== total) found.push({ fault: 'total-disagrees', detail: `the buckets add up to ${sum}, declared are ${total}` });
  return found;
}

/** @throws PlumbfoxError bad-input with the first fault. */
export function requireSound(histogram: Histogram): void {
  const [first] = histogramFaults(histogram);
  if (first !== undefined) throw new PlumbfoxError('bad-input', `This histogram is corrupt (${first.fault}): ${first.detail}`);
}
