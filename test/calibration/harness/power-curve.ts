/** After how many loads a test finds what is there in four of five runs, from the shares found at several numbers of loads. */
import { normalQuantile } from '../../../src/core/stats/distributions.ts';

export interface PowerPoint {
  readonly loads: number;
  readonly runs: number;
  readonly found: number;
}

export interface LoadsAtPower {
  readonly loads: number;
  /** One Monte-Carlo standard error. */
  readonly error: number;
}

/** Points outside tell little of where the line passes 80 %, and their probits vary much. */
const LOWEST = 0.3;
const HIGHEST = 0.97;

/**
 * A test of a mean finds a shift with the chance Phi(shift sqrt(n) / sd - z), so the probit of the share found is a straight line
 * over sqrt(n): fitted with weights n phi^2 / (p (1 - p)) (Finney, "Probit Analysis", 1947) and solved for `power`. The error is that of
 * one point with as many runs: the points share their runs, so more of them add little. `undefined`: fewer than two points between 30
 * and 97 %, or shares that do not rise.
 */
export function loadsAtPower(points: readonly PowerPoint[], power: number): LoadsAtPower | undefined {
  const probits = points
    .map(({ loads, runs, found }) => ({ x: Math.sqrt(loads), share: found / runs, runs }))
    .filter(({ share }) => share >= LOWEST && share <= HIGHEST)
    .map(({ x, share, runs }) => {
      const y = normalQuantile(share);
      return { x, y, weight: (runs * density(y) ** 2) / (share * (1 - share)) };
    });
  const runs = points[0]?.runs ?? 0;
  if (probits.length < 2 || runs === 0) return undefined;
  const sum = (of: (point: (typeof probits)[number]) => number) => probits.reduce((total, point) => total + point.weight * of(point), 0);
  const all = sum(() => 1);
  const x = sum((point) => point.x) / all;
  const y = sum((point) => point.y) / all;
  const slope = sum((point) => (point.x - x) * (point.y - y)) / sum((point) => (point.x - x) ** 2);
  if (!(slope > 0)) return undefined;
  const z = normalQuantile(power);
  const root = x + (z - y) / slope;
  const shareError = Math.sqrt((power * (1 - power)) / runs);
  return { loads: root ** 2, error: (2 * root * shareError) / (density(z) * slope) };
}

function density(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
}
