/** A headless Firefox on a profile that is left exactly as the test made it: no file of the driver's is put into it. */
import { readFile } from 'node:fs/promises';
import { beginningOf, type FirefoxStart } from '../../src/helper/profile/firefox-process.ts';
import { type ChromeContext, chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { startDrivenFirefox } from './firefox-process.ts';

export interface ProfileFirefox {
  readonly chrome: ChromeContext;
  readonly start: FirefoxStart;
  /** In good order: Firefox saves prefs.js. */
  readonly stop: () => Promise<void>;
}

/** @param options.command - What runs Firefox with its arguments, as `privatePolicy` answers it. */
export async function startProfileFirefox(
  profile: string,
  options: { readonly home: string; readonly command: readonly string[] },
): Promise<ProfileFirefox> {
  const { browser, stop } = await startDrivenFirefox({ ...options, profile });
  const chrome = await chromeContext(browser);
  // The child may be a shell that has become Firefox, or one before it.
  const processId = await chrome.run<number>('() => Services.appinfo.processID', null);
  const began = (await beginningOf(processId)) ?? (await readFile(`/proc/${processId}/stat`, 'latin1'));
  return { chrome, start: { processId, began }, stop };
}
