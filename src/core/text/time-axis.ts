/** The axis of a drawing in time: round ticks from 0. */

export interface TimeTick {
  readonly ms: number;
  /** `0.5 s`; all of an axis with as many decimals. */
  readonly label: string;
}

/** Steps of an axis people can read: 1, 2 or 5 times a power of ten. */
const STEPS = [1, 2, 5];

/** Ticks up to `endMs`, at most `most` of them besides 0; 0 alone where there is no time. */
export function timeTicks(endMs: number, most: number): readonly TimeTick[] {
  if (!(endMs > 0) || !Number.isFinite(endMs)) return [{ ms: 0, label: '0 s' }];
  const stepMs = roundStep(endMs / most);
  const decimals = Math.max(0, -Math.floor(Math.log10(stepMs / 1000) + 1e-9));
  const count = Math.floor(endMs / stepMs + 1e-9);
  return Array.from({ length: count + 1 }, (_, at) => ({ ms: at * stepMs, label: `${((at * stepMs) / 1000).toFixed(decimals)} s` }));
}

/** The smallest round step that is not below. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return (STEPS.find((step) => step * power >= least * (1 - 1e-9)) ?? 10) * power;
}
