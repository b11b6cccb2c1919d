/** The lab build in a Firefox that ignores Experiments, which it does without an error: the namespace is missing, and Plumbfox says so. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countBar } from '../support/bar-count.ts';
import { type ExtensionFirefox, startExtensionFirefox } from '../support/extension-firefox.ts';

let directory: string;
let firefox: ExtensionFirefox;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plumbfox-refused-'));
  firefox = await startExtensionFirefox({
    profile: directory,
    permanent: true,
    preferences: { 'extensions.experiments.enabled': false, 'extensions.autoDisableScopes': 0, 'extensions.startupScanScopes': 15 },
  });
});

afterAll(async () => {
  await firefox?.stop();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

test('the namespace is missing, and the extension knows it', async () => {
  expect(await firefox.popup.evaluate('typeof browser.plumbfoxNetwork')).toBe('undefined');
  expect(await firefox.ask({ kind: 'browser-facts' })).toMatchObject({ experimentApi: false });
  expect(await firefox.ask({ kind: 'trial-state' })).toMatchObject({ live: false });
});

test('what needs it is refused with what to do', async () => {
  const profile = { id: 'c4-d1', title: 'four', connections: 4, depth: 1, preferences: {} };
  const requests = [{ kind: 'apply-profile', profile }, { kind: 'read-back' }, { kind: 'revert-profile' }];
  let refused = 0;
  for (const request of requests) {
    const reply = await firefox.askRaw(request);
    if (!reply.ok && reply.error.kind === 'environment' && reply.error.message.includes('extensions.experiments.enabled')) refused++;
  }
  countBar(25, 'requests refused where Experiments are off', refused, requests.length);
});

test('the popup shows no error, and offers what can be done', async () => {
  // Out of sight, where a new tab puts it, it asks for nothing.
  await firefox.popup.bringToFront();
  await firefox.popup.waitForFunction(() => document.getElementById('content')?.hidden === false);
  expect(await firefox.popup.$eval('#failure', (failure) => (failure as HTMLElement).hidden)).toBe(true);
  await firefox.popup.waitForSelector('#apply-allow:not([hidden])');
});
