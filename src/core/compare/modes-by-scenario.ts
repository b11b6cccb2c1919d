/** Which profiles have loads of several kinds, page by page and link by link. */
import type { LoadIndex } from './load-index.ts';
import { FEWEST_FOR_MODES, findModes, type ScenarioModes } from './modes.ts';

/**
 * Only where several modes are found, profile by profile. Pages and links are never pooled: they have load times of their own. Each
 * is examined by itself; of samples with one mode at most 5 % are named.
 */
export function modesByScenario(index: LoadIndex): readonly ScenarioModes[] {
  const found: ScenarioModes[] = [];
  for (const [profileId, scenarios] of index) {
    for (const { page, link, loadTimesMs } of scenarios.values()) {
      // Most pages of everyday browsing have few loads; the index has refused what is not positive and finite.
      if (loadTimesMs.length < FEWEST_FOR_MODES) continue;
      const modes = findModes(loadTimesMs);
      if (modes.modes === 'several') found.push({ profileId, page, link, modes });
    }
  }
  return found;
}
