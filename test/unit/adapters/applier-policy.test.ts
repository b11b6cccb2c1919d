/** Where no policy can speak to the extension, that is no failure: Android rejects every call with words that say nothing. */

import { beforeEach, expect, test, vi } from 'vitest';
import { managedProfile } from '../../../src/adapters/applier-policy.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';

const browser = useBrowser(fakeBrowser());

const rejects = (message: string) => vi.spyOn(browser.storage.managed, 'get').mockRejectedValue(new Error(message));

beforeEach(() => {
  vi.restoreAllMocks();
  browser.state.os = 'linux';
});

test('without a policy there is none', async () => {
  rejects('Managed storage manifest not found');
  expect(await managedProfile()).toBeUndefined();
});

test('on Android every failure is none', async () => {
  browser.state.os = 'android';
  rejects('An unexpected error occurred');
  expect(await managedProfile()).toBeUndefined();
});

test('elsewhere a failure is one', async () => {
  rejects('An unexpected error occurred');
  await expect(managedProfile()).rejects.toThrow('An unexpected error occurred');
});
