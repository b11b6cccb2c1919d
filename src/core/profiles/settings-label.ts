/** What preferences are called on a screen, made of the catalogue's labels: `no request pacing`, `starts in one burst 30`. */
import { CATALOGUE, inCatalogueOrder, placeOf } from './catalogue.ts';
import type { PreferenceValue } from './knob.ts';

/** Where there are more, the last is a count of them: a label stands within a sentence. */
const MAX_LISTED = 3;

/** A part of a profile's name: a preference with its value, or how many more are not named. */
export type SettingPart =
  | { readonly kind: 'setting'; readonly preference: string; readonly value: PreferenceValue }
  | { readonly kind: 'more'; readonly count: number };

/** Each preference with its value, in the catalogue's order; of more than three the first two, and how many more. */
export function settingParts(preferences: Readonly<Record<string, PreferenceValue>>): readonly SettingPart[] {
  const all = inCatalogueOrder(preferences).map(([preference, value]): SettingPart => ({ kind: 'setting', preference, value }));
  return all.length <= MAX_LISTED ? all : [...all.slice(0, MAX_LISTED - 1), { kind: 'more', count: all.length - MAX_LISTED + 1 }];
}

/** How a language words a preference with its value. */
export interface SettingWords {
  /** The name of the preference at this place in the catalogue, as it stands within a sentence; empty: there is none but the English one. */
  readonly nameAt: (place: number) => string;
  /** Before the name of what is switched off; a name that begins with it loses it. */
  readonly without: string;
  readonly withValue: (name: string, value: string) => string;
}

const ENGLISH: SettingWords = { nameAt: () => '', without: 'no ', withValue: (name, value) => `${name} ${value}` };

/** One preference with its value; a preference outside the catalogue goes by its name. */
export function settingLabel(preference: string, value: PreferenceValue, words: SettingWords = ENGLISH): string {
  const { nameAt, without, withValue } = words;
  const place = placeOf(preference);
  const name = nameAt(place) || lowerFirst(CATALOGUE[place]?.label ?? preference);
  if (typeof value !== 'boolean') {
    const [what = name, unit] = name.split(/, (?=\S+$)/);
    return withValue(what, unit === undefined ? String(value) : `${value} ${unit}`);
  }
  if (value) return name;
  return name.startsWith(without) ? name.slice(without.length) : `${without}${name}`;
}

/** `DNS` and `HTTP/3` stay as they are. */
const lowerFirst = (text: string): string => (/^[A-Z](?:[a-z]|$)/.test(text) ? text[0]?.toLowerCase() + text.slice(1) : text);
