/** The two ways in which a lane's Firefox takes a profile: by the extension's Experiment, and by the driver where Firefox refuses Experiments. */
import * as v from 'valibot';
import { PlumbfoxError, PreferenceRefused } from '../../core/errors.ts';
import { preferencesFor, routePreferences } from '../../core/profiles/carrier.ts';
import { CATALOGUE } from '../../core/profiles/catalogue.ts';
import { checkPreference } from '../../core/profiles/check-profile.ts';
import type { PreferenceValue } from '../../core/profiles/knob.ts';
import {
  type AppliedProfile,
  type Applier,
  type Carrier,
  type GatewayRoute,
  type PreferenceReadback,
  preferenceReadbackSchema,
} from '../../core/profiles/profile.ts';
import { type ChromeContext, chromeContext } from './chrome-context.ts';
import type { ExtensionSession } from './extension-session.ts';
import type { RunningFirefox } from './launch-firefox.ts';

interface Former {
  readonly preference: string;
  readonly userSet: boolean;
  readonly value: PreferenceValue | undefined;
  readonly setTo: PreferenceValue;
}

const READ = `names => names.map(preference => {
  const { prefs } = Services;
  const kind = prefs.getPrefType(preference);
  const type = kind === prefs.PREF_INT ? 'integer' : kind === prefs.PREF_BOOL ? 'boolean' : kind === prefs.PREF_STRING ? 'string' : 'none';
  const value = type === 'integer' ? prefs.getIntPref(preference) : type === 'boolean' ? prefs.getBoolPref(preference) : type === 'string' ? prefs.getStringPref(preference) : undefined;
  return { preference, value, type, locked: prefs.prefIsLocked(preference), userSet: prefs.prefHasUserValue(preference) };
})`;

const WRITE = `changes => {
  for (const { preference, value } of changes) {
    if (value === undefined || value === null) Services.prefs.clearUserPref(preference);
    else if (typeof value === 'number') Services.prefs.setIntPref(preference, value);
    else if (typeof value === 'boolean') Services.prefs.setBoolPref(preference, value);
    else Services.prefs.setStringPref(preference, value);
  }
  Services.obs.notifyObservers(null, 'net:prune-all-connections');
}`;

/** `nsIEnterprisePolicies.ACTIVE`. */
const POLICIES_ACTIVE = 1;

/** The gateway's secret, so that its first challenge is answered: the release build cannot do it (nsIHttpAuthManager). */
const AUTHENTICATE = `({ host, port, secret, user }) => {
  const manager = Cc['@mozilla.org/network/http-auth-manager;1'].getService(Ci.nsIHttpAuthManager);
  manager.setAuthIdentity('http', host, port, 'basic', 'plumbfox', '', '', user, secret, false, null);
}`;

/**
 * Sets preferences from outside, for a Firefox that refuses Experiments (release and beta): the browser's own parent process does what the
 * Experiment API would. The answers say so wherever it was used.
 * @param extension - Whose recorder must know what is in effect; absent where nothing is recorded.
 */
export async function driverApplier(firefox: RunningFirefox, extension?: ExtensionSession): Promise<Applier> {
  const chrome = await chromeContext(firefox.browser);
  if ((await chrome.ask('() => Services.policies.status', null, v.number())) === POLICIES_ACTIVE) throw activePolicy();
  let formers: Former[] = [];
  const read = (names: readonly string[]) => chrome.ask(READ, names, v.array(preferenceReadbackSchema));
  const restore = async (entries: readonly Former[]) => {
    const present = new Map((await read(entries.map(({ preference }) => preference))).map((held) => [held.preference, held.value]));
    const ours = entries.filter((entry) => present.get(entry.preference) === entry.setTo);
    await write(
      chrome,
      ours.toReversed().map(({ preference, userSet, value }) => ({ preference, value: userSet ? value : undefined })),
    );
    return {
      restored: ours.map(({ preference }) => preference),
      leftAlone: entries.filter((entry) => !ours.includes(entry)).map(({ preference }) => preference),
    };
  };
  return {
    kind: 'driver',
    takesEffect: 'live',
    readBack: () => read(CATALOGUE.map(({ preference }) => preference)),
    revert: async () => {
      const result = await restore(formers);
      formers = [];
      return result;
    },
    apply: async (profile, options) => {
      const carrier: Carrier = options?.route ? 'gateway' : 'none';
      const intended = { ...preferencesFor(profile, carrier), ...(options?.route && routePreferences(options.route)) };
      for (const [preference, value] of Object.entries(preferencesFor(profile, carrier))) checkPreference(preference, value);
      const changed = (await read(formers.map(({ preference }) => preference))).find((held, index) => held.value !== formers[index]?.setTo);
      if (changed)
        throw new PreferenceRefused(changed.preference, 'changed-by-someone-else', 'was changed by someone else since Plumbfox set it');
      refuseLocked(await read(Object.keys(intended)));
      if (options?.route) await chrome.run<null>(AUTHENTICATE, { ...options.route, user: 'plumbfox' });
      await restore(formers);
      const before = await read(Object.keys(intended));
      formers = before.map(({ preference, userSet, value }) => ({
        preference,
        userSet,
        value,
        setTo: intended[preference] as PreferenceValue,
      }));
      await write(
        chrome,
        Object.entries(intended).map(([preference, value]) => ({ preference, value })),
      );
      const readBack = await read(Object.keys(intended));
      const applied: AppliedProfile = {
        profileId: profile.id,
        applier: 'driver',
        carrier,
        intended,
        readBack,
        mismatches: readBack.filter((held) => held.value !== intended[held.preference]).map(({ preference }) => preference),
      };
      if (extension) await noteApplied(extension, applied, options?.route);
      return applied;
    },
  };
}

const write = (chrome: ChromeContext, changes: readonly { preference: string; value: PreferenceValue | undefined }[]) =>
  chrome.run<null>(WRITE, changes);

function refuseLocked(held: readonly PreferenceReadback[]): void {
  const locked = held.find((each) => each.locked);
  if (locked)
    throw new PreferenceRefused(locked.preference, 'locked', `is locked at ${String(locked.value)} by a policy or a configuration file`);
}

/** The recorder must know what was in effect, and the gateway's secret. */
async function noteApplied(extension: ExtensionSession, applied: AppliedProfile, route: GatewayRoute | undefined): Promise<void> {
  await extension.request({
    kind: 'note-applied',
    applied: {
      ...applied,
      intended: { ...applied.intended },
      mismatches: [...applied.mismatches],
      readBack: applied.readBack.map(({ value, ...rest }) => ({ ...rest, ...(value === undefined ? {} : { value }) })),
    },
    ...(route ? { route: { ...route } } : {}),
  });
}

/** The extension's own applier, reached through its messages. */
export function extensionApplier(extension: ExtensionSession): Applier {
  return {
    kind: 'experiment-api',
    takesEffect: 'live',
    apply: ({ connections, ...profile }, options) =>
      extension.request({
        kind: 'apply-profile',
        profile: { ...profile, ...(connections === undefined ? {} : { connections }), preferences: { ...profile.preferences } },
        ...(options?.route ? { route: { ...options.route } } : {}),
      }),
    readBack: () => extension.request({ kind: 'read-back' }),
    revert: () => extension.request({ kind: 'revert-profile' }),
  };
}

/** The error of a measuring browser whose preferences something else decides too. */
export const activePolicy = (): PlumbfoxError =>
  new PlumbfoxError('environment', 'An enterprise policy is active in the measuring Firefox: remove it, it would decide for every profile');
