/** How every test of a browser starts it: headless, with a profile and a HOME of its own, and without traffic that no test asked for. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import puppeteer, { type Browser } from 'puppeteer-core';
import type { PreferenceValue } from '../../src/core/profiles/knob.ts';
import { userPref } from '../../src/core/profiles/user-pref.ts';
import { expectOwnWorld } from './own-world.ts';

/**
 * The driver sets nothing of its own, and Firefox fetches nothing of its own; the rest is as it ships, so that what is tested is what people
 * run. No knob of the catalogue is among it. Fewer than `lab-preferences.ts`, which is for measuring.
 */
export const QUIET_PREFERENCES: Readonly<Record<string, PreferenceValue>> = {
  'remote.prefs.recommended': false,
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.newtabpage.enabled': false,
  'browser.safebrowsing.downloads.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.safebrowsing.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.getAddons.cache.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  // Heeded because of MOZ_REMOTE_SETTINGS_DEVTOOLS in the environment.
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'toolkit.telemetry.server': 'data:,',
};

/** A user.js of these, each line ended by LF. */
export const preferenceLines = (preferences: Readonly<Record<string, PreferenceValue>>): string =>
  Object.entries(preferences)
    .map((preference) => `${userPref(preference)}\n`)
    .join('');

export interface FirefoxStartOptions {
  /** Its folder is there already, with what the test put into it. */
  readonly profile: string;
  /** Made where it is not there. */
  readonly home: string;
  /** What runs Firefox with its arguments after it, e.g. in a mount namespace; ESR on the path, unless said otherwise. */
  readonly command?: readonly string[];
}

/** In a process group of its own, so that its content processes can be ended with it. Both outputs must be read, or it stops on a full one. */
export async function spawnFirefox(
  { profile, home, command = ['firefox-esr'] }: FirefoxStartOptions,
  further: readonly string[] = [],
): Promise<ChildProcess> {
  await mkdir(home, { recursive: true });
  const [program = '', ...before] = command;
  return spawn(program, [...before, '--headless', '--no-remote', '--profile', profile, ...further, 'about:blank'], {
    env: {
      ...process.env,
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      XDG_CACHE_HOME: join(home, '.cache'),
      MOZ_REMOTE_SETTINGS_DEVTOOLS: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
}

export interface DrivenOptions extends FirefoxStartOptions {
  /** Where the driver reaches a Firefox that listens somewhere else, such as in a network namespace. */
  readonly carry?: (endpoint: string) => Promise<{ readonly endpoint: string; readonly headers: Record<string, string> }>;
}

export interface DrivenFirefox {
  readonly browser: Browser;
  /** Of the command; Firefox's own unless the command is a shell that stays. */
  readonly processId: number;
  /** In good order, so that prefs.js is saved; killed where that takes 20 s. */
  readonly stop: () => Promise<void>;
  /** Ends Firefox and all its processes in the middle of whatever they do. */
  readonly kill: () => Promise<void>;
}

const QUIT_GRACE_MS = 20_000;

/** @throws Error with what Firefox printed, where it ends before it can be driven; or where it runs under what no test made, see `own-world.ts`. */
export async function startDrivenFirefox(options: DrivenOptions): Promise<DrivenFirefox> {
  const child = await spawnFirefox(options, ['--remote-debugging-port=0', '--remote-allow-system-access']);
  const gone = once(child, 'exit');
  const own = await webSocketEndpoint(child);
  const processId = child.pid as number;
  const { endpoint, headers } = (await options.carry?.(own)) ?? { endpoint: own, headers: {} };
  const browser = await puppeteer.connect({ browserWSEndpoint: `${endpoint}/session`, protocol: 'webDriverBiDi', headers });
  try {
    await expectOwnWorld(browser, options);
  } catch (error) {
    process.kill(-processId, 'SIGKILL');
    throw error;
  }
  return {
    browser,
    processId,
    stop: async () => {
      await browser.close().catch(() => undefined);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const timer = setTimeout(() => process.kill(-processId, 'SIGKILL'), QUIT_GRACE_MS);
      await gone;
      clearTimeout(timer);
    },
    kill: async () => {
      process.kill(-processId, 'SIGKILL');
      await gone;
    },
  };
}

function webSocketEndpoint(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let told = '';
    const read = (chunk: Buffer) => {
      told += chunk.toString();
      const found = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(told)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stderr?.on('data', read);
    child.stdout?.on('data', read);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Firefox ended with ${code}:\n${told}`)));
  });
}
