/** The loads of a report as the comparison reads them. */
import type { ComparableLoad } from '../compare/comparison.ts';
import type { MeasuredLoad } from './report.ts';

export function comparableLoads(loads: readonly MeasuredLoad[]): readonly ComparableLoad[] {
  return loads.map(({ profileId, page, link, block, validity, measures }) => ({
    profileId,
    page,
    link,
    block,
    valid: validity.state === 'valid',
    efficiency: measures?.efficiency,
    // Of a load that was cut short only a lower bound is known.
    loadTimeMs: measures?.cutShort === undefined ? measures?.loadTimeMs : undefined,
  }));
}
