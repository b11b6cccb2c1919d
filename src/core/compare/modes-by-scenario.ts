/** Which profiles have loads of several kinds, page by page and link by link. */
import type { ComparableLoad } from './comparison.ts';
import { findModes, type Modes } from './modes.ts';

export interface ScenarioModes {
  readonly profileId: string;
  readonly page: string;
  readonly link: string;
  /** Of the load times, in ms. */
  readonly modes: Extract<Modes, { readonly modes: 'several' }>;
}

/**
 * Only where several modes are found, in the order in which the profile first came on that page and link. Pages and links are
 * never pooled: they have load times of their own. Each is examined by itself; of samples with one mode fewer than 5 % are named.
 *
 * @throws PlumbfoxError bad-input when a valid load has a load time that is not positive and finite.
 */
export function modesByScenario(loads: readonly ComparableLoad[]): readonly ScenarioModes[] {
  const samples = new Map<string, { readonly of: ComparableLoad; readonly loadTimesMs: number[] }>();
  for (const load of loads) {
    if (!load.valid || load.loadTimeMs === undefined) continue;
    const key = JSON.stringify([load.profileId, load.page, load.link]);
    const sample = samples.get(key);
    if (sample === undefined) samples.set(key, { of: load, loadTimesMs: [load.loadTimeMs] });
    else sample.loadTimesMs.push(load.loadTimeMs);
  }
  return [...samples.values()].flatMap(({ of: { profileId, page, link }, loadTimesMs }) => {
    const modes = findModes(loadTimesMs);
    return modes.modes === 'several' ? [{ profileId, page, link, modes }] : [];
  });
}
