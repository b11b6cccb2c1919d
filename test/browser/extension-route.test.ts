/** A profile with a gateway route: plain-http requests go through it with its secret, and nothing else is given that secret. */

import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storedUrl } from '../../src/core/measure/stored-url.ts';
import { type ExtensionFirefox, startExtensionFirefox } from '../support/extension-firefox.ts';
import { imagePage, startTestServer, type TestServer } from '../support/extension-server.ts';

const SECRET = 'a-secret-of-this-test-only';
const EXPECTED = `Basic ${Buffer.from(`plumbfox:${SECRET}`).toString('base64')}`;
const PROFILE = {
  id: 'c4-d6',
  title: 'four by six',
  connections: 4,
  depth: 6,
  preferences: { 'network.http.max-persistent-connections-per-server': 4 },
};

interface Proxy {
  readonly port: number;
  readonly server: Server;
  readonly seen: { url: string; authorization: string | undefined }[];
}

/** The least that is a proxy: asks for the secret, passes GET on. */
async function startProxy(): Promise<Proxy> {
  const seen: Proxy['seen'] = [];
  const server = createServer((request, response) => {
    const authorization = request.headers['proxy-authorization'];
    seen.push({ url: request.url ?? '', authorization });
    if (authorization !== EXPECTED) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm="gateway"' }).end();
      return;
    }
    const { 'proxy-authorization': _, ...headers } = request.headers;
    httpRequest(request.url ?? '', { headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, server, seen };
}

let firefox: ExtensionFirefox;
let server: TestServer;
let gateway: Proxy;
let stranger: Proxy;

beforeAll(async () => {
  server = await startTestServer(imagePage(20));
  gateway = await startProxy();
  stranger = await startProxy();
  firefox = await startExtensionFirefox();
  await firefox.ask({ kind: 'set-quiet', quietMs: 200 });
});

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
  for (const proxy of [gateway, stranger]) {
    proxy?.server.closeAllConnections();
    proxy?.server.close();
  }
});

async function lastLoad(count: number) {
  await expect.poll(async () => (await firefox.ask({ kind: 'loads-after' })).length).toBe(count);
  return (await firefox.ask({ kind: 'loads-after' })).at(-1);
}

test('with a route, every request of a page on loopback goes through the gateway, and its challenge is answered', async () => {
  const route = { host: '127.0.0.1', port: gateway.port, secret: SECRET } as const;
  const applied = await firefox.ask({ kind: 'apply-profile', profile: PROFILE, route });
  expect(applied).toMatchObject({ carrier: 'gateway', mismatches: [] });
  await firefox.page.goto(`${server.origin}/page?routed`);
  const load = await lastLoad(1);
  expect(load?.applied).toMatchObject({ profileId: 'c4-d6', carrier: 'gateway' });
  const own = load?.requests.filter(({ url }) => !url.includes('favicon')) ?? [];
  expect(own).toHaveLength(21);
  expect(own.every(({ wire }) => wire?.proxied === true && wire.status === 200)).toBe(true);
  const passed = gateway.seen.filter(({ url, authorization }) => authorization === EXPECTED && !url.includes('favicon'));
  expect(passed).toHaveLength(21);
  expect(server.log.every(({ proxyAuthorization }) => proxyAuthorization === undefined)).toBe(true);
  expect(JSON.stringify(load)).not.toContain(SECRET);
});

test('another proxy that asks gets nothing, even when Firefox is led to it', async () => {
  const { chromeContext } = await import('../../src/lab/firefox/chrome-context.ts');
  const chrome = await chromeContext(firefox.browser);
  await chrome.run('port => { Services.prefs.setIntPref("network.proxy.http_port", port); return null; }', stranger.port);
  await firefox.page.goto(`${server.origin}/page?stranger`, { timeout: 3_000, waitUntil: 'domcontentloaded' }).catch(() => undefined);
  expect(stranger.seen.length).toBeGreaterThan(0);
  expect(stranger.seen.every(({ authorization }) => authorization === undefined)).toBe(true);
  await chrome.run('port => { Services.prefs.setIntPref("network.proxy.http_port", port); return null; }', gateway.port);
});

test('reverted, Firefox goes direct again and the secret is forgotten', async () => {
  const { leftAlone } = await firefox.ask({ kind: 'revert-profile' });
  expect(leftAlone).toEqual([]);
  const before = gateway.seen.length;
  const page = await firefox.browser.newPage();
  await page.goto(`${server.origin}/page?direct`);
  await expect.poll(async () => (await firefox.ask({ kind: 'loads-after' })).at(-1)?.url).toBe(storedUrl(`${server.origin}/page?direct`));
  expect((await firefox.ask({ kind: 'loads-after' })).at(-1)?.requests[0]?.wire?.proxied).toBe(false);
  expect(gateway.seen.length).toBe(before);
  const kept = await firefox.popup.evaluate(async () => {
    const { browser } = globalThis as unknown as { browser: { storage: Record<string, { get(): Promise<unknown> }> } };
    return JSON.stringify([await browser.storage.session?.get(), await browser.storage.local?.get()]);
  });
  expect(kept).not.toContain(SECRET);
});
