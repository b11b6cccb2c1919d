/** The axes of drawings: a logarithmic one for ratios around 1, and one of time from 0, both with round ticks. */

export interface ChartScale {
  /** Position of a ratio from the left, in percent of the width, held within the axis. */
  position(ratio: number): number;
  readonly ticks: readonly number[];
}

/** Free space at both ends, in percent, for marks and tick labels. */
const MARGIN = 4;
/** The axis spans at least 10 % either way, so that a negligible difference does not fill the chart. */
const MIN_FACTOR = 1.1;
/** Figures beyond this factor are drawn at the end: one stray load must not flatten the rest. */
const MAX_FACTOR = 16;
/** Between the outermost figure and the end of the axis. */
const CLEARANCE = 1.02;
const MAX_TICKS = 7;
/** Steps between ticks, as changes: the first that gives few enough ticks is used. */
const STEPS = [0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5];

/** The axis whose range holds every ratio; those that are not positive are left out. */
export function chartScale(ratios: readonly number[]): ChartScale {
  let lowest = 1 / MIN_FACTOR;
  let highest = MIN_FACTOR;
  for (const ratio of ratios) {
    if (!(ratio > 0 && Number.isFinite(ratio))) continue;
    lowest = Math.min(lowest, ratio);
    highest = Math.max(highest, ratio);
  }
  const low = Math.max(1 / MAX_FACTOR, lowest / CLEARANCE);
  const high = Math.min(MAX_FACTOR, highest * CLEARANCE);
  const position = (ratio: number): number => {
    const share = (Math.log(ratio) - Math.log(low)) / (Math.log(high) - Math.log(low));
    return MARGIN + Math.min(1, Math.max(0, share)) * (100 - 2 * MARGIN);
  };
  return { position, ticks: ticksBetween(low, high) };
}

function ticksBetween(low: number, high: number): readonly number[] {
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
