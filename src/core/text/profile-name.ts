/** What a person reads for a profile, in a language: `12 connections`, `12 Verbindungen`. */
import { assertNever } from '../errors.ts';
import { CONTROL_ID, isPluralLabel, type NamePart, nameParts } from '../profiles/presets.ts';
import { BASELINE_ID } from '../profiles/profile.ts';
import { settingLabel } from '../profiles/settings-label.ts';
import { type CoreLanguage, IN_ENGLISH } from './figures.ts';

type Names = Pick<CoreLanguage, 'text' | 'label' | 'setting'>;

/** In English the same as `profileLabel`. */
export const profileName = (profileId: string, language: Names = IN_ENGLISH): string =>
  nameParts(profileId)
    // How many more there are brings its own comma, or none.
    .map((part, at) => `${at === 0 || part.kind === 'more' ? '' : ', '}${partName(part, language)}`)
    .join('');

/** The same at the start of a sentence. */
export function capitalName(profileId: string, language: Names = IN_ENGLISH): string {
  const name = profileName(profileId, language);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function partName(part: NamePart, { text, label, setting }: Names): string {
  switch (part.kind) {
    case 'connections': {
      const { connections: count, depth } = part;
      const connections = text('profile.connections', { count });
      if (depth === 1) return connections;
      return text(count === 1 ? 'profile.onIt' : 'profile.onEach', { connections, depth });
    }
    case 'own':
      return label(part.name);
    case 'setting':
      return settingLabel(part.preference, part.value, setting);
    case 'more':
      return text('profile.more', { more: part.count });
    default:
      return assertNever(part);
  }
}

/** The `count` of a message that has a plural form for settings whose name is a plural. */
export const numberOf = (profileId: string): 1 | 2 => (isPluralLabel(profileId) ? 2 : 1);

/** A trial's baseline and control are named by what they are. */
export function armLabel(profileId: string, language: Names = IN_ENGLISH): string {
  if (profileId === BASELINE_ID) return language.text('arm.baseline');
  return profileId === CONTROL_ID ? language.text('arm.control') : profileName(profileId, language);
}

/** The `count` for `armLabel`. */
export const armNumber = (profileId: string): 1 | 2 => (profileId === BASELINE_ID || profileId === CONTROL_ID ? 2 : numberOf(profileId));
