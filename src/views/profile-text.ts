/** What a person reads for a profile, in the page's language; settings without a translation stay English. */

import { CONTROL_ID } from '../core/profiles/presets.ts';
import { BASELINE_ID } from '../core/profiles/profile.ts';
import { armLabel, profileName } from '../core/text/profile-name.ts';
import { coreLanguage, fixedText, language, text } from './text.ts';

export const profileText = (profileId: string): string => profileName(profileId, coreLanguage);

/** What a person reads for the settings of a load: the baseline's are Firefox's own. */
export const settingsText = (profileId: string): string => (profileId === BASELINE_ID ? text('trend.baseline') : profileText(profileId));

/** What a person reads for a profile of a trial: its baseline and its control are named by what they are. */
export const armText = (profileId: string): string =>
  profileId === CONTROL_ID ? armLabel(profileId, coreLanguage) : settingsText(profileId);

/** The title of a profile: core has it in English, other languages what it sets. */
export function titleText(profileId: string, title: string): string {
  const said = fixedText(title);
  if (language === 'en' || said !== title) return said;
  const name = profileText(profileId);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
