/** What this Firefox is: from the Experiment API where there is one, else what every extension may know. */
import { browser } from '../adapters/browser.ts';
import { networkPreferences } from '../adapters/network-preferences.ts';
import type { BrowserFacts } from '../protocol/messages.ts';

export async function browserFacts(): Promise<BrowserFacts> {
  const preferences = networkPreferences();
  if (preferences) return { ...(await preferences.browserFacts()), experimentApi: true };
  const [info, platform] = await Promise.all([browser.runtime.getBrowserInfo(), browser.runtime.getPlatformInfo()]);
  return {
    name: info.name,
    version: info.version,
    buildId: info.buildID,
    os: platform.os,
    architecture: platform.arch,
    experimentApi: false,
    policies: 'unknown',
  };
}
