/** Firefox ends in the middle, with a route to a gateway in effect: at the next start nothing leads to the gateway any more, and all is as it was. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { type ExtensionFirefox, startExtensionFirefox } from '../support/extension-firefox.ts';
import { imagePage, startTestServer, type TestServer } from '../support/extension-server.ts';

const CONNECTIONS = 'network.http.max-persistent-connections-per-server';
const CACHE = 'network.dnsCacheExpiration';
const PROFILE = { id: 'c4-d6', title: 'four by six', connections: 4, depth: 6, preferences: { [CONNECTIONS]: 4, [CACHE]: 99 } };
/** Of the user's own, set before. */
const USERS_CACHE = 77;

let directory: string;
let server: TestServer;
let firefox: ExtensionFirefox | undefined;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plumbfox-test-'));
  server = await startTestServer(imagePage(3));
});

afterEach(async () => {
  await firefox?.stop();
  await server?.close();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

const start = () =>
  startExtensionFirefox({
    profile: directory,
    permanent: true,
    preferences: { 'extensions.autoDisableScopes': 0, 'extensions.startupScanScopes': 15 },
  });

/** Effective value and whether it is the user's, of every preference that was set, and of every one of network.proxy. */
async function preferences({ browser }: ExtensionFirefox, names: readonly string[]) {
  const chrome = await chromeContext(browser);
  const body = `names => [...new Set([...names, ...Services.prefs.getChildList('network.proxy.')])].sort().map((name) => {
    const type = Services.prefs.getPrefType(name);
    const get = { [Services.prefs.PREF_INT]: 'getIntPref', [Services.prefs.PREF_BOOL]: 'getBoolPref', [Services.prefs.PREF_STRING]: 'getStringPref' }[type];
    return [name, get ? Services.prefs[get](name, null) : null, Services.prefs.prefHasUserValue(name)];
  }).filter(([, value]) => value !== null)`;
  return chrome.run<[string, unknown, boolean][]>(body, names);
}

/** A port on which nothing listens any more: that of a gateway that has ended. */
async function deadPort(): Promise<number> {
  const gateway = createServer();
  await new Promise<void>((done) => gateway.listen(0, '127.0.0.1', done));
  const { port } = gateway.address() as AddressInfo;
  await new Promise((done) => gateway.close(done));
  return port;
}

test('a route left over from a Firefox that was killed is gone at the next start, with everything else that was applied', async () => {
  firefox = await start();
  const chrome = await chromeContext(firefox.browser);
  await chrome.run(`([name, value]) => { Services.prefs.setIntPref(name, value); return null; }`, [CACHE, USERS_CACHE]);
  const names = [CONNECTIONS, CACHE];
  const before = await preferences(firefox, names);
  const route = { host: '127.0.0.1', port: await deadPort(), secret: 'a-secret-of-this-test-only' } as const;
  const applied = await firefox.ask({ kind: 'apply-profile', profile: PROFILE, route });
  expect(applied.mismatches).toEqual([]);
  expect(await preferences(firefox, names)).not.toEqual(before);
  // Firefox writes its preferences half a second after a change: what was applied is on the disk when it is killed.
  const onDisk = () => readFile(join(directory, 'profile', 'prefs.js'), 'utf8');
  await expect.poll(onDisk).toContain(`"network.proxy.http_port", ${route.port}`);
  await firefox.kill();

  firefox = await start();
  await expect.poll(() => preferences(firefox as ExtensionFirefox, names)).toEqual(before);
  await firefox.page.goto(`${server.origin}/page?after`, { waitUntil: 'load' });
  expect(server.paths().filter((path) => path.endsWith('?after'))).toHaveLength(4);
  const { active, recording } = await firefox.ask({ kind: 'popup-state' });
  expect(active).toMatchObject({ profileId: 'firefox-default', appliedBy: 'browser' });
  expect(recording).toEqual({ state: 'recording' });
});
