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
import { keptByEventPage, type ProcessMemory, processMemory } from './process-memory.ts';

export interface SoakOptions {
  readonly loads: number;
  /** Loads are spread over them; it ends when they are over, however many loads there were. */
  readonly minutes: number;
  /** Loads after which growth is counted. `undefined`: memory is not looked at. */
  readonly warmLoads: number | undefined;
  /** Between two of these the popup and the dashboard are opened, a report is exported and the helper is asked; then memory is looked at. */
  readonly visitEvery: number;
  /** After so many visits nothing is done for a while, so that the event page ends. */
  readonly restEvery: number;
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
  /** Questions to the helper that it did not answer in time. */
  readonly unanswered: number;
  readonly readings: readonly SoakReading[];
  /** What Firefox would have to close with the event page, after the first visit and after the last in its same life. */
  readonly keptFirst: number | undefined;
  readonly keptLast: number | undefined;
  /** How often the event page began, after it was there at first. */
  readonly wakes: number;
  /** Why it ended early by itself. */
  readonly endedBy: string | undefined;
}

export interface SoakReading extends ProcessMemory {
  readonly loads: number;
  readonly minutes: number;
}

/** Bar 29 of the thirty. */
export const MAX_GROWTH_BYTES = 10_000_000;
/** Bar 10. */
const MAX_DATABASE_BYTES = 50_000_000;

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
  await chrome.run(WATCH_WAKES, [EXTENSION_ID, WAKES]);
  await firefox.ask({ kind: 'set-quiet', quietMs: QUIET_MS });
  // An open page of the extension would look at its records again and again.
  await firefox.popup.close();
  proxy.forget();
  const began = Date.now();
  const minutesNow = () => (Date.now() - began) / 60_000;
  const eachMs = (options.minutes * 60_000) / options.loads;
  const seen = { loads: 0, recorded: 0, exports: 0, leaks: 0, unanswered: 0, endedBy: undefined as string | undefined };
  const readings: SoakReading[] = [];
  const kept: { readonly wakes: number; readonly kept: number }[] = [];
  const lookAround = async () => {
    Object.assign(seen, await visit(parts, seen));
    const held = await keptByEventPage(chrome);
    if (held !== undefined) kept.push({ wakes: await chrome.run<number>(COUNT, WAKES), kept: held });
    if (options.warmLoads === undefined) return;
    readings.push({ loads: seen.loads, minutes: minutesNow(), ...(await processMemory(chrome, firefox.profile)) });
    options.onProgress(progress(readings, proxy));
  };
  while (seen.loads < options.loads && minutesNow() < options.minutes && !options.isStopped()) {
    try {
      await firefox.page.goto(`http://${siteOf(seen.loads)}/page?${seen.loads}`, { waitUntil: 'load', timeout: SLOWEST_LOAD_MS });
    } catch (error) {
      seen.endedBy = `load ${seen.loads}: ${error}`;
      break;
    }
    seen.loads += 1;
    await pause(Math.max(QUIET_MS, began + seen.loads * eachMs - Date.now()));
    if (seen.loads % options.visitEvery === 0) await lookAround();
    if (seen.loads % (options.visitEvery * options.restEvery) === 0) await pause(REST_MS);
  }
  await lookAround();
  const heard = await host.heard();
  const life = kept.filter(({ wakes }) => wakes === kept.at(-1)?.wakes);
  return {
    ...seen,
    minutes: minutesNow(),
    requests: proxy.requests(),
    strays: proxy.strays(seen.loads),
    ofExtension: await chrome.run<number>(COUNT, REQUESTS),
    nativeMessages: heard.length,
    undocumented: heard.filter((message) => !isDocumented(message)).map((message) => JSON.stringify(message)),
    readings,
    keptFirst: life[0]?.kept,
    keptLast: life.at(-1)?.kept,
    wakes: await chrome.run<number>(COUNT, WAKES),
  };
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

function progress(readings: readonly SoakReading[], proxy: LoggingProxy): string {
  const last = readings.at(-1) as SoakReading;
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  return [
    `${last.loads} loads in ${last.minutes.toFixed(1)} min`,
    `${proxy.requests()} requests, ${proxy.strays(last.loads).length} that no page made`,
    `process ${megabytes(last.heldBytes)} (${megabytes(last.residentBytes)} with what was handed back, explicit ${megabytes(last.explicitBytes)})`,
    `event page ${last.keptByEventPage ?? 'not there'}`,
    `database ${megabytes(last.databaseBytes)}`,
    `ghosts ${last.ghosts}`,
  ].join('; ');
}

const isDocumented = (message: unknown): boolean =>
  v.safeParse(helperRequestSchema, message).success && !JSON.stringify(message).includes(SITE_SUFFIX);

/** As a person who looks now and then: the popup, an export, the helper in its turns, and the dashboard. */
async function visit({ firefox }: Parts, before: { readonly exports: number; readonly leaks: number; readonly unanswered: number }) {
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

/** What is counted of it for the thirty bars: bar, what, how often it held, of how many. */
export function soakCounts(
  seen: SoakSeen,
  warmLoads?: number,
): readonly { readonly bar: number; readonly what: string; readonly held: number; readonly of: number }[] {
  const { readings, keptFirst, keptLast } = seen;
  const growth = growthOf(readings, warmLoads, 'heldBytes');
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
    ...(keptFirst === undefined || keptLast === undefined
      ? []
      : [
          {
            bar: 29,
            what: 'soaks after which Firefox holds no more for the event page than after the first visit',
            held: Number(keptLast <= keptFirst),
            of: 1,
          },
        ]),
    ...(readings.length === 0
      ? []
      : [
          {
            bar: 29,
            what: 'looks without a ghost window',
            held: readings.filter(({ ghosts }) => ghosts === 0).length,
            of: readings.length,
          },
          {
            bar: 10,
            what: 'looks at a database below 50 MB',
            held: readings.filter((one) => one.databaseBytes < MAX_DATABASE_BYTES).length,
            of: readings.length,
          },
        ]),
    ...(growth === undefined
      ? []
      : [{ bar: 29, what: 'soaks that grew by less than 10 MB', held: Number(growth < MAX_GROWTH_BYTES), of: 1 }]),
  ];
}

/** Between the end of the warm-up and the end of the run. `undefined`: it did not last so long. */
export function growthOf(
  readings: readonly SoakReading[],
  warmLoads: number | undefined,
  of: 'heldBytes' | 'residentBytes',
): number | undefined {
  const warm = readings.find(({ loads }) => warmLoads !== undefined && loads >= warmLoads);
  const end = readings.at(-1);
  return warm === undefined || end === undefined || warm === end ? undefined : end[of] - warm[of];
}

/** Images of each page, and the page. */
export const REQUESTS_PER_LOAD = IMAGES + 1;
