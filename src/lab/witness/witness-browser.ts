/** The Firefox of the witnesses: headless, on a profile of its own, driven from its parent process; preferences are switched live. */
import * as v from 'valibot';
import type { PreferenceValue } from '../../core/profiles/knob.ts';
import type { Applier } from '../../core/profiles/profile.ts';
import { driverApplier } from '../firefox/appliers.ts';
import { type ChromeContext, chromeContext } from '../firefox/chrome-context.ts';
import { launchFirefox } from '../firefox/launch-firefox.ts';
import { trustAuthority } from '../firefox/secure-servers.ts';

/** Values of preferences by name. */
export type Preferences = Readonly<Record<string, PreferenceValue>>;

export interface WitnessBrowser {
  readonly chrome: ChromeContext;
  readonly applier: Applier;
  /** Opens an address in the tab in front, and waits for nothing. */
  open(url: string): Promise<void>;
  /** Opens an address in a new tab, in front or behind, and waits for nothing. */
  openTab(url: string, options: { readonly front: boolean }): Promise<void>;
  /** Presses a mouse button in the middle of the page in front, as a person would. */
  press(): Promise<void>;
  /** Sets preferences that a scenario needs; they are no knob under test. */
  set(preferences: Preferences): Promise<void>;
  /** Leaves one blank tab, no connection, no cached name and no cached response, and the preferences as they were before `set`. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

const SET = `entries => {
  for (const [name, value] of entries) {
    if (typeof value === 'number') Services.prefs.setIntPref(name, value);
    else if (typeof value === 'boolean') Services.prefs.setBoolPref(name, value);
    else Services.prefs.setStringPref(name, value);
  }
}`;

const FORMERS = `names => names.map(name => {
  const { prefs } = Services;
  if (!prefs.prefHasUserValue(name)) return [name, null];
  const kind = prefs.getPrefType(name);
  return [name, kind === prefs.PREF_INT ? prefs.getIntPref(name) : kind === prefs.PREF_BOOL ? prefs.getBoolPref(name) : prefs.getStringPref(name)];
})`;

const CLEAR_PREFERENCE = 'names => { for (const name of names) Services.prefs.clearUserPref(name); }';

const TABS = `Services.wm.getMostRecentWindow('navigator:browser').gBrowser`;
const SYSTEM = '{ triggeringPrincipal: Services.scriptSecurityManager.getSystemPrincipal() }';

const OPEN = `url => { ${TABS}.selectedBrowser.loadURI(Services.io.newURI(url), ${SYSTEM}); }`;

const OPEN_TAB = `({ url, front }) => {
  const tab = ${TABS}.addTab(url, ${SYSTEM});
  if (front) ${TABS}.selectedTab = tab;
}`;

/** The event is of the window itself, and counts as the person's. */
const PRESS = `() => {
  const window = Services.wm.getMostRecentWindow('navigator:browser');
  const { left, top, width, height } = window.gBrowser.selectedBrowser.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  for (const type of ['mousedown', 'mouseup']) window.synthesizeMouseEvent(type, x, y, { button: 0, clickCount: 1 }, {});
}`;

/** Pages must be gone before connections are let go of, or they would open new ones. A new tab has nothing left to load. */
const LEAVE = `() => {
  const tabs = ${TABS};
  const tab = tabs.addTab('about:blank', ${SYSTEM});
  tabs.selectedTab = tab;
  tabs.removeAllTabsBut(tab, { animate: false, skipWarnAboutClosingTabs: true, skipPermitUnload: true });
  Services.obs.notifyObservers(null, 'net:prune-all-connections');
  Services.cache2.clear();
  Cc['@mozilla.org/network/dns-service;1'].getService(Ci.nsIDNSService).clearCache(true);
}`;

const former = v.array(v.tuple([v.string(), v.nullable(v.union([v.number(), v.boolean(), v.string()]))]));

/** @param authority - Certificate of an authority to trust, base64 of DER. */
export async function witnessBrowser(options: {
  readonly program: string;
  readonly authority?: string;
  readonly preferences?: Preferences;
}): Promise<WitnessBrowser> {
  const firefox = await launchFirefox({
    program: options.program,
    preferences: { ...WITNESS_PREFERENCES, ...options.preferences },
    // Without it Firefox takes no other server for its settings than its own, and would look that one's name up.
    env: { ...process.env, MOZ_REMOTE_SETTINGS_DEVTOOLS: '1' },
  });
  try {
    const chrome = await chromeContext(firefox.browser);
    if (options.authority !== undefined) await trustAuthority(firefox, options.authority);
    const formers = new Map<string, PreferenceValue | null>();
    return {
      chrome,
      applier: await driverApplier(firefox),
      open: async (url) => {
        await chrome.run<null>(OPEN, url);
      },
      openTab: async (url, { front }) => {
        await chrome.run<null>(OPEN_TAB, { url, front });
      },
      press: async () => {
        await chrome.run<null>(PRESS, null);
      },
      set: async (preferences) => {
        const names = Object.keys(preferences).filter((name) => !formers.has(name));
        for (const [name, value] of await chrome.ask(FORMERS, names, former)) formers.set(name, value);
        await chrome.run<null>(SET, Object.entries(preferences));
      },
      clear: async () => {
        await chrome.run<null>(LEAVE, null);
        const unset = [...formers].filter(([, value]) => value === null).map(([name]) => name);
        await chrome.run<null>(CLEAR_PREFERENCE, unset);
        await chrome.run<null>(
          SET,
          [...formers].filter(([, value]) => value !== null),
        );
        formers.clear();
      },
      close: () => firefox.close(),
    };
  } catch (error) {
    await firefox.close();
    throw error;
  }
}

/** What every scenario needs and none is about. */
const WITNESS_PREFERENCES: Preferences = {
  // Names below .test are of this machine; scenarios about names have a DNS server of their own.
  'network.dns.native-is-localhost': true,
  // Firefox uses no HTTP/3 where an authority is trusted that it was not shipped with.
  'network.http.http3.disable_when_third_party_roots_found': false,
};
