/** A headless Firefox ESR with a private profile and HOME, and the extension in it; thin, for the extension's own tests. */
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'puppeteer-core';
import type { PreferenceValue } from '../../src/core/profiles/knob.ts';
import { chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { EXTENSION_ID } from '../../src/protocol/helper-messages.ts';
import type { Reply, Request, RequestKind, Responses } from '../../src/protocol/messages.ts';
import { type DrivenOptions, preferenceLines, QUIET_PREFERENCES, startDrivenFirefox } from './firefox-process.ts';

const UUID = '6f1a2c3d-0000-4000-8000-000000000001';
/** For what a busy machine may bring late. */
const LONGEST_MS = 60_000;

export const POPUP_URL = `moz-extension://${UUID}/popup/popup.html`;
export const CONTROLS_URL = `moz-extension://${UUID}/controls/controls.html`;
export const DASHBOARD_URL = `moz-extension://${UUID}/dashboard/dashboard.html`;

/** What the extension needs of the browser it is tested in. */
const PREFERENCES: Readonly<Record<string, PreferenceValue>> = {
  ...QUIET_PREFERENCES,
  'extensions.experiments.enabled': true,
  'xpinstall.signatures.required': false,
  'extensions.webextensions.uuids': JSON.stringify({ [EXTENSION_ID]: UUID }),
};

export interface FirefoxOptions extends Pick<DrivenOptions, 'command' | 'carry'> {
  readonly variant?: 'lab' | 'release';
  /** Another unpacked extension than dist's. */
  readonly extension?: string;
  readonly preferences?: Readonly<Record<string, PreferenceValue>>;
  /** A package instead of the unpacked variant. */
  readonly archive?: string;
  /** Whether the extension is allowed in private windows. */
  readonly privateBrowsing?: boolean;
  readonly profile?: string;
  /** Installs the archive for good, in the profile, so that it is there again at the next start; the driver installs only for one. */
  readonly permanent?: boolean;
  /** Leaves the user.js of a profile that was started before as it is. */
  readonly keepUserJs?: boolean;
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
  if (!options.keepUserJs) await writeFile(join(profile, 'user.js'), preferenceLines({ ...PREFERENCES, ...options.preferences }));
  if (options.permanent) {
    await mkdir(join(profile, 'extensions'), { recursive: true });
    await copyFile(resolve(options.archive ?? 'dist/plumbfox-lab.xpi'), join(profile, 'extensions', `${EXTENSION_ID}.xpi`));
  }
  const { browser, processId, stop, kill } = await startDrivenFirefox({
    profile,
    home: join(directory, 'home'),
    ...(options.command && { command: options.command }),
    ...(options.carry && { carry: options.carry }),
  });
  const variant = options.variant ?? 'lab';
  const path = resolve(options.archive ?? options.extension ?? `dist/extension-${variant}`);
  if (!options.permanent)
    await install(browser, { type: options.archive ? 'archivePath' : 'path', path }, { privateBrowsing: options.privateBrowsing ?? false });
  const popup = await openExtensionPage(browser, CONTROLS_URL);
  const page = await browser.newPage();
  page.setDefaultTimeout(LONGEST_MS);
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
    processId,
    askRaw,
    untilEventPageEnds: () => untilEventPage(popup, false),
    untilEventPageRuns: () => untilEventPage(popup, true),
    ask: async (request) => {
      const reply = await askRaw(request);
      if (!reply.ok) throw new Error(`${request.kind}: ${JSON.stringify(reply.error)}`);
      return reply.value as never;
    },
    kill,
    stop: async () => {
      await stop();
      if (options.profile === undefined) await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * Installs as `browser.installExtension` does. Private windows are allowed before, as the driver would allow them afterwards: by restarting the
 * extension, at a moment when it may not have begun.
 */
async function install(
  browser: Browser,
  extensionData: { type: 'path' | 'archivePath'; path: string },
  { privateBrowsing }: { privateBrowsing: boolean },
): Promise<void> {
  if (privateBrowsing) {
    const chrome = await chromeContext(browser);
    await chrome.run(
      `async id => { const { ExtensionPermissions } = ChromeUtils.importESModule('resource://gre/modules/ExtensionPermissions.sys.mjs');
        await ExtensionPermissions.add(id, { permissions: ['internal:privateBrowsingAllowed'], origins: [] }); return null; }`,
      EXTENSION_ID,
    );
  }
  const { connection } = browser as unknown as { connection: { send(method: string, params: object): Promise<unknown> } };
  await connection.send('webExtension.install', { extensionData, 'moz:allowPrivateBrowsing': false });
}

/** What a page of the extension has, where code runs that a test has sent there. */
export interface ExtensionGlobal {
  readonly browser: {
    readonly runtime: { sendMessage(message: unknown): Promise<unknown> };
    readonly extension: { getViews(of?: { readonly type: 'popup' }): readonly Window[] };
  };
}

/**
 * Firefox has no event for it; `getViews` lists the event page while it lives, and does not wake it. Asked from here, because Firefox slows
 * the timers of a tab in the background down to one second.
 */
async function untilEventPage(popup: Page, alive: boolean): Promise<void> {
  const deadline = Date.now() + LONGEST_MS;
  while (Date.now() < deadline) {
    const lives = await popup.evaluate(() =>
      (globalThis as unknown as ExtensionGlobal).browser.extension
        .getViews()
        .some((view) => view.location.pathname === '/_generated_background_page.html'),
    );
    if (lives === alive) return;
    await new Promise((done) => setTimeout(done, 25));
  }
  throw new Error(`The event page is still ${alive ? 'not there' : 'there'} after ${LONGEST_MS / 1000} s`);
}

/** The navigation of a moz-extension: page never settles over BiDi, so its target is what is waited for. */
export async function openExtensionPage(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(LONGEST_MS);
  page.goto(url, { timeout: 2_000 }).catch(() => undefined);
  const deadline = Date.now() + LONGEST_MS;
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
