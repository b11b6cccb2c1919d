/** How an entry of the catalogue is written: what its builds hold is read out of them, so that no entry states a desktop default. */
import type { Knob, KnobBounds, KnobProtocol, PreferenceValue, PricedValues, ReadVersion } from '../knob.ts';

/**
 * `as-desktop`: no file of Android's names it, and its declaration has no condition, so that each version has the desktop's value. `none`: only
 * desktop files have it. `not-read`: nobody has looked. `until`: the last version read in which it is this value.
 */
export type AndroidDefault = 'as-desktop' | 'none' | 'not-read' | { readonly value: PreferenceValue; readonly until?: ReadVersion };

type Derived = 'subject' | 'defaults' | 'android' | 'builds';
type Assumed = 'versions' | 'class' | 'appliers' | 'readByUxp' | 'takesEffect';
/** Not known to be read by UXP, live, free, carried by whatever takes its name, unless given. */
export type Entry = Omit<Knob, Derived | Assumed> & Partial<Pick<Knob, Assumed>> & { readonly android: AndroidDefault };

export const INT32_MAX = 2_147_483_647;

/** The price of 0-RTT, RFC 8446 section 8 and appendix E.5. */
export const EARLY_DATA = 'With early data, somebody on the path can send a recorded request to the server again, and has it answered.';

/** What a knob costs at some of its values; without these, at every value. */
export const costs = (price: string, pricedValues?: PricedValues) => ({
  class: 'costs-privacy-or-security' as const,
  price,
  ...(pricedValues === undefined ? {} : { pricedValues }),
});

export const boolean: KnobBounds = { type: 'boolean' };
export const integer = (min: number, max: number): KnobBounds => ({ type: 'integer', min, max });

/** Bounds that are what the code of Firefox clamps to. */
export const clamped = (min: number, max: number): KnobBounds => ({ type: 'integer', min, max, clamp: { min, max, beyond: 'nearest' } });

export function millisecondsKnob(
  preference: string,
  options: { label: string; max: number; readByUxp: boolean; protocol: KnobProtocol },
): Entry {
  return {
    preference,
    label: options.label,
    bounds: clamped(0, options.max),
    android: 'as-desktop',
    readByUxp: options.readByUxp,
    protocol: options.protocol,
    takesEffect: 'live',
  };
}
