/**
 * Long browsing with the extension in a real Firefox whose every request goes to a proxy of ours, which logs it and answers itself: what the
 * extension asked the network for, what it told its helper, and what its process grew by.
 */
import { resolve } from 'node:path';
import * as v from 'valibot';
import { type ChromeContext, chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { EXTENSION_ID, helperRequestSchema } from '../../src/protocol/helper-messages.ts';
import type { Request, RequestKind, Responses } from '../../src/protocol/messages.ts';
import {
  CONTROLS_URL,
  DASHBOARD_URL,
  type ExtensionFirefox,
  openExtensionPage,
  startExtensionFirefox,
} from '../support/extension-firefox.ts';
import { type NativeHost, nativeHost } from '../support/native-host.ts';
import { type LoggingProxy, SITE_SUFFIX, siteOf, startLoggingProxy } from './logging-proxy.ts';
import { keptByEventPage, processMemory } from './process-memory.ts';
import type { KeptByEventPage, SoakReading, SoakSeen } from './soak-seen.ts';

export interface SoakOptions {
  readonly loads: number;
  /** It ends when they are over, however many loads there were. */
  readonly minutes: number;
  /** From the beginning of one load to that of the next, at least. */
  readonly everyMs: number;
  /** Loads after which growth is counted. `undefined`: memory is not looked at. */
  readonly warmLoads: number | undefined;
  /** Between two of these the popup and the dashboard are opened, a report is exported and the helper is asked; then memory is looked at. */
  readonly visitEvery: number;
  /** After so many visits nothing is done for a while, so that the event page ends. */
  readonly restEvery: number;
  /** After how long Firefox ends an event page that nothing happens to. `undefined`: its own 30 s. */
  readonly idleMs?: number;
  /** Firefox's profile and what the helper hears are kept there. */
  readonly directory: string;
  /** Installs the extension for good, so that its records are there again when an interrupted run goes on. */
  readonly isResumable: boolean;
  /** What was seen until a run with the same directory was interrupted. */
  readonly before?: SoakSeen | undefined;
  readonly isStopped: () => boolean;
  readonly onVisit: (seen: SoakSeen) => Promise<void>;
}

/** What Firefox itself calls of an extension's own making. */
const REQUESTS = 'plumbfox.soak.requests-of-extensions';
const WATCH = `name => { Services.prefs.setIntPref(name, 0);
  Services.obs.addObserver({ observe(channel) {
    const { loadInfo } = channel.QueryInterface(Ci.nsIHttpChannel);
    const principals = [loadInfo.triggeringPrincipal, loadInfo.loadingPrincipal];
    if (principals.some(one => one?.schemeIs('moz-extension') || one?.addonPolicy))
      Services.prefs.setIntPref(name, Services.prefs.getIntPref(name) + 1);
  } }, 'http-on-opening-request'); return null; }`;
const ALLOW_HELPER = `async id => { const { ExtensionPermissions } = ChromeUtils.importESModule('resource://gre/modules/ExtensionPermissions.sys.mjs');
  await ExtensionPermissions.add(id, { permissions: ['nativeMessaging'], origins: [] }, WebExtensionPolicy.getByID(id).extension); return null; }`;
/** Counts how often the event page began. */
const WAKES = 'plumbfox.soak.wakes';
const WATCH_WAKES = `([id, name]) => { Services.prefs.setIntPref(name, 0);
  WebExtensionPolicy.getByID(id).extension.on('background-script-started', () => Services.prefs.setIntPref(name, Services.prefs.getIntPref(name) + 1));
  return null; }`;
const COUNT = 'name => Services.prefs.getIntPref(name)';

/** Longer than Firefox leaves an event page that nothing happens to (30 s). */
const REST_MS = 45_000;

/** What is asked for is of the pages alone, and what is told is documented: see `soakCounts`. */
export async function soak(options: SoakOptions): Promise<SoakSeen> {
  const { directory } = options;
  const proxy = await startLoggingProxy();
  const host = await nativeHost(directory);
  await host.behave('works');
  const firefox = await startExtensionFirefox({
    ...(options.isResumable ? { archive: resolve('dist/plumbfox-release.xpi'), permanent: true } : { variant: 'release' }),
    profile: directory,
    preferences: {
      ...throughProxy(proxy.port),
      ...(options.isResumable && INSTALLED),
      ...(options.idleMs !== undefined && { 'extensions.background.idle.timeout': options.idleMs }),
    },
  });
  try {
    return await browse(options, { firefox, chrome: await chromeContext(firefox.browser), proxy, host });
  } finally {
    await firefox.stop();
    await proxy.close();
  }
}

/** Firefox asks for updates of what is installed for good. */
const INSTALLED = {
  'extensions.autoDisableScopes': 0,
  'extensions.startupScanScopes': 15,
  'extensions.update.enabled': false,
  'extensions.update.url': 'data:,',
  'extensions.update.background.url': 'data:,',
  'extensions.getAddons.cache.enabled': false,
};

const throughProxy = (port: number) => ({
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': port,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': port,
  'network.proxy.no_proxies_on': '',
  'network.proxy.allow_hijacking_localhost': true,
  // What Firefox asks for by itself once it is used for minutes: push, media plug-ins, the region.
  'dom.push.connection.enabled': false,
  'media.gmp-manager.updateEnabled': false,
  'media.gmp-manager.url.override': 'data:,',
  'extensions.systemAddon.update.enabled': false,
  'extensions.systemAddon.update.url': '',
  'app.update.auto': false,
  'app.update.url.override': 'data:,',
  'browser.region.update.enabled': false,
  'browser.region.network.url': '',
});

interface Parts {
  readonly firefox: ExtensionFirefox;
  readonly chrome: ChromeContext;
  readonly proxy: LoggingProxy;
  readonly host: NativeHost;
}

/** A machine that is busy with other things may leave Firefox without a processor for long. */
const SLOWEST_LOAD_MS = 5 * 60_000;
/** Shorter than people's two seconds, so that there can be three loads a second. */
const QUIET_MS = 50;

async function browse(options: SoakOptions, parts: Parts): Promise<SoakSeen> {
  const { firefox, chrome, proxy, host } = parts;
  await chrome.run(ALLOW_HELPER, EXTENSION_ID);
  await chrome.run(WATCH, REQUESTS);
  await chrome.run(WATCH_WAKES, [EXTENSION_ID, WAKES]);
  await firefox.ask({ kind: 'set-quiet', quietMs: QUIET_MS });
  // An open page of the extension would look at its records again and again.
  await firefox.popup.close();
  proxy.forget();
  const { before } = options;
  const began = Date.now();
  const startedAt = before?.loads ?? 0;
  const minutesNow = () => (before?.minutes ?? 0) + (Date.now() - began) / 60_000;
  const counted = {
    loads: startedAt,
    recorded: before?.recorded ?? 0,
    exports: before?.exports ?? 0,
    leaks: before?.leaks ?? 0,
    unanswered: before?.unanswered ?? 0,
    endedBy: undefined as string | undefined,
  };
  const readings: SoakReading[] = [...(before?.readings ?? [])];
  const kept: KeptByEventPage[] = [...(before?.kept ?? [])];
  const look = async () => {
    const wakes = await chrome.run<number>(COUNT, WAKES);
    // Each life of the event page has the same listeners; in the first moments of one there is more.
    const first = kept.find((one) => one.startedAt === startedAt)?.count;
    kept.push({ startedAt, wakes, count: await keptByEventPage(chrome, first) });
  };
  const seenNow = async (): Promise<SoakSeen> => {
    const heard = await host.heard();
    return {
      ...counted,
      minutes: minutesNow(),
      requests: (before?.requests ?? 0) + proxy.requests(),
      strays: [...(before?.strays ?? []), ...proxy.strays(counted.loads)],
      ofExtension: (before?.ofExtension ?? 0) + (await chrome.run<number>(COUNT, REQUESTS)),
      nativeMessages: heard.length,
      undocumented: heard.filter((message) => !isDocumented(message)).map((message) => JSON.stringify(message)),
      readings,
      kept,
      wakes: (before?.wakes ?? 0) + (await chrome.run<number>(COUNT, WAKES)),
    };
  };
  const lookAround = async ({ isLast }: { readonly isLast: boolean }): Promise<SoakSeen> => {
    Object.assign(counted, await visit(parts, counted));
    await look();
    if (isLast || options.warmLoads !== undefined)
      readings.push({ loads: counted.loads, minutes: minutesNow(), startedAt, ...(await processMemory(chrome, firefox.profile)) });
    return seenNow();
  };
  await look();
  while (counted.loads < options.loads && minutesNow() < options.minutes && !options.isStopped()) {
    const { loads } = counted;
    try {
      await firefox.page.goto(`http://${siteOf(loads)}/page?${loads}`, { waitUntil: 'load', timeout: SLOWEST_LOAD_MS });
    } catch (error) {
      counted.endedBy = `load ${loads}: ${error}`;
      break;
    }
    counted.loads += 1;
    await pause(Math.max(QUIET_MS, began + (counted.loads - startedAt) * options.everyMs - Date.now()));
    if (counted.loads % options.visitEvery === 0) await options.onVisit(await lookAround({ isLast: false }));
    if (counted.loads % (options.visitEvery * options.restEvery) === 0) await pause(REST_MS);
  }
  return lookAround({ isLast: true });
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

const isDocumented = (message: unknown): boolean =>
  v.safeParse(helperRequestSchema, message).success && !JSON.stringify(message).includes(SITE_SUFFIX);

/** As a person who looks now and then: the popup, an export, the helper in its turns, and the dashboard. */
async function visit({ firefox }: Parts, before: { readonly exports: number; readonly leaks: number; readonly unanswered: number }) {
  const popup = await openExtensionPage(firefox.browser, CONTROLS_URL);
  const ask = async <K extends RequestKind>(request: Extract<Request, { kind: K }>): Promise<Responses[K]> => {
    const reply = (await popup.evaluate(
      (text) =>
        (
          globalThis as unknown as { browser: { runtime: { sendMessage(message: unknown): Promise<unknown> } } }
        ).browser.runtime.sendMessage(JSON.parse(text)),
      JSON.stringify(request),
    )) as { readonly ok: boolean; readonly value: Responses[K]; readonly error?: unknown };
    if (!reply.ok) throw new Error(`${request.kind}: ${JSON.stringify(reply.error)}`);
    return reply.value;
  };
  // Not `helper-observe`: the probe that a person starts fetches its pieces from this machine.
  await ask({ kind: 'helper-state' });
  // On a machine that is busy with other things the helper's process may not answer in time, which the popup would tell.
  const isAnswered = await ask(before.exports % 2 === 0 ? { kind: 'helper-apply', profileId: 'c4-d1' } : { kind: 'helper-revert' }).then(
    () => true,
    (error: Error) => {
      if (!error.message.includes('did not answer in time')) throw error;
      return false;
    },
  );
  const report = JSON.stringify(await ask({ kind: 'export-report' }));
  const { loads: recorded } = await ask({ kind: 'popup-state' });
  const dashboard = await openExtensionPage(firefox.browser, DASHBOARD_URL);
  await dashboard.close();
  await popup.close();
  return {
    recorded,
    exports: before.exports + 1,
    leaks: before.leaks + Number(report.includes(SITE_SUFFIX)),
    unanswered: before.unanswered + Number(!isAnswered),
  };
}
