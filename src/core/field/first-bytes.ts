/**
 * How long servers take to begin an answer, on new connections and on those that were open already: a cut-off table, as in the AsyncSlowStart
 * experiment (`cutoff-table.ts`), with intervals, and both distributions as curves.
 */
import * as v from 'valibot';
import { cutoffTable, MAIL_CUTOFFS } from '../compare/cutoff-table.ts';
import type { PageLoad } from '../measure/page-load.ts';
import { connectionState } from '../measure/requests.ts';
import { seededRandom } from '../random.ts';
import { count, finite } from '../schema.ts';
import { bucketOf, bucketRange, exponentialBounds, type Histogram } from '../stats/histogram.ts';
import { median, quantile } from '../stats/quantile.ts';

const interval = v.exactOptional(v.object({ low: finite, high: finite }));
const sideSchema = v.object({
  /** The cut-off share of all first bytes came within this time, ms. */
  valueMs: finite,
  intervalMs: interval,
  /** The mean of those. */
  meanMs: finite,
});
const curveSchema = v.array(v.object({ ms: finite, share: finite }));

/** First bytes of some loads. */
export const firstBytesSchema = v.object({
  loads: count,
  /** Requests on new connections and on open ones, of which the time to the first byte is known. */
  fresh: count,
  reused: count,
  /** The median of what opening a connection took, ms; absent: none was opened. */
  setUpMs: v.exactOptional(finite),
  /** Empty: there are too few requests of either kind. */
  rows: v.array(
    v.object({
      cutoffPercent: finite,
      fresh: sideSchema,
      reused: sideSchema,
      /** The mean of new connections over that of open ones: 1.2 is 20 % longer. Absent: the latter is 0. */
      ratio: v.exactOptional(finite),
      ratioInterval: interval,
    }),
  ),
  /** Shares of the requests whose first byte came within a time. */
  curves: v.object({ fresh: curveSchema, reused: curveSchema }),
});
export type FirstBytes = v.InferOutput<typeof firstBytesSchema>;

/** Whole milliseconds, as Firefox's clock gives them, up to the longest load; each bucket is 8 % wider than the one before. Chosen, not measured. */
const BOUNDS = exponentialBounds({ min: 1, max: 60_000, bucketCount: 120 });
/** 99.5 % would take a thousand requests, and be written as 100 %. */
const WHOLE_CUTOFFS = MAIL_CUTOFFS.filter(Number.isInteger);
/** With fewer requests above a cut-off it is the time of a few. Chosen, not measured. */
const MIN_ABOVE = 5;
/** With fewer loads there is no interval. Chosen, not measured. */
const MIN_LOADS = 10;
/** Enough for intervals of 95 % (Efron & Tibshirani, "An Introduction to the Bootstrap", 1993, section 13.3 asks for 1,000 at its ends). */
const RESAMPLES = 1_000;
const [LOW, HIGH] = [0.025, 0.975];

/** Buckets of the first bytes of one load. */
interface LoadBuckets {
  readonly fresh: readonly number[];
  readonly reused: readonly number[];
}

/** @param loads - In any order; a request counts whatever became of its load. */
export function firstBytes(loads: readonly PageLoad[]): FirstBytes {
  const setUps: number[] = [];
  const buckets = loads.map((load) => bucketsOf(load, setUps)).filter(({ fresh, reused }) => fresh.length + reused.length > 0);
  const [fresh, reused] = [histogram(buckets, 'fresh'), histogram(buckets, 'reused')];
  const setUpMs = median(setUps);
  return {
    loads: buckets.length,
    fresh: fresh.total,
    reused: reused.total,
    ...(setUpMs !== undefined && { setUpMs }),
    rows: rowsOf({ fresh, reused, buckets }),
    curves: { fresh: curveOf(fresh), reused: curveOf(reused) },
  };
}

/** From the request that was sent to the first byte of its answer; @param setUps - Takes what opening each new connection took. */
function bucketsOf({ requests }: PageLoad, setUps: number[]): LoadBuckets {
  const found: { fresh: number[]; reused: number[] } = { fresh: [], reused: [] };
  for (const request of requests) {
    const { requestStart, responseStart, connectStart, connectEnd } = request.timing ?? {};
    const state = connectionState(request);
    if (requestStart === undefined || responseStart === undefined || responseStart < requestStart) continue;
    if (state !== 'cold' && state !== 'reused') continue;
    found[state === 'cold' ? 'fresh' : 'reused'].push(bucketOf(BOUNDS, Math.round(responseStart - requestStart)));
    if (state === 'cold') setUps.push((connectEnd ?? 0) - (connectStart ?? 0));
  }
  return found;
}

function histogram(loads: readonly LoadBuckets[], kind: keyof LoadBuckets): Histogram {
  const counts = BOUNDS.lowerLimits.map(() => 0);
  let total = 0;
  for (const load of loads) {
    total += load[kind].length;
    for (const bucket of load[kind]) counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return { bounds: BOUNDS, counts, total };
}

interface Measured {
  readonly fresh: Histogram;
  readonly reused: Histogram;
  readonly buckets: readonly LoadBuckets[];
}

function rowsOf({ fresh, reused, buckets }: Measured): FirstBytes['rows'] {
  const fewest = Math.min(fresh.total, reused.total);
  const cutoffs = WHOLE_CUTOFFS.filter((percent) => fewest * (1 - percent / 100) >= MIN_ABOVE);
  if (cutoffs.length === 0) return [];
  const drawn = buckets.length < MIN_LOADS ? [] : resampled(buckets, cutoffs);
  return cutoffTable(fresh, reused, cutoffs).rows.flatMap(({ cutoffPercent, first, second, meanDelta }, at) => {
    if (first.value === undefined || second.value === undefined || first.mean === undefined || second.mean === undefined) return [];
    const [ofFresh, ofReused, ofRatio] = [drawn[at]?.fresh, drawn[at]?.reused, drawn[at]?.ratio].map(boundsOf);
    return [
      {
        cutoffPercent,
        fresh: { valueMs: first.value, meanMs: first.mean, ...(ofFresh && { intervalMs: ofFresh }) },
        reused: { valueMs: second.value, meanMs: second.mean, ...(ofReused && { intervalMs: ofReused }) },
        ...(meanDelta.relative !== undefined && { ratio: 1 + meanDelta.relative }),
        ...(ofRatio && { ratioInterval: ofRatio }),
      },
    ];
  });
}

interface Drawn {
  readonly fresh: number[];
  readonly reused: number[];
  readonly ratio: number[];
}

/**
 * The percentile bootstrap over loads, not over requests: those of one load share its page, its network and its moment. A sample without requests of
 * either kind is left out.
 */
function resampled(buckets: readonly LoadBuckets[], cutoffs: readonly number[]): readonly Drawn[] {
  // The same loads give the same intervals.
  const random = seededRandom(1);
  const drawn = cutoffs.map((): Drawn => ({ fresh: [], reused: [], ratio: [] }));
  for (let sample = 0; sample < RESAMPLES; sample++) {
    const loads = buckets.map(() => buckets[random.integer(buckets.length)] as LoadBuckets);
    const [fresh, reused] = [histogram(loads, 'fresh'), histogram(loads, 'reused')];
    if (fresh.total === 0 || reused.total === 0) continue;
    for (const [at, { first, second, meanDelta }] of cutoffTable(fresh, reused, cutoffs).rows.entries()) {
      if (first.value !== undefined) drawn[at]?.fresh.push(first.value);
      if (second.value !== undefined) drawn[at]?.reused.push(second.value);
      if (meanDelta.relative !== undefined) drawn[at]?.ratio.push(1 + meanDelta.relative);
    }
  }
  return drawn;
}

/** `undefined`: nothing was drawn. */
function boundsOf(drawn: readonly number[] = []): { low: number; high: number } | undefined {
  if (drawn.length === 0) return undefined;
  const sorted = Float64Array.from(drawn).sort();
  return { low: quantile(sorted, LOW), high: quantile(sorted, HIGH) };
}

function curveOf({ counts, total }: Histogram): FirstBytes['curves']['fresh'] {
  let within = 0;
  return counts.flatMap((own, bucket) => {
    within += own;
    const { highest } = bucketRange(BOUNDS, bucket);
    return own === 0 || highest === undefined ? [] : [{ ms: highest, share: within / total }];
  });
}
