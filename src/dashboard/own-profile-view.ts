/** The section "Make your own": what can be set, with its bounds and what it does, and the profile that the choices make. Pure. */
import { assertNever } from '../core/errors.ts';
import { CATALOGUE, findKnob, placeOf } from '../core/profiles/catalogue.ts';
import type { Knob, PreferenceValue } from '../core/profiles/knob.ts';
import { BASELINE_ID } from '../core/profiles/profile.ts';
import { readParts } from '../core/profiles/profile-expression.ts';
import { pricesOf } from '../core/profiles/profile-price.ts';
import { EFFECTS } from '../core/profiles/reference/effects.ts';
import { refusalToSet } from '../core/profiles/settable.ts';
import { settingLabel } from '../core/profiles/settings-label.ts';
import { coreLanguage, fixedText, preferenceText, text } from '../views/text.ts';

/** Preferences that may be chosen, in the catalogue's order. */
export const settable = (): readonly Knob[] => CATALOGUE.filter((knob) => refusalToSet(knob) === undefined);

/** A preference in the list of those: what it is called, and its name. */
export function optionLabel({ preference, label }: Knob): string {
  const name = preferenceText('names', placeOf(preference));
  return `${name === '' ? label : `${name.charAt(0).toUpperCase()}${name.slice(1)}`} (${preference})`;
}

interface KnobView {
  /** Values to choose from; absent: a number is typed. */
  readonly values?: readonly string[];
  readonly effect: string;
  readonly bounds: string;
  /** What it costs; absent: nothing does. */
  readonly price?: string;
}

/** What a person reads of a preference before they choose its value; `undefined`: it cannot be chosen. */
export function knobView(preference: string): KnobView | undefined {
  const knob = findKnob(preference);
  if (knob === undefined) return undefined;
  const { price, defaults } = knob;
  const shipped = defaults.desktop === undefined ? text('figure.unknown') : String(defaults.desktop);
  const about = {
    effect: preferenceText('effects', placeOf(preference)) || (EFFECTS[preference] ?? ''),
    ...(price !== undefined && { price: text('own.price', { price: fixedText(price) }) }),
  };
  const { bounds } = knob;
  switch (bounds.type) {
    case 'boolean':
      return { ...about, values: ['true', 'false'], bounds: text('own.default', { shipped }) };
    case 'integer':
    case 'decimal':
      return { ...about, bounds: text('own.bounds', { min: String(bounds.min), max: String(bounds.max), shipped }) };
    default:
      return assertNever(bounds);
  }
}

/** The value that was typed or chosen. @throws PlumbfoxError, PreferenceRefused as `readParts`. */
export const chosenValue = (preference: string, value: string): PreferenceValue | undefined =>
  readParts([`${preference}=${value}`])[preference];

/** The chosen settings as one expression. */
export const ownExpression = (chosen: ReadonlyMap<string, PreferenceValue>): string =>
  [BASELINE_ID, ...[...chosen].map(([preference, value]) => `${preference}=${value}`)].join('+');

interface ChosenSetting {
  readonly preference: string;
  readonly label: string;
  readonly price?: string;
}

/** The chosen settings as they are listed. */
export const chosenSettings = (chosen: ReadonlyMap<string, PreferenceValue>): readonly ChosenSetting[] =>
  [...chosen].map(([preference, value]) => {
    const [priced] = pricesOf({ [preference]: value });
    return {
      preference,
      label: settingLabel(preference, value, coreLanguage.setting),
      ...(priced && { price: text('own.price', { price: fixedText(priced.price) }) }),
    };
  });
