/**
 * The step of the clock that load times were read from, as far as the loads themselves show it, and what it adds to their noise. Firefox's clocks
 * have steps of 1 ms, or 100 ms where `privacy.resistFingerprinting` is on; a load time is the difference of two readings.
 */
import type { LoadIndex } from './load-index.ts';

/** Times closer than this part of themselves are the same reading, written with other roundings of a double. */
const SAME_READING = 1e-9;

/**
 * The smallest distance between two different load times: on a grid its step or a multiple of it; without one it falls with the square of
 * the number of loads, so that it soon means nothing beside their spread. `undefined`: all load times are the same, or there are none.
 */
export function clockStepMs(index: LoadIndex): number | undefined {
  const times: number[] = [];
  for (const scenarios of index.values())
    for (const { loadTimesMs } of scenarios.values()) for (const time of loadTimesMs) times.push(time);
  const sorted = Float64Array.from(times).sort();
  let step: number | undefined;
  for (let at = 1; at < sorted.length; at++) {
    const [before, time] = [sorted[at - 1] ?? 0, sorted[at] ?? 0];
    const gap = time - before;
    if (gap > time * SAME_READING && (step === undefined || gap < step)) step = gap;
  }
  return step;
}

/** Of ln of a load time that is the difference of two readings, each off by an even chance within a step: (g^2 / 12 + g^2 / 12) / t^2. */
export function clockVariance(stepMs: number, loadTimeMs: number): number {
  return (stepMs / loadTimeMs) ** 2 / 6;
}
