/** The axes of drawings: a logarithmic one for ratios around 1, and one of time from 0, both with round ticks. */

import { MEANINGFUL_CHANGE } from '../compare/thresholds.ts';
import { quantile } from '../stats/quantile.ts';

export interface ChartScale {
  /** Position of a ratio from the left, in percent of the width, held within the axis. */
  position(ratio: number): number;
  /** Whether it is drawn where it is, or at an end that it lies beyond. */
  sideOf(ratio: number): 'below' | 'within' | 'above';
  readonly ticks: readonly number[];
}

/** Free space at both ends, in percent, for marks and tick labels. */
const MARGIN = 4;
/**
 * The axis spans at least this many times a change that is too small to matter, either way (10 % where that is 3 %): such changes do not fill the
 * chart.
 */
const MIN_MARGINS = 10 / 3;
/** Figures beyond this factor are drawn at the end: one stray load must not flatten the rest. */
const MAX_FACTOR = 16;
/** Between the outermost figure and the end of the axis. */
const CLEARANCE = 1.02;
const MAX_TICKS = 7;
/** Steps between ticks, as changes: the first that gives few enough ticks is used. */
const STEPS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5];

/**
 * The axis whose range holds every ratio but outliers (`robustRange`), which `sideOf` finds and which stand at its ends; those that are not positive
 * are left out.
 *
 * @param margin - A change that is too small to matter, as a share.
 */
export function chartScale(ratios: readonly number[], margin = MEANINGFUL_CHANGE): ChartScale {
  const logs = ratios.filter((ratio) => ratio > 0 && Number.isFinite(ratio)).map(Math.log);
  const least = Math.log1p(MIN_MARGINS * margin);
  const range = robustRange(logs, { low: -least, high: least });
  const low = Math.max(1 / MAX_FACTOR, Math.exp(range.low) / CLEARANCE);
  const high = Math.min(MAX_FACTOR, Math.exp(range.high) * CLEARANCE);
  const position = (ratio: number): number => {
    const log = ratio > 0 ? Math.log(ratio) : Number.NEGATIVE_INFINITY;
    const share = (log - Math.log(low)) / (Math.log(high) - Math.log(low));
    return MARGIN + Math.min(1, Math.max(0, share)) * (100 - 2 * MARGIN);
  };
  const sideOf = (ratio: number) => (ratio < low ? 'below' : ratio > high ? 'above' : 'within');
  return { position, sideOf, ticks: ticksBetween(low, high) };
}

/** A ratio with its bounds, as far as they are known. */
export interface PlottedInterval {
  readonly ratio?: number | undefined;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

/** Where an interval is drawn, in percent of the width. */
export interface IntervalPlaces {
  readonly at?: number;
  readonly from?: number;
  readonly to?: number;
  /** Its ends that lie beyond the axis: they are drawn at the end of it, with an arrow. */
  readonly goesOn?: 'low' | 'high' | 'both';
}

/** The one rule of what is drawn where: cards, and the chart of a report. Without both bounds there is no interval, and without a ratio nothing. */
export function intervalPlaces({ ratio, low, high }: PlottedInterval, scale: ChartScale): IntervalPlaces {
  if (ratio === undefined) return {};
  const isBounded = low !== undefined && high !== undefined;
  const isLower = scale.sideOf(isBounded ? low : ratio) === 'below';
  const isHigher = scale.sideOf(isBounded ? high : ratio) === 'above';
  return {
    at: scale.position(ratio),
    ...(isBounded && { from: scale.position(low), to: scale.position(high) }),
    ...((isLower || isHigher) && { goesOn: isLower && isHigher ? 'both' : isLower ? 'low' : 'high' }),
  };
}

/** Tukey, "Exploratory Data Analysis" (1977), 2C: beyond this many spreads of the quartiles a value is outside. */
const FENCE = 1.5;
/** Outliers are left out where with them the rest would have less than a third of the axis. Chosen, not measured. */
const MAX_STRETCH = 3;

/** What an axis spans, in the unit of its values. */
export interface AxisRange {
  readonly low: number;
  readonly high: number;
}

/**
 * The range of an axis on which one stray value does not flatten the rest: without those beyond Tukey's fences (quartiles of type 7), where they would
 * take more than two thirds of it.
 *
 * @param atLeast - What the axis spans in any case.
 */
export function robustRange(values: readonly number[], atLeast: AxisRange): AxisRange {
  if (values.length === 0) return atLeast;
  const sorted = values.toSorted((a, b) => a - b);
  const [lower, upper] = [quantile(sorted, 0.25), quantile(sorted, 0.75)];
  const reach = FENCE * (upper - lower);
  const within = (some: readonly number[]): AxisRange => ({
    low: Math.min(atLeast.low, ...some.slice(0, 1)),
    high: Math.max(atLeast.high, ...some.slice(-1)),
  });
  const whole = within(sorted);
  const inside = within(sorted.filter((value) => value >= lower - reach && value <= upper + reach));
  return whole.high - whole.low > MAX_STRETCH * (inside.high - inside.low) ? inside : whole;
}

/** From here on even steps crowd one end of a logarithmic axis. Chosen, not measured. */
const WIDE_FACTOR = 8;
const WIDE_TICKS = [0.1, 0.2, 0.5, 1, 2, 5, 10];

function ticksBetween(low: number, high: number): readonly number[] {
  if (high / low > WIDE_FACTOR) return WIDE_TICKS.filter((tick) => tick >= low && tick <= high);
  for (const step of STEPS) {
    const ticks = roundRatios(low, high, step);
    if (ticks.length <= MAX_TICKS) return ticks;
  }
  return [1];
}

/** Multiples of the step around 1. */
function roundRatios(low: number, high: number, step: number): readonly number[] {
  const first = Math.ceil((low - 1) / step - 1e-9);
  const last = Math.floor((high - 1) / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, at) => 1 + (first + at) * step).filter((ratio) => ratio > 0);
}

/**
 * Ticks whose labels do not touch: that of no change, and outwards from it each that is far enough from the last.
 *
 * @param place - Of a tick, in the unit of the gap. @param gap - Between the middles of two labels.
 */
export function ticksApart(ticks: readonly number[], place: (tick: number) => number, gap: number): ReadonlySet<number> {
  const none = place(1);
  const sides = [ticks.filter((tick) => place(tick) > none), ticks.filter((tick) => place(tick) < none).toReversed()];
  const apart = sides.flatMap((side) => {
    let last = none;
    return side.filter((tick) => {
      const isApart = Math.abs(place(tick) - last) >= gap;
      if (isApart) last = place(tick);
      return isApart;
    });
  });
  return new Set([...apart, ...ticks.filter((tick) => place(tick) === none)]);
}

export interface TimeTick {
  readonly ms: number;
  /** `0.5 s`; all of an axis with as many decimals. */
  readonly label: string;
}

/** Steps of an axis people can read: 1, 2 or 5 times a power of ten. */
const TIME_STEPS = [1, 2, 5];

/** Ticks up to `endMs`, at most `maxTicks` of them besides 0; only 0 where there is no time. */
export function timeTicks(endMs: number, maxTicks: number): readonly TimeTick[] {
  if (!(endMs > 0) || !Number.isFinite(endMs)) return [{ ms: 0, label: '0 s' }];
  const stepMs = roundStep(endMs / maxTicks);
  const decimals = Math.max(0, -Math.floor(Math.log10(stepMs / 1000) + 1e-9));
  const count = Math.floor(endMs / stepMs + 1e-9);
  return Array.from({ length: count + 1 }, (_, at) => ({ ms: at * stepMs, label: `${((at * stepMs) / 1000).toFixed(decimals)} s` }));
}

/** The smallest round step that is not below `min`. */
function roundStep(min: number): number {
  const power = 10 ** Math.floor(Math.log10(min));
  return (TIME_STEPS.find((step) => step * power >= min * (1 - 1e-9)) ?? 10) * power;
}

export interface LogTimeAxis {
  /** Round times, rising. */
  readonly ticks: readonly number[];
  /** The place of a time from the start of the axis, as a share of its length, held within it. */
  readonly share: (ms: number) => number;
}

/** A logarithmic axis of time over all of these; times below a millisecond, the step of Firefox's clock, are drawn as one. */
export function timeAxis(times: readonly number[]): LogTimeAxis {
  const known = times.length === 0 ? [1] : times.map((ms) => Math.max(1, ms));
  const powers = Array.from({ length: 6 }, (_, power) => 10 ** power);
  const round = powers.flatMap((power) => TIME_STEPS.map((step) => step * power));
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const low = round.findLast((tick) => tick <= least) ?? 1;
  const high = round.find((tick) => tick >= Math.max(most, 2 * low)) ?? most;
  const length = Math.log(high / low);
  return {
    ticks: round.filter((tick) => tick >= low && tick <= high),
    share: (ms) => Math.min(1, Math.max(0, Math.log(Math.max(1, ms) / low) / length)),
  };
}
