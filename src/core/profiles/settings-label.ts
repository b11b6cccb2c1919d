/** What preferences are called on a screen, made of the catalogue's labels: `no request pacing`, `starts in one burst 30`. */
import { findKnob, inCatalogueOrder } from './catalogue.ts';
import type { PreferenceValue } from './knob.ts';

/** Where there are more, the last is a count of them: a label stands within a sentence. */
const MAX_LISTED = 3;

/** Each preference with its value, in the catalogue's order; of more than three the first two, and `and 9 more`. */
export function settingsLabels(preferences: Readonly<Record<string, PreferenceValue>>): readonly string[] {
  const all = inCatalogueOrder(preferences).map(([preference, value]) => settingLabel(preference, value));
  return all.length <= MAX_LISTED ? all : [...all.slice(0, MAX_LISTED - 1), `and ${all.length - MAX_LISTED + 1} more`];
}

/** One preference with its value; a preference outside the catalogue goes by its name. */
export function settingLabel(preference: string, value: PreferenceValue): string {
  const label = lowerFirst(findKnob(preference)?.label ?? preference);
  if (typeof value !== 'boolean') {
    const [what, unit] = label.split(/, (?=\S+$)/);
    return unit === undefined ? `${what} ${value}` : `${what} ${value} ${unit}`;
  }
  if (value) return label;
  return label.startsWith('no ') ? label.slice('no '.length) : `no ${label}`;
}

/** `DNS` and `HTTP/3` stay as they are. */
const lowerFirst = (text: string): string => (/^[A-Z](?:[a-z]|$)/.test(text) ? text[0]?.toLowerCase() + text.slice(1) : text);
