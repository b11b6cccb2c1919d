/** A headless Firefox ESR with a private profile and HOME, and the extension in it; thin, for the extension's own tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import type { Reply, Request, RequestKind, Responses } from '../../src/protocol/messages.ts';

export const EXTENSION_ID = 'plumbfox@plumbfox.org';
const UUID = '6f1a2c3d-0000-4000-8000-000000000001';
export const POPUP_URL = `moz-extension://${UUID}/popup/popup.html`;
export const DASHBOARD_URL = `moz-extension://${UUID}/dashboard/dashboard.html`;

/** Only what a test needs; the rest is as Firefox ships it, so that what is tested is what people run. */
const PREFERENCES: Readonly<Record<string, string | number | boolean>> = {
  'remote.prefs.recommended': false,
  'extensions.experiments.enabled': true,
  'xpinstall.signatures.required': false,
  'extensions.webextensions.uuids': JSON.stringify({ [EXTENSION_ID]: UUID }),
  // No traffic of Firefox's own while a test runs.
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.safebrowsing.downloads.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.safebrowsing.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'toolkit.telemetry.server': 'data:,',
  'extensions.getAddons.cache.enabled': false,
  'browser.newtabpage.enabled': false,
};

export interface FirefoxOptions {
  readonly variant?: 'lab' | 'release';
  /** Another unpacked extension than dist's. */
  readonly extension?: string;
  readonly preferences?: Readonly<Record<string, string | number | boolean>>;
  /** A package instead of the unpacked variant. */
  readonly archive?: string;
  /** Command that runs Firefox with its arguments after it, e.g. in a mount namespace. */
  readonly command?: readonly string[];
  /** Whether the extension is allowed in private windows. */
  readonly privateBrowsing?: boolean;
  readonly profile?: string;
  /** Installs the archive for good, in the profile, so that it is there again at the next start; the driver installs only for one. */
  readonly permanent?: boolean;
  /** Leaves the user.js of a profile that was started before as it is. */
  readonly keepUserJs?: boolean;
  /** Where the driver reaches a Firefox that listens somewhere else, such as in a network namespace. */
  readonly carry?: (endpoint: string) => Promise<{ readonly endpoint: string; readonly headers: Record<string, string> }>;
}

export interface ExtensionFirefox {
  readonly browser: Browser;
  readonly page: Page;
  readonly profile: string;
  readonly processId: number;
  /** Asks the background, as the popup does. */
  readonly ask: <K extends RequestKind>(request: Extract<Request, { kind: K }>) => Promise<Responses[K]>;
  /** The reply as it crosses the boundary, errors included. */
  readonly askRaw: (request: unknown) => Promise<Reply<RequestKind>>;
  readonly popup: Page;
  /** Settles when the event page is not there, and when it is; asking does not wake it. */
  readonly untilEventPageEnds: () => Promise<void>;
  readonly untilEventPageRuns: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Ends Firefox and all its processes in the middle of whatever they do. */
  readonly kill: () => Promise<void>;
}

export async function startExtensionFirefox(options: FirefoxOptions = {}): Promise<ExtensionFirefox> {
  const directory = options.profile ?? (await mkdtemp(join(tmpdir(), 'plumbfox-test-')));
  const profile = join(directory, 'profile');
  await mkdir(profile, { recursive: true });
  await mkdir(join(directory, 'home'), { recursive: true });
  const lines = Object.entries({ ...PREFERENCES, ...options.preferences }).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  if (!options.keepUserJs) await writeFile(join(profile, 'user.js'), `${lines.join('\n')}\n`);
  if (options.permanent) {
    await mkdir(join(profile, 'extensions'), { recursive: true });
    await copyFile(resolve(options.archive ?? 'dist/plumbfox-lab.xpi'), join(profile, 'extensions', `${EXTENSION_ID}.xpi`));
  }
  const [command = 'firefox-esr', ...before] = options.command ?? ['firefox-esr'];
  const child = spawn(
    command,
    [
      ...before,
      '--headless',
      '--no-remote',
      '--profile',
      profile,
      '--remote-debugging-port=0',
      '--remote-allow-system-access',
      'about:blank',
    ],
    {
      env: {
        ...process.env,
        HOME: join(directory, 'home'),
        XDG_CONFIG_HOME: join(directory, 'home/.config'),
        MOZ_REMOTE_SETTINGS_DEVTOOLS: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    },
  );
  const own = await webSocketEndpoint(child);
  const { endpoint, headers } = (await options.carry?.(own)) ?? { endpoint: own, headers: {} };
  const browser = await puppeteer.connect({ browserWSEndpoint: `${endpoint}/session`, protocol: 'webDriverBiDi', headers });
  const variant = options.variant ?? 'lab';
  const path = resolve(options.archive ?? options.extension ?? `dist/extension-${variant}`);
  if (!options.permanent)
    await install(browser, { type: options.archive ? 'archivePath' : 'path', path }, { privateBrowsing: options.privateBrowsing ?? false });
  const popup = await openExtensionPage(browser, POPUP_URL);
  const page = await browser.newPage();
  // As text: the driver's own serialisation stumbles over members named like those of Object.prototype.
  const askRaw = (request: unknown) =>
    popup.evaluate(
      (text) => (globalThis as unknown as ExtensionGlobal).browser.runtime.sendMessage(JSON.parse(text)),
      JSON.stringify(request),
    ) as Promise<Reply<RequestKind>>;
  return {
    browser,
    page,
    popup,
    profile,
    processId: child.pid as number,
    askRaw,
    untilEventPageEnds: () => untilEventPage(popup, false),
    untilEventPageRuns: () => untilEventPage(popup, true),
    ask: async (request) => {
      const reply = await askRaw(request);
      if (!reply.ok) throw new Error(`${request.kind}: ${JSON.stringify(reply.error)}`);
      return reply.value as never;
    },
    kill: async () => {
      const gone = once(child, 'exit');
      process.kill(-(child.pid as number), 'SIGKILL');
      await gone;
    },
    stop: async () => {
      await browser.close().catch(() => undefined);
      await ended(child);
      if (options.profile === undefined) await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** As `browser.installExtension`, which cannot allow private windows. */
async function install(
  browser: Browser,
  extensionData: { type: 'path' | 'archivePath'; path: string },
  { privateBrowsing }: { privateBrowsing: boolean },
): Promise<void> {
  const { connection } = browser as unknown as { connection: { send(method: string, params: object): Promise<unknown> } };
  await connection.send('webExtension.install', { extensionData, 'moz:allowPrivateBrowsing': privateBrowsing });
}

interface ExtensionGlobal {
  readonly browser: {
    readonly runtime: { sendMessage(message: unknown): Promise<unknown> };
    readonly extension: { getViews(): readonly { readonly location: { readonly pathname: string } }[] };
  };
}

/**
 * Firefox has no event for it; `getViews` lists the event page while it lives, and does not wake it. Asked from here, because Firefox slows
 * the timers of a tab in the background down to one second.
 */
async function untilEventPage(popup: Page, alive: boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (Date.now() < deadline) {
    const lives = await popup.evaluate(() =>
      (globalThis as unknown as ExtensionGlobal).browser.extension
        .getViews()
        .some((view) => view.location.pathname === '/_generated_background_page.html'),
    );
    if (lives === alive) return;
    await new Promise((done) => setTimeout(done, 25));
  }
  throw new Error(`The event page is still ${alive ? 'not there' : 'there'} after 20 s`);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = once(child, 'exit');
  const timer = setTimeout(() => process.kill(-(child.pid as number), 'SIGKILL'), 5_000);
  await gone;
  clearTimeout(timer);
}

async function webSocketEndpoint(child: ChildProcess): Promise<string> {
  return new Promise((resolveEndpoint, reject) => {
    let text = '';
    const read = (chunk: Buffer) => {
      text += chunk.toString();
      const found = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(text);
      if (found?.[1]) resolveEndpoint(found[1]);
    };
    child.stderr?.on('data', read);
    child.stdout?.on('data', read);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Firefox ended with ${code}:\n${text}`)));
  });
}

/** The navigation of a moz-extension: page never settles over BiDi, so its target is what is waited for. */
export async function openExtensionPage(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage();
  page.goto(url, { timeout: 2_000 }).catch(() => undefined);
  const deadline = Date.now() + 15_000;
  while (Date.now() < deadline) {
    const found = await page
      .evaluate(
        () =>
          typeof (globalThis as { browser?: { runtime?: unknown } }).browser?.runtime === 'object' && document.readyState === 'complete',
      )
      .catch(() => false);
    if (found) return page;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`${url} did not open`);
}
