/** How an entry of the catalogue is written: what its builds hold is read out of them, so that no entry states a desktop default. */
import type { Knob, KnobBounds, KnobProtocol, PreferenceValue } from '../knob.ts';

/** `as-desktop`: no file of Android's names it, and its declaration has no condition. `not-read`: nobody has looked. */
export type AndroidDefault = 'as-desktop' | 'not-read' | { readonly value: PreferenceValue };

type Derived = 'defaults' | 'androidDefault' | 'builds';
type Assumed = 'versions' | 'confoundedBy' | 'class' | 'appliers' | 'witness';
/** Read by every version known, blurred by nothing, free, carried by whatever takes its name, without a witness, unless given. */
export type Entry = Omit<Knob, Derived | Assumed> & Partial<Pick<Knob, Assumed>> & { readonly android: AndroidDefault };

export const INT32_MAX = 2_147_483_647;
export const HANDLER = 'Firefox 140 netwerk/protocol/http/nsHttpHandler.cpp PrefsChanged';
export const MANAGER = 'netwerk/protocol/http/nsHttpConnectionMgr.cpp';
export const STATIC = 'Firefox 140 modules/libpref/init/StaticPrefList.yaml';
export const ALL_JS = 'Firefox 140 modules/libpref/init/all.js';
export const GECKOVIEW = 'mobile/android/app/geckoview-prefs.js';

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
