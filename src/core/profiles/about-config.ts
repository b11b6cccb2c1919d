/**
 * A profile set manually on Firefox's page of preferences, about:config, and undone there. On Android that page is another one with the
 * same buttons, and release builds refuse its short address (GeckoProvider.kt, `aboutConfigEnabled`); the long one is what
 * docshell/base/nsAboutRedirector.cpp leads it to there. https://support.mozilla.org/kb/about-config-editor-firefox
 */
import { PlumbfoxError } from '../errors.ts';
import { isHeeded, preferencesFor } from './carrier.ts';
import { findKnob, inCatalogueOrder } from './catalogue.ts';
import { checkProfile } from './check-profile.ts';
import type { Platform, PreferenceValue } from './knob.ts';
import type { Profile } from './profile.ts';
import { checkCarriedBy } from './settable.ts';

const ABOUT_CONFIG = 'about:config';
/** The same page on Android by its own address, which release builds do not refuse. */
const ANDROID_CONFIG = 'chrome://geckoview/content/config.xhtml';

interface PageOptions {
  readonly platform: Platform;
}

interface Wanted {
  readonly name: string;
  readonly value: PreferenceValue;
  /** The value shipped on the platform; `undefined`: not known. */
  readonly shipped: PreferenceValue | undefined;
}

/**
 * The steps in order; `restartStep` comes last.
 * @throws PreferenceRefused, PlumbfoxError `bad-input` as `checkProfile`, and for a profile that sets nothing.
 */
export function aboutConfigSteps(profile: Profile, { platform }: PageOptions): readonly ManualStep[] {
  return [
    openStep(platform),
    manualStep('A preference that holds a value of your own is shown in bold. Write that value down before you change it.'),
    ...manualPreferences(profile, platform).map(setStep),
  ];
}

/** The steps that undo `aboutConfigSteps`; `restartStep` comes last. @throws as `aboutConfigSteps`. */
export function aboutConfigUndo(profile: Profile, { platform }: PageOptions): readonly ManualStep[] {
  return [openStep(platform), ...manualPreferences(profile, platform).map(resetStep)];
}

/** The last step: without a restart, connections that are open already go on as they were. */
export function restartStep(platform: Platform): ManualStep {
  return manualStep(
    platform === 'android'
      ? 'Close Firefox (swipe it away from the recent apps) and open it again: open connections ignore the new values.'
      : 'Quit Firefox and start it again: open connections ignore the new values.',
  );
}

/** The preferences that the profile sets without any program's help. @throws PlumbfoxError `bad-input` where that is nothing. */
export function manualPreferences(profile: Profile, platform: Platform): readonly Wanted[] {
  checkProfile(profile);
  checkCarriedBy('about-config', profile.preferences);
  const set = inCatalogueOrder(preferencesFor(profile, 'none')).filter(([name]) => isHeeded(name));
  if (set.length === 0) throw setsNothing(profile);
  return set.map(([name, value]) => ({ name, value, shipped: findKnob(name)?.defaults[platform] }));
}

/** The error for a profile of which nothing is to be set manually. */
export const setsNothing = ({ id }: Profile): PlumbfoxError =>
  new PlumbfoxError('bad-input', `${id} sets nothing, so there is nothing to do; to go back, undo the profile you set`);

function openStep(platform: Platform): ManualStep {
  return platform === 'android'
    ? manualStep('Open about:config in a new tab (Firefox Beta and Nightly), or the long address, where Firefox does not open it.', {
        'the address': ABOUT_CONFIG,
        'the long address': ANDROID_CONFIG,
      })
    : manualStep('Open about:config in a new tab, and accept the risk if Firefox asks.', { 'the address': ABOUT_CONFIG });
}

function setStep({ name, value, shipped }: Wanted): ManualStep {
  const about = shipped === undefined || shipped === value ? '' : ` (${shipped} as shipped)`;
  if (shipped === value) {
    return manualStep(`Search for ${name}. It is to be ${value}, as shipped: if it shows anything else, press Reset.`, {
      'the name': name,
    });
  }
  return typeof value === 'boolean'
    ? manualStep(`Search for ${name}, and press Toggle unless it shows ${value} already${about}.`, { 'the name': name })
    : manualStep(`Search for ${name}, press Edit, and set it to ${value}${about}.`, { 'the name': name, 'the value': String(value) });
}

function resetStep({ name, shipped }: Wanted): ManualStep {
  const to = shipped === undefined ? '' : `, so that it shows ${shipped}`;
  return manualStep(`Search for ${name} and press Reset${to}; if you had written down a value of your own, set that one instead.`, {
    'the name': name,
    ...(shipped !== undefined && { 'the value': String(shipped) }),
  });
}

/** One thing that a person does to put a profile in place, or to undo it, where no program may. */
export interface ManualStep {
  /** What to do: one or two whole sentences. */
  readonly text: string;
  /** What the step needs letter by letter; empty: nothing. */
  readonly copies: readonly ManualCopy[];
}

export interface ManualCopy {
  /** What it is, after "Copy": `the name`, `the value`, `the command`. */
  readonly what: string;
  /** Without a line end where it is one line. */
  readonly text: string;
}

export const manualStep = (text: string, copies: Readonly<Record<string, string>> = {}): ManualStep => ({
  text,
  copies: Object.entries(copies).map(([what, copied]) => ({ what, text: copied })),
});
