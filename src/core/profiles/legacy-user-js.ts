/**
 * A profile as a block of user.js for Pale Moon and Basilisk, which still have HTTP/1.1 pipelining and have it on as shipped
 * (16 requests; UXP all.js): there a depth is real, and depth 1 must be set too.
 */
import { type ManualStep, manualStep, setsNothing } from './about-config.ts';
import { legacyPipelining } from './carrier.ts';
import { findKnob, inCatalogueOrder } from './catalogue.ts';
import { checkProfile } from './check-profile.ts';
import type { PreferenceValue } from './knob.ts';
import type { Profile } from './profile.ts';
import { USER_JS_BEGIN, USER_JS_END } from './user-js.ts';
import { userPref } from './user-pref.ts';

type Preferences = readonly (readonly [string, PreferenceValue])[];

const ONE_AT_A_TIME: Readonly<Record<string, PreferenceValue>> = {
  'network.http.pipelining': false,
  'network.http.pipelining.ssl': false,
  'network.http.proxy.pipelining': false,
};

/** The preferences that the profile sets there, in the catalogue's order, and those that are unknown there. */
export function legacyPreferences(profile: Profile): { readonly set: Preferences; readonly leftOut: readonly string[] } {
  checkProfile(profile);
  if (profile.connections === undefined && profile.depth === 1 && Object.keys(profile.preferences).length === 0) {
    throw setsNothing(profile);
  }
  const depth = profile.depth > 1 ? legacyPipelining(profile.depth) : ONE_AT_A_TIME;
  const all = inCatalogueOrder({ ...profile.preferences, ...depth });
  return { set: all.filter(([name]) => isReadByUxp(name)), leftOut: all.map(([name]) => name).filter((name) => !isReadByUxp(name)) };
}

/**
 * The block, each line ended by LF.
 * @throws PreferenceRefused, PlumbfoxError `bad-input` as `checkProfile`, and for a profile that sets nothing.
 */
export function legacyUserJs(profile: Profile): string {
  const { set, leftOut } = legacyPreferences(profile);
  const lines = [
    USER_JS_BEGIN,
    `//   ${profile.id}, for Pale Moon and Basilisk`,
    profile.depth > 1
      ? `//   Depth ${profile.depth} is HTTP/1.1 pipelining, for http, https and HTTP proxies; the browser goes below it until a server has proved itself.`
      : '//   Depth 1: pipelining, which these browsers have on as shipped, is turned off.',
    ...leftOut.map((name) => `//   Not included, unknown there: ${name}`),
    ...set.map(userPref),
    USER_JS_END,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** @throws as `legacyUserJs`. */
export function legacySteps(profile: Profile): readonly ManualStep[] {
  return [
    openFolder('Note, before anything else, which of these preferences are shown in bold on about:config: those hold values of your own.'),
    manualStep('Quit the browser. Add these lines to the end of user.js in that folder; make the file, if it is not there.', {
      'the lines': legacyUserJs(profile),
    }),
    manualStep('Start the browser. On about:config the preferences have these values now.'),
  ];
}

/** Values of user.js stay in the browser's own file when the block is gone. @throws as `legacyUserJs`. */
export function legacyUndo(profile: Profile): readonly ManualStep[] {
  return [
    openFolder(),
    manualStep(
      `Quit the browser. Remove the lines from “${USER_JS_BEGIN}” to “${USER_JS_END}”, both included, from user.js in that folder.`,
    ),
    manualStep('Start the browser, open about:config, and accept the warning if one is shown.', { 'the address': 'about:config' }),
    ...legacyPreferences(profile).set.map(([name]) =>
      manualStep(`Find ${name} and choose Reset from its menu, or set the value of your own that you noted.`, { 'the name': name }),
    ),
  ];
}

const openFolder = (more = ''): ManualStep =>
  manualStep(`Open about:support and press “Open Folder” beside “Profile Folder”.${more === '' ? '' : ` ${more}`}`, {
    'the address': 'about:support',
  });

export const isReadByUxp = (preference: string): boolean => findKnob(preference)?.readByUxp === true;
