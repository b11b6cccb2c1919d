/** A headless Firefox on a profile that is left exactly as the test made it: no file of the driver's is put into it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { beginningOf } from '../../src/helper/firefox-process.ts';
import type { FirefoxStart } from '../../src/helper/profile-changes.ts';
import { type ChromeContext, chromeContext } from '../../src/lab/firefox/chrome-context.ts';

/** For the user.js of a profile: the driver changes nothing, and Firefox has no traffic of its own. */
export const QUIET_USER_JS = [
  'user_pref("remote.prefs.recommended", false);',
  'user_pref("app.normandy.enabled", false);',
  'user_pref("browser.shell.checkDefaultBrowser", false);',
  'user_pref("browser.startup.homepage_override.mstone", "ignore");',
  'user_pref("datareporting.policy.dataSubmissionEnabled", false);',
  'user_pref("network.captive-portal-service.enabled", false);',
  'user_pref("network.connectivity-service.enabled", false);',
  'user_pref("browser.safebrowsing.update.enabled", false);',
  'user_pref("browser.newtabpage.enabled", false);',
  'user_pref("extensions.getAddons.cache.enabled", false);',
].join('\n');

export interface ProfileFirefox {
  readonly chrome: ChromeContext;
  readonly start: FirefoxStart;
  /** In good order: Firefox saves prefs.js. */
  readonly stop: () => Promise<void>;
}

/** @param options.command - What runs Firefox with its arguments, as `privatePolicy` answers it. */
export async function startProfileFirefox(
  profile: string,
  { home, command }: { readonly home: string; readonly command: readonly string[] },
): Promise<ProfileFirefox> {
  await mkdir(home, { recursive: true });
  const [program = '', ...before] = command;
  const words = [
    '--headless',
    '--no-remote',
    '--profile',
    profile,
    '--remote-debugging-port=0',
    '--remote-allow-system-access',
    'about:blank',
  ];
  const child = spawn(program, [...before, ...words], {
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, '.config'), XDG_CACHE_HOME: join(home, '.cache') },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const gone = once(child, 'exit');
  const endpoint = await new Promise<string>((resolve, reject) => {
    let told = '';
    const read = (chunk: Buffer) => {
      told += chunk.toString();
      const found = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(told)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stderr?.on('data', read);
    child.stdout?.on('data', read);
    child.once('exit', (code) => reject(new Error(`Firefox ended with ${code}:\n${told}`)));
  });
  const browser = await puppeteer.connect({ browserWSEndpoint: `${endpoint}/session`, protocol: 'webDriverBiDi' });
  const chrome = await chromeContext(browser);
  // The child may be a shell that has become Firefox, or one before it.
  const processId = await chrome.run<number>('() => Services.appinfo.processID', null);
  const began = (await beginningOf(processId)) ?? (await readFile(`/proc/${processId}/stat`, 'latin1'));
  return {
    chrome,
    start: { processId, began },
    stop: async () => {
      await browser.close().catch(() => undefined);
      const timer = setTimeout(() => process.kill(-(child.pid as number), 'SIGKILL'), 20_000);
      await gone;
      clearTimeout(timer);
    },
  };
}
