/** How an entry of the catalogue is written: what its builds hold is read out of them, so that no entry states a desktop default. */
import type { Knob, KnobBounds, KnobProtocol, PreferenceValue, PricedValues } from '../knob.ts';

/** `as-desktop`: no file of Android's names it, and its declaration has no condition. `none`: only desktop files have it. `not-read`: nobody has looked. */
export type AndroidDefault = 'as-desktop' | 'none' | 'not-read' | { readonly value: PreferenceValue };

type Derived = 'subject' | 'defaults' | 'androidDefault' | 'builds';
type Assumed = 'versions' | 'confoundedBy' | 'class' | 'appliers' | 'witness' | 'readByUxp' | 'takesEffect';
/** Not known to be read by UXP, live, blurred by nothing, free, carried by whatever takes its name, without a witness, unless given. */
export type Entry = Omit<Knob, Derived | Assumed> & Partial<Pick<Knob, Assumed>> & { readonly android: AndroidDefault };

export const INT32_MAX = 2_147_483_647;
export const HANDLER = 'Firefox 140 netwerk/protocol/http/nsHttpHandler.cpp PrefsChanged';
export const MANAGER = 'netwerk/protocol/http/nsHttpConnectionMgr.cpp';
export const STATIC = 'Firefox 140 modules/libpref/init/StaticPrefList.yaml';
export const ALL_JS = 'Firefox 140 modules/libpref/init/all.js';
export const GECKOVIEW = 'mobile/android/app/geckoview-prefs.js';

/** Between 140 and 153: race-cache-with-network and the predictor are still in it. */
export const LIST_BETWEEN = 'github.com/mozilla-firefox/firefox 14565d2cd4df modules/libpref/init/StaticPrefList.yaml';
/** A little after 153. */
export const LIST_AFTER = 'github.com/larseggert/firefox 31aaa104c994 modules/libpref/init/StaticPrefList.yaml';
export const HANDLER_AFTER = 'github.com/larseggert/firefox 25429cef17b5 netwerk/protocol/http/nsHttpHandler.cpp PrefsChanged';
/** Lines without a condition, as they lie in the omni.ja. */
export const GREPREFS = 'greprefs.js of Firefox ESR 153.7';
export const FIREFOX_JS = 'defaults/preferences/firefox.js of Firefox ESR 153.7, desktop only';
/** Nothing but its name and default value was read. */
export const NOT_READ = 'its name and default value only: firefox.js, greprefs.js and the default branch of Firefox ESR 140.12 and 153.7';

/** The price of 0-RTT, RFC 8446 section 8 and appendix E.5. */
export const EARLY_DATA = 'With early data, somebody on the path can send a recorded request to the server again, and has it answered.';

/** What a knob costs at some of its values. */
export const costs = (price: string, pricedValues: PricedValues) => ({ class: 'costs-privacy-or-security' as const, price, pricedValues });

export const boolean: KnobBounds = { type: 'boolean' };
export const integer = (min: number, max: number, why?: string): KnobBounds => ({
  type: 'integer',
  min,
  max,
  ...(why === undefined ? {} : { why }),
});

/** Bounds that are what the code of Firefox clamps to. */
export const clamped = (min: number, max: number): KnobBounds => ({ type: 'integer', min, max, clamp: { min, max, beyond: 'nearest' } });

export function millisecondsKnob(
  preference: string,
  options: { label: string; max: number; readByUxp: boolean; protocol: KnobProtocol; effect: string; source: string },
): Entry {
  return {
    preference,
    label: options.label,
    bounds: clamped(0, options.max),
    android: 'as-desktop',
    readByUxp: options.readByUxp,
    protocol: options.protocol,
    takesEffect: 'live',
    effect: options.effect,
    source: options.source,
  };
}
