import type { Milliseconds, Ratio } from '../units.ts';
import { boundedShare } from './bounded-share.ts';
import type { LoadMeasures } from './load-measures.ts';

interface EfficiencyInput {
  readonly idealTime: Milliseconds | undefined;
  readonly loadTime: Milliseconds;
}

/**
 * idealTime / loadTime, in (0, 1]: 1 is a load that no transport could have made faster. Our own definition; the 2008 memo's is not public.
 * `undefined`: the ideal is unknown, or the load was faster than the link's figures allow by more than 3 %, which disproves them; then screens
 * say so (`disprovesLink`).
 */
export function efficiency({ idealTime, loadTime }: EfficiencyInput): Ratio | undefined {
  if (idealTime === undefined || idealTime <= 0 || loadTime <= 0) return undefined;
  return boundedShare(idealTime / loadTime);
}

/** Whether a load with an ideal has no efficiency because it was faster than the link's figures allow. */
export const disprovesLink = ({ idealTimeMs, loadTimeMs }: Pick<LoadMeasures, 'idealTimeMs' | 'loadTimeMs'>): boolean =>
  idealTimeMs !== undefined && loadTimeMs > 0 && boundedShare(idealTimeMs / loadTimeMs) === undefined;
