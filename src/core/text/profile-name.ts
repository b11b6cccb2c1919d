/** What a person reads for a profile, in a language: `12 connections`, `12 Verbindungen`. */
import { BASELINE_ID, CONTROL_ID, isPluralLabel, profileLabel } from '../profiles/presets.ts';
import { type CoreLanguage, IN_ENGLISH } from './figures.ts';

const CONNECTIONS = /^(\d+) connections?(?: with up to (\d+) requests on (each|it))?$/;
const SEPARATOR = ', ';

type Names = Pick<CoreLanguage, 'text' | 'label'>;

/** The parts of `profileLabel`, one by one. */
export const profileName = (profileId: string, language: Names = IN_ENGLISH): string =>
  profileLabel(profileId)
    .split(SEPARATOR)
    .map((part) => partName(part, language))
    .join(SEPARATOR);

/** The same at the start of a sentence. */
export function capitalName(profileId: string, language: Names = IN_ENGLISH): string {
  const name = profileName(profileId, language);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function partName(part: string, { text, label }: Names): string {
  const [, count, depth, on] = CONNECTIONS.exec(part) ?? [];
  if (count === undefined) return label(part);
  const connections = text('profile.connections', { count: Number(count) });
  if (depth === undefined) return connections;
  return text(on === 'it' ? 'profile.onIt' : 'profile.onEach', { connections, depth });
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
