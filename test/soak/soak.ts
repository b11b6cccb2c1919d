/**
 * Long browsing with the extension in a real Firefox whose every request goes to a proxy of ours, which logs it and answers itself: what the
 * extension asked the network for, what it told its helper, and what its process grew by.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { type ChromeContext, chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { EXTENSION_ID } from '../../src/protocol/extension-id.ts';
import { helperRequestSchema } from '../../src/protocol/helper-messages.ts';
import type { Request, RequestKind, Responses } from '../../src/protocol/messages.ts';
import { DASHBOARD_URL, type ExtensionFirefox, openExtensionPage, POPUP_URL, startExtensionFirefox } from '../support/extension-firefox.ts';
import { type NativeHost, nativeHost } from '../support/native-host.ts';
import { IMAGES, type LoggingProxy, SITE_SUFFIX, siteOf, startLoggingProxy } from './logging-proxy.ts';

export interface SoakOptions {
  readonly loads: number;
  /** Loads are spread over them; it ends when they are over, however many loads there were. */
  readonly minutes: number;
  /** Loads after which memory is looked at first. */
  readonly warmLoads: number;
  /** Between two of these the popup and the dashboard are opened, a report is exported and the helper is asked. */
  readonly visitEvery: number;
  readonly isStopped: () => boolean;
  readonly onProgress: (line: string) => void;
}

/** What was seen; `undefined`: it came to no end that could be looked at. */
export interface SoakSeen {
  readonly loads: number;
  readonly minutes: number;
  /** Loads in the extension's store at the end. */
  readonly recorded: number;
  readonly requests: number;
  /** Requests to the proxy that no page of ours asked for, as method and address. */
  readonly strays: readonly string[];
  /** Requests that Firefox itself says an extension asked for. */
  readonly ofExtension: number;
  readonly nativeMessages: number;
  /** Messages to the helper with any member or value that is not documented, or with a name of a site in it. */
  readonly undocumented: readonly string[];
  /** Exported reports in which a name of a site was found. */
  readonly leaks: number;
  readonly exports: number;
  /** Of the extension process, after memory was minimised, bytes. */
  readonly warmBytes: number | undefined;
  readonly endBytes: number | undefined;
  readonly ghostWindows: number;
}

/** Bar 29 of the thirty. */
export const MAX_GROWTH_BYTES = 10_000_000;

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
/** Twice, because what a first collection frees may let go of more. All processes are told to minimise when the parent is. */
const MEMORY = `async () => {
  const manager = Cc['@mozilla.org/memory-reporter-manager;1'].getService(Ci.nsIMemoryReporterManager);
  for (let time = 0; time < 2; time += 1) {
    await new Promise(done => manager.minimizeMemoryUsage(done));
    await new Promise(done => ChromeUtils.idleDispatch(done, { timeout: 2000 }));
  }
  let ghosts = 0;
  await new Promise(done => manager.getReports((process, path, kind, units, amount) => { if (path === 'ghost-windows') ghosts += amount; },
    null, done, null, false));
  const { children } = await ChromeUtils.requestProcInfo();
  return { bytes: children.filter(({ type }) => type === 'extension').reduce((sum, { memory }) => sum + memory, 0), ghosts };
}`;

interface Memory {
  readonly bytes: number;
  readonly ghosts: number;
}

export async function soak(options: SoakOptions): Promise<SoakSeen> {
  const directory = await mkdtemp(join(tmpdir(), 'plumbfox-soak-'));
  const proxy = await startLoggingProxy();
  const host = await nativeHost(directory);
  await host.behave('works');
  const firefox = await startExtensionFirefox({ variant: 'release', profile: directory, preferences: throughProxy(proxy.port) });
  try {
    return await browse(options, { firefox, chrome: await chromeContext(firefox.browser), proxy, host });
  } finally {
    await firefox.stop();
    await proxy.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

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
  await firefox.ask({ kind: 'set-quiet', quietMs: QUIET_MS });
  // An open page of the extension would look at its records again and again.
  await firefox.popup.close();
  proxy.forget();
  const began = Date.now();
  const endsAt = began + options.minutes * 60_000;
  const eachMs = (options.minutes * 60_000) / options.loads;
  const seen = { loads: 0, recorded: 0, exports: 0, leaks: 0, warmBytes: undefined as number | undefined };
  while (seen.loads < options.loads && Date.now() < endsAt && !options.isStopped()) {
    await firefox.page.goto(`http://${siteOf(seen.loads)}/page?${seen.loads}`, { waitUntil: 'load', timeout: SLOWEST_LOAD_MS });
    seen.loads += 1;
    await pause(Math.max(QUIET_MS, began + seen.loads * eachMs - Date.now()));
    if (seen.loads % options.visitEvery === 0) Object.assign(seen, await visit(parts, seen));
    if (seen.loads === options.warmLoads) seen.warmBytes = (await chrome.run<Memory>(MEMORY, null)).bytes;
    if (seen.loads % options.visitEvery === 0) options.onProgress(progress(seen.loads, began, proxy));
  }
  Object.assign(seen, await visit(parts, seen));
  const { bytes, ghosts } = await chrome.run<Memory>(MEMORY, null);
  const heard = await host.heard();
  return {
    ...seen,
    minutes: (Date.now() - began) / 60_000,
    requests: proxy.requests(),
    strays: proxy.strays(seen.loads),
    ofExtension: await chrome.run<number>('name => Services.prefs.getIntPref(name)', REQUESTS),
    nativeMessages: heard.length,
    undocumented: heard.filter((message) => !isDocumented(message)).map((message) => JSON.stringify(message)),
    endBytes: seen.warmBytes === undefined ? undefined : bytes,
    ghostWindows: ghosts,
  };
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

const progress = (loads: number, began: number, proxy: LoggingProxy): string =>
  `${loads} loads in ${((Date.now() - began) / 60_000).toFixed(1)} min, ${proxy.requests()} requests, ${proxy.strays(loads).length} that no page made`;

const isDocumented = (message: unknown): boolean =>
  v.safeParse(helperRequestSchema, message).success && !JSON.stringify(message).includes(SITE_SUFFIX);

/** As a person who looks now and then: the popup, an export, the helper in its turns, and the dashboard. */
async function visit({ firefox }: Parts, before: { readonly exports: number; readonly leaks: number }) {
  const popup = await openExtensionPage(firefox.browser, POPUP_URL);
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
  await ask(before.exports % 2 === 0 ? { kind: 'helper-apply', profileId: 'c4-d1' } : { kind: 'helper-revert' });
  const report = JSON.stringify(await ask({ kind: 'export-report' }));
  const { loads: recorded } = await ask({ kind: 'popup-state' });
  const dashboard = await openExtensionPage(firefox.browser, DASHBOARD_URL);
  await dashboard.close();
  await popup.close();
  return { recorded, exports: before.exports + 1, leaks: before.leaks + Number(report.includes(SITE_SUFFIX)) };
}

/** What is counted of it for the thirty bars: bar, what, how often it held, of how many. */
export function soakCounts(
  seen: SoakSeen,
): readonly { readonly bar: number; readonly what: string; readonly held: number; readonly of: number }[] {
  const growth = seen.warmBytes === undefined || seen.endBytes === undefined ? undefined : seen.endBytes - seen.warmBytes;
  return [
    {
      bar: 27,
      what: 'requests that a page made, none the extension',
      held: seen.requests - seen.strays.length - seen.ofExtension,
      of: seen.requests,
    },
    {
      bar: 27,
      what: 'messages to the helper with documented members alone',
      held: seen.nativeMessages - seen.undocumented.length,
      of: seen.nativeMessages,
    },
    { bar: 27, what: 'page loads recorded', held: Math.min(seen.recorded, seen.loads), of: seen.loads },
    { bar: 26, what: 'exports without the name of a site', held: seen.exports - seen.leaks, of: seen.exports },
    { bar: 29, what: 'soaks without a ghost window', held: Number(seen.ghostWindows === 0), of: 1 },
    ...(growth === undefined
      ? []
      : [{ bar: 29, what: 'soaks that grew by less than 10 MB', held: Number(growth < MAX_GROWTH_BYTES), of: 1 }]),
  ];
}

/** Images of each page, and the page. */
export const REQUESTS_PER_LOAD = IMAGES + 1;
