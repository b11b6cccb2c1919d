/** A headless Firefox with a private profile and HOME in a private /etc, with nothing set that a policy might set: what its policies make of it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import puppeteer, { type Browser } from 'puppeteer-core';
import { type ChromeContext, chromeContext } from '../../src/lab/firefox/chrome-context.ts';

/** No traffic of Firefox's own, and none of the driver's wishes. */
const PREFERENCES: Readonly<Record<string, string | number | boolean>> = {
  'remote.prefs.recommended': false,
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'toolkit.telemetry.server': 'data:,',
  'extensions.getAddons.cache.enabled': false,
};

export interface PolicyFirefox {
  readonly browser: Browser;
  readonly chrome: ChromeContext;
  readonly stop: () => Promise<void>;
}

/** `directory`: holds its profile and HOME. `enter`: the words before the program. */
export async function startPolicyFirefox(directory: string, enter: readonly string[]): Promise<PolicyFirefox> {
  const [profile, home] = [join(directory, 'profile'), join(directory, 'home')];
  for (const folder of [profile, home]) await mkdir(folder, { recursive: true });
  const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`);
  await writeFile(join(profile, 'user.js'), lines.join(''));
  const [command = '', ...words] = [...enter, 'firefox-esr', '--headless', '--no-remote', '--profile', profile];
  const child = spawn(command, [...words, '--remote-debugging-port=0', '--remote-allow-system-access', 'about:blank'], {
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, '.config'), MOZ_REMOTE_SETTINGS_DEVTOOLS: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const endpoint = await new Promise<string>((found, failed) => {
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk;
      const [, address] = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(text) ?? [];
      if (address !== undefined) found(address);
    });
    child.once('exit', (code) => failed(new Error(`Firefox ended with ${code}:\n${text}`)));
  });
  const browser = await puppeteer.connect({ browserWSEndpoint: `${endpoint}/session`, protocol: 'webDriverBiDi' });
  const stop = async () => {
    const gone = child.exitCode === null ? once(child, 'exit') : undefined;
    await browser.close().catch(() => process.kill(-(child.pid as number), 'SIGKILL'));
    await gone;
  };
  return { browser, chrome: await chromeContext(browser), stop };
}
