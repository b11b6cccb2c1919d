/**
 * Preferences of the measuring browser, the same for every profile, each with its reason; the report and docs/lab.md list them. None of those that are
 * set whatever the servers is a knob of the catalogue (checked by a test).
 */
import type { PreferenceValue } from '../../core/profiles/knob.ts';
import { overTls, type ServedBy } from '../pages/served-by.ts';

interface LabPreference {
  readonly preference: string;
  readonly value: PreferenceValue;
  readonly why: string;
}

const because = (why: string, preferences: Readonly<Record<string, PreferenceValue>>): LabPreference[] =>
  Object.entries(preferences).map(([preference, value]) => ({ preference, value, why }));

export const LAB_PREFERENCES: readonly LabPreference[] = [
  ...because('Automation must not change preferences of its own (remote/shared/RecommendedPreferences.sys.mjs)', {
    'remote.prefs.recommended': false,
  }),
  ...because('Experiments are refused by default; ESR, Developer Edition and Nightly take them with this', {
    'extensions.experiments.enabled': true,
    'xpinstall.signatures.required': false,
  }),
  ...because('HTTPS-First would try every plain-http page over TLS first', {
    'dom.security.https_first': false,
    'dom.security.https_first_schemeless': false,
    'dom.security.https_only_mode': false,
  }),
  ...because('Full timer precision: the default rounds to 1 ms with jitter (nsRFPService)', { 'privacy.reduceTimerPrecision': false }),
  ...because('The browser must fetch nothing of its own while a page is measured', {
    'app.normandy.enabled': false,
    'app.update.auto': false,
    'app.update.disabledForTesting': true,
    'browser.newtabpage.enabled': false,
    'browser.newtabpage.activity-stream.feeds.system.topstories': false,
    'browser.newtabpage.activity-stream.feeds.telemetry': false,
    'browser.region.network.url': '',
    'browser.safebrowsing.blockedURIs.enabled': false,
    'browser.safebrowsing.downloads.enabled': false,
    'browser.safebrowsing.malware.enabled': false,
    'browser.safebrowsing.phishing.enabled': false,
    'browser.safebrowsing.update.enabled': false,
    'browser.search.update': false,
    'browser.topsites.contile.enabled': false,
    'datareporting.healthreport.uploadEnabled': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'datareporting.policy.dataSubmissionPolicyBypassNotification': true,
    'dom.push.connection.enabled': false,
    'extensions.getAddons.cache.enabled': false,
    'extensions.systemAddon.update.enabled': false,
    'extensions.update.enabled': false,
    'media.gmp-manager.updateEnabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'network.trr.mode': 5,
    'privacy.trackingprotection.annotate_channels': false,
    'services.settings.server': 'data:,#remote-settings-dummy/v1',
    'toolkit.telemetry.enabled': false,
    'toolkit.telemetry.server': 'data:,',
  }),
  ...because('The browser must start with a blank tab only', {
    'browser.aboutwelcome.enabled': false,
    'browser.startup.homepage': 'about:blank',
    'browser.startup.homepage_override.mstone': 'ignore',
    'browser.startup.page': 0,
    'browser.shell.checkDefaultBrowser': false,
    'browser.tabs.warnOnClose': false,
    'browser.sessionstore.resume_from_crash': false,
    'browser.warnOnQuit': false,
    'startup.homepage_welcome_url': 'about:blank',
    'termsofuse.acceptedVersion': 999,
    'termsofuse.bypassNotification': true,
    'toolkit.startup.max_resumed_crashes': -1,
  }),
  ...because('The emulated network has no route to the internet, which must not make the browser think that it is offline', {
    'network.manage-offline-status': false,
  }),
  ...because(
    'The throbber of a loading tab is drawn 60 times a second, in software: half of the CPU time of the browser process in a load',
    {
      'ui.prefersReducedMotion': 1,
      'toolkit.cosmeticAnimations.enabled': false,
    },
  ),
  ...because('A measured tab must not be throttled for being out of sight', { 'widget.windows.window_occlusion_tracking.enabled': false }),
];

/** What makes Firefox ask a name server of the lab (`network.trr.uri`), and nothing else. */
export const ASKS_SERVER = {
  'network.dns.native-is-localhost': false,
  'network.trr.allow-rfc1918': true,
  'network.trr.confirmationNS': 'skip',
  'network.trr.mode': 3,
} as const satisfies Readonly<Record<string, PreferenceValue>>;

const THIRD_PARTY_ROOTS = because(
  'Firefox uses no HTTP/3 where an authority is trusted that it was not shipped with, in case that one listens in: the lab has an authority of its own',
  { 'network.http.http3.disable_when_third_party_roots_found': false },
);

/** Besides those, where servers are reached over TLS at their addresses. */
export const SECURE_SERVER_PREFERENCES: readonly LabPreference[] = [
  ...THIRD_PARTY_ROOTS,
  ...because(
    'Firefox begins a TCP connection beside one of QUIC that is not established after 100 ms, and uses what is established first: over a far or busy link 4 of 10 loads that were meant to come over HTTP/3 came over HTTP/2',
    { 'network.http.http3.backup_timer_delay': 30_000 },
  ),
];

/** Besides those, where servers have names and speak every version of HTTP. */
export const NAMED_SERVER_PREFERENCES: readonly LabPreference[] = [
  ...THIRD_PARTY_ROOTS,
  ...because('Names of the lab are known to its own name server alone, which Firefox asks over HTTPS', ASKS_SERVER),
];

/** Each value by its name. */
export const valuesOf = (preferences: readonly LabPreference[]): Readonly<Record<string, PreferenceValue>> =>
  Object.fromEntries(preferences.map(({ preference, value }) => [preference, value]));

/** All that the lab sets for every profile, in a run whose pages are served by these. */
export const labPreferences = (servedBy: readonly ServedBy[] = []): Readonly<Record<string, PreferenceValue>> => ({
  ...valuesOf(LAB_PREFERENCES),
  ...(servedBy.some((kind) => overTls(kind) && kind !== 'negotiated') && valuesOf(SECURE_SERVER_PREFERENCES)),
  ...(servedBy.includes('negotiated') && valuesOf(NAMED_SERVER_PREFERENCES)),
});
