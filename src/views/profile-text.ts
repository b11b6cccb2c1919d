/** What a person reads for a profile, in the page's language; settings without a translation stay English. */
import { profileName } from '../core/text/profile-name.ts';
import { coreLanguage, fixedText, language } from './text.ts';

export const profileText = (profileId: string): string => profileName(profileId, coreLanguage);

/** The title of a profile: core has it in English, other languages what it sets. */
export function titleText(profileId: string, title: string): string {
  const said = fixedText(title);
  if (language === 'en' || said !== title) return said;
  const name = profileText(profileId);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
