/** A headless Firefox with a private profile and HOME in a private /etc, with nothing set that a policy might set: what its policies make of it. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'puppeteer-core';
import { type ChromeContext, chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { preferenceLines, QUIET_PREFERENCES, startDrivenFirefox } from './firefox-process.ts';

export interface PolicyFirefox {
  readonly browser: Browser;
  readonly chrome: ChromeContext;
  readonly stop: () => Promise<void>;
}

/** What lies in the profile's folder of extensions is taken without a question. */
const SIDELOADED = { 'extensions.autoDisableScopes': 0, 'extensions.startupScanScopes': 15 };

/** `directory`: holds its profile and HOME. `enter`: the words before the program. */
export async function startPolicyFirefox(directory: string, enter: readonly string[]): Promise<PolicyFirefox> {
  const profile = join(directory, 'profile');
  await mkdir(profile, { recursive: true });
  await writeFile(join(profile, 'user.js'), preferenceLines({ ...QUIET_PREFERENCES, ...SIDELOADED }));
  const { browser, stop } = await startDrivenFirefox({ profile, home: join(directory, 'home'), command: [...enter, 'firefox-esr'] });
  return { browser, chrome: await chromeContext(browser), stop };
}
