/** The check that each profile was in effect in its slots, by what was read back as its loads began. */
import { counted } from '../text/figures.ts';
import { armWith } from './arm-name.ts';
import { FEWEST_NOT_IN_EFFECT, MOST_NOT_IN_EFFECT_SHARE } from './trial-defaults.ts';
import type { TrialLoad } from './trial-load.ts';
import type { NotInEffectCheck } from './trial-state.ts';

/** @param loads of the stage, the washout among them. */
export function checkInEffect(loads: readonly TrialLoad[], arms: readonly string[]): NotInEffectCheck {
  const found = arms.map((profileId) => {
    const own = loads.filter((load) => load.profileId === profileId);
    return { profileId, recorded: own.length, mismatched: own.filter(({ inEffect }) => !inEffect).length };
  });
  const worst = [...found].sort((a, b) => b.mismatched - a.mismatched)[0];
  const failed = found.find(
    ({ recorded, mismatched }) => mismatched >= FEWEST_NOT_IN_EFFECT && mismatched > recorded * MOST_NOT_IN_EFFECT_SHARE,
  );
  if (failed !== undefined) {
    const sentence = `${armWith(failed.profileId, 'was')} not in effect in ${failed.mismatched} of ${counted(failed.recorded, 'load')}: something else sets the same preferences.`;
    return { kind: 'not-in-effect', arms: found, outcome: 'failed', sentence };
  }
  if (worst === undefined || worst.mismatched === 0) {
    return { kind: 'not-in-effect', arms: found, outcome: 'passed', sentence: 'Every profile was in effect in its loads.' };
  }
  const sentence = `${armWith(worst.profileId, 'was')} not in effect in ${worst.mismatched} of ${counted(worst.recorded, 'load')}, which do not count.`;
  return { kind: 'not-in-effect', arms: found, outcome: 'warning', sentence };
}
