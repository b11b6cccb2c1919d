/**
 * Preferences of the measuring browser, the same for every profile, each with its reason; the report lists them. None of
 * them is a knob of the catalogue (checked by a test).
 */
import type { PreferenceValue } from '../../core/profiles/knob.ts';

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

export const labPreferences = (): Readonly<Record<string, PreferenceValue>> =>
  Object.fromEntries(LAB_PREFERENCES.map(({ preference, value }) => [preference, value]));
