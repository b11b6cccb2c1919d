/**
 * The gateway as a person has it: switched on in the popup, run by the real helper that a real Firefox starts, and killed in the middle of a
 * page.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway } from '../../src/gateway/gateway.ts';
import { openProbe, type Probe, type ProbeResult } from '../../src/helper/probe/server.ts';
import { type ChromeContext, chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { buildOnce } from '../support/build-once.ts';
import { openCard } from '../support/card-page.ts';
import { type Elsewhere, elsewhere } from '../support/elsewhere.ts';
import { english, englishPattern } from '../support/english.ts';
import { type ExtensionFirefox, startExtensionFirefox } from '../support/extension-firefox.ts';
import { pngOf } from '../support/extension-server.ts';
import { installHelperIn } from '../support/installed-helper.ts';
import { allowPermissions } from '../support/optional-permissions.ts';
import { descendantsOf } from '../support/processes.ts';

const PICTURES = 24;
const PICTURE = pngOf(60_000);
/** Shorter than a page below takes to come, so that only the helper's port keeps the event page. */
const IDLE_MS = 700;

let directory: string;
let firefox: ExtensionFirefox;
let chrome: ChromeContext;
let server: Server;
let origin: string;
let there: Elsewhere;
/** What a test wants to be done about a picture; `undefined`: it is answered. */
let onPicture: ((response: ServerResponse, request: IncomingMessage) => void) | undefined;
const seen: IncomingMessage[] = [];

function answer(request: IncomingMessage, response: ServerResponse): void {
  seen.push(request);
  const url = new URL(request.url ?? '', origin);
  if (url.pathname === '/page') {
    const pictures = Array.from({ length: PICTURES }, (_, at) => `<img src="/picture-${at}${url.search}" alt="">`).join('');
    const page = `<!doctype html><meta charset="utf-8"><title>${url.search}</title>${pictures}`;
    setTimeout(
      () => response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' }).end(page),
      Number(url.searchParams.get('after')),
    );
  } else if (!url.pathname.startsWith('/picture-')) response.writeHead(404).end();
  else if (onPicture) onPicture(response, request);
  else whole(response);
}

const head = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'image/png', 'content-length': PICTURE.length, 'cache-control': 'no-store' });
const whole = (response: ServerResponse) => head(response).end(PICTURE);

beforeAll(async () => {
  buildOnce();
  there = await elsewhere();
  server = createServer(answer).listen(0, there.here);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await there.passOn(port);
  origin = `http://${there.address}:${port}`;
  directory = await mkdtemp(join(tmpdir(), 'plumbfox-gateway-'));
  await installHelperIn(directory);
  firefox = await startExtensionFirefox({
    variant: 'release',
    profile: directory,
    preferences: { 'extensions.background.idle.timeout': IDLE_MS },
  });
  chrome = await chromeContext(firefox.browser);
  await firefox.ask({ kind: 'set-quiet', quietMs: 200 });
});

afterAll(async () => {
  await firefox?.stop();
  server?.closeAllConnections();
  server?.close();
  await there?.stop();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

const allow = (permissions: readonly string[]) => allowPermissions(chrome, permissions);

const state = () => firefox.ask({ kind: 'gateway-state' });
const shown = (id: string) =>
  firefox.popup.evaluate((name) => {
    const element = document.getElementById(name);
    return element?.checkVisibility() ? element.innerText.replaceAll('\u00a0', ' ') : undefined;
  }, id);
const picturesShown = () =>
  firefox.page.evaluate(() => [
    document.readyState,
    [...document.images].filter((image) => image.complete && image.naturalWidth > 0).length,
  ]);
const badge = () =>
  firefox.popup.evaluate(() =>
    (globalThis as unknown as { browser: { action: { getBadgeText(details: object): Promise<string> } } }).browser.action.getBadgeText({}),
  );

test('without the permission, and without a helper, nothing of it is shown', async () => {
  expect(await state()).toEqual({ state: 'unsupported' });
  expect(await shown('gateway')).toBeUndefined();
});

test('switched on in the popup, it gives a page the depth, and outlives the idle time of the event page', async () => {
  await allow(['nativeMessaging', 'proxy', 'webRequestAuthProvider', 'webRequestBlocking']);
  // Looked at again, it asks again.
  await firefox.popup.bringToFront();
  await expect.poll(() => shown('gateway-on')).toBeDefined();
  await firefox.popup.click('#gateway-on');
  await expect.poll(() => shown('gateway-words')).toBe(english('gateway.noSite'));
  expect(await badge()).toBe('GW');
  await firefox.popup.type('#gateway-site', `${origin}/page`);
  await firefox.popup.click('#gateway-list button');
  const on = english('gateway.on', {
    connections: english('count.connections', { count: 4 }),
    requests: english('count.requests', { count: 6 }),
  });
  await expect.poll(() => shown('gateway-words')).toBe(on);
  expect(await shown('gateway-sites')).toContain(origin);
  await firefox.page.bringToFront();
  // The first request of a site goes direct, and is looked at.
  await firefox.page.goto(`${origin}/page?look`);
  expect(await picturesShown()).toEqual(['complete', PICTURES]);
  await expect.poll(async () => (await firefox.ask({ kind: 'loads-after' })).length).toBe(1);
  const [looked] = await firefox.ask({ kind: 'loads-after' });
  expect(looked?.requests[0]?.wire?.proxied).toBe(false);

  // Its first answers come one at a time: see PROBATION.
  await firefox.page.goto(`${origin}/page?probation`);
  await expect.poll(async () => (await firefox.ask({ kind: 'loads-after' })).length).toBe(2);

  const held: ServerResponse[] = [];
  onPicture = (response) => {
    held.push(response);
    if (held.length === PICTURES) for (const one of held) whole(one);
  };
  await firefox.page.bringToFront();
  // All pictures have to be under way at once, or none comes.
  await firefox.page.goto(`${origin}/page?after=${3 * IDLE_MS}`);
  expect(await picturesShown()).toEqual(['complete', PICTURES]);
  const counters = { mostConnections: 4, mostDepth: 6, failures: 0 };
  expect(await state()).toMatchObject({ state: 'on', profileId: 'c4-d6', connections: 4, depth: 6, counters });
  expect(seen.every(({ headers }) => headers['proxy-authorization'] === undefined)).toBe(true);
  await expect.poll(async () => (await firefox.ask({ kind: 'loads-after' })).length).toBe(3);
  const [, , load] = await firefox.ask({ kind: 'loads-after' });
  expect(load?.applied).toMatchObject({ profileId: 'c4-d6', applier: 'gateway', carrier: 'gateway' });
  expect(load?.requests.filter(({ wire }) => wire?.proxied).length).toBeGreaterThan(PICTURES);
  const card = await openCard(firefox.browser);
  const settings = '4 connections with up to 6 requests on each';
  const since = englishPattern('card.status.since', { time: /\S+/ });
  await card.says('applied', english('card.applied.other', { settings }), since, english('card.seeGateway'));
  await card.close();
});

interface Watching {
  begun: number;
  readonly browser: {
    readonly webRequest: { readonly onResponseStarted: { addListener(listener: () => void, filter: { urls: string[] }): void } };
  };
}

/** Counts in the popup's page the pictures whose answer has begun to come to Firefox. */
const watchBegun = () =>
  firefox.popup.evaluate(() => {
    const watching = globalThis as unknown as Watching;
    watching.begun = 0;
    watching.browser.webRequest.onResponseStarted.addListener(() => watching.begun++, { urls: ['http://*/picture-*'] });
  });
const picturesBegun = () => firefox.popup.evaluate(() => (globalThis as unknown as Watching).begun);

test('killed in the middle of a page, the page is complete, the next request goes direct within a second, and the popup says so', async () => {
  const [helper] = descendantsOf(firefox.processId).filter(({ name }) => name === 'node');
  expect(helper).toBeDefined();
  seen.length = 0;
  let killedAt = 0;
  let directAt = 0;
  onPicture = (response) => {
    if (killedAt > 0) {
      directAt ||= performance.now();
      whole(response);
      return;
    }
    // On each of the 4 connections one has begun and cannot end, and others wait behind it.
    head(response).write(PICTURE.subarray(0, 20_000));
  };
  await watchBegun();
  await firefox.page.bringToFront();
  firefox.page.goto(`${origin}/page?killed`).catch(() => undefined);
  // What Firefox has not begun to read it asks for again by itself: then nothing would be lost.
  await expect.poll(picturesBegun).toBe(4);
  killedAt = performance.now();
  process.kill(helper?.pid as number, 'SIGKILL');
  await expect.poll(picturesShown).toEqual(['complete', PICTURES]);
  expect(directAt - killedAt).toBeLessThan(1_000);
  await expect.poll(state).toEqual({ state: 'off', sites: [{ origin }], ended: { why: { why: 'stopped' }, reloaded: 1 } });
  expect(seen.filter(({ url }) => url?.startsWith('/page'))).toHaveLength(2);
  expect(await badge()).toBe('');
  await firefox.popup.bringToFront();
  await expect.poll(() => shown('gateway-problem')).toBe(`${english('gateway.ended')} ${english('gateway.ended.reloaded', { count: 1 })}`);
});

test('switched off, what is under way is let finish, and what comes after goes direct', async () => {
  await firefox.popup.click('#gateway-on');
  await expect.poll(async () => (await state()).state).toBe('on');
  onPicture = undefined;
  await firefox.page.bringToFront();
  // Another helper, another probation.
  await firefox.page.goto(`${origin}/page?probation`);
  const held: ServerResponse[] = [];
  seen.length = 0;
  onPicture = (response) => held.push(head(response));
  await firefox.page.bringToFront();
  const loaded = firefox.page.goto(`${origin}/page?off`);
  await expect.poll(() => held.length).toBe(PICTURES);
  expect((await firefox.ask({ kind: 'gateway-off' })).state).toBe('off');
  for (const one of held) one.end(PICTURE);
  await loaded;
  expect(await picturesShown()).toEqual(['complete', PICTURES]);
  expect(seen.filter(({ url }) => url?.startsWith('/picture'))).toHaveLength(PICTURES);
  // Its programme has nothing to do any more.
  await expect.poll(() => descendantsOf(firefox.processId).filter(({ name }) => name === 'node')).toEqual([]);
  onPicture = undefined;
  await firefox.page.goto(`${origin}/page?direct`);
  expect(await picturesShown()).toEqual(['complete', PICTURES]);
});

test('switched off, its programme ends though pictures were cancelled as they were asked for', async () => {
  await firefox.ask({ kind: 'gateway-on', profileId: 'c4-d6' });
  await firefox.page.bringToFront();
  await firefox.page.goto(`${origin}/page?cancelled`);
  await firefox.page.evaluate(async () => {
    for (let round = 0; round < 40; round++) {
      // What is cancelled meets its proxy at each point of the way.
      for (let at = 0; at < 16; at++) {
        const image = Object.assign(new Image(), { src: `/picture-${at}?cancelled-${round}` });
        setTimeout(() => image.removeAttribute('src'), at / 2);
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
  expect((await firefox.ask({ kind: 'gateway-off' })).state).toBe('off');
  await expect.poll(() => descendantsOf(firefox.processId).filter(({ name }) => name === 'node')).toEqual([]);
});

/** A form, into a frame: asked as any part of a page is, but for its method. */
const posted = (path: string) =>
  firefox.page.evaluate(
    (url) =>
      new Promise<void>((resolve) => {
        const frame = document.createElement('iframe');
        frame.name = `into-${Math.random()}`;
        document.body.append(frame);
        const form = Object.assign(document.createElement('form'), { action: url, method: 'post', target: frame.name });
        document.body.append(form);
        frame.addEventListener('load', () => resolve());
        form.submit();
      }),
    `${origin}${path}`,
  );

test('what changes something, what is not listed, and what would carry a password goes direct', async () => {
  onPicture = undefined;
  await firefox.ask({ kind: 'gateway-on', profileId: 'c4-d6' });
  await firefox.page.goto(`${origin}/page?again`);
  const carried = async () => {
    const facts = await state();
    return facts.state === 'on' ? (facts.counters?.requests ?? Number.NaN) : Number.NaN;
  };
  const through = async (work: () => Promise<unknown>) => {
    const before = await carried();
    await work();
    return (await carried()) - before;
  };
  const fetched = (path: string, init: object) =>
    firefox.page.evaluate(async (url, options) => (await fetch(url, options)).status, `${origin}${path}`, init);
  const framed = (path: string) =>
    firefox.page.evaluate(
      (url) =>
        new Promise((resolve) => {
          const frame = document.createElement('iframe');
          frame.addEventListener('load', resolve);
          frame.src = url;
          document.body.append(frame);
        }),
      `${origin}${path}`,
    );
  expect(await through(() => framed('/picture-1?get'))).toBe(1);
  // What a script fetches may have no end.
  expect(await through(() => fetched('/picture-1?script', { cache: 'no-store' }))).toBe(0);
  expect(await through(() => posted('/picture-1?post'))).toBe(0);
  seen.length = 0;
  expect(await through(() => fetched('/picture-1?password', { headers: { authorization: 'Basic eA==' } }))).toBe(0);
  expect(seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([['/picture-1?password', 'Basic eA==']]);
  // From then on, all of it.
  expect(await through(() => framed('/picture-1?after'))).toBe(0);
  expect(await state()).toMatchObject({ sites: [{ origin, direct: 'authentication' }] });

  await firefox.ask({ kind: 'gateway-sites', change: { remove: origin } });
  expect(await through(() => firefox.page.goto(`${origin}/page?unlisted`))).toBe(0);
  expect(await state()).toMatchObject({ sites: [] });
  await firefox.ask({ kind: 'gateway-off' });
});

test('with the helper killed while a POST is under way, the server has the POST once', async () => {
  await firefox.ask({ kind: 'gateway-sites', change: { add: origin } });
  await firefox.ask({ kind: 'gateway-on', profileId: 'c4-d6' });
  await firefox.page.goto(`${origin}/page?one`);
  await firefox.page.goto(`${origin}/page?two`);
  seen.length = 0;
  const held: ServerResponse[] = [];
  onPicture = (response) => held.push(response);
  const shown = posted('/picture-1?once');
  await expect.poll(() => held.length).toBe(1);
  for (const { pid } of descendantsOf(firefox.processId).filter(({ name }) => name === 'node')) process.kill(pid, 'SIGKILL');
  await expect.poll(async () => (await state()).state).toBe('off');
  for (const one of held) whole(one);
  await shown;
  expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  onPicture = undefined;
});

describe('the probe', () => {
  const prefer = (preferences: Readonly<Record<string, number | boolean | string>>) =>
    chrome.run(
      `async (preferences) => {
        const set = { number: 'setIntPref', boolean: 'setBoolPref', string: 'setStringPref' };
        for (const [name, value] of Object.entries(preferences)) Services.prefs[set[typeof value]](name, value);
        Services.obs.notifyObservers(null, 'net:prune-all-connections');
      }`,
      preferences,
    );

  /** As the extension does, from a page of its own. */
  async function observed(probe: Probe): Promise<ProbeResult> {
    await firefox.popup.evaluate(
      async (base, pieces) => {
        await Promise.all(
          Array.from({ length: pieces }, async (_, at) => (await fetch(`${base}${at}`, { cache: 'no-store' })).arrayBuffer()),
        );
      },
      `http://127.0.0.1:${probe.port}/${probe.token}/`,
      probe.pieces,
    );
    await probe.close();
    return probe.result();
  }

  test('counts exactly the connections that Firefox is given', async () => {
    for (const connections of [1, 2, 4, 6, 8, 16]) {
      await prefer({ 'network.http.max-persistent-connections-per-server': connections });
      const probe = await openProbe({ connections, depth: 1 });
      expect(await observed(probe)).toEqual({ arrived: probe.pieces, connections, depth: 1 });
    }
  });

  test('counts what the gateway makes of them, where Firefox is led through it', async () => {
    const gateway = await startGateway({ connections: 4, depth: 6, connect: 'ahead', sites: 'any' }, { probation: 0 });
    await chrome.run(
      `async ({ port, secret }) =>
        void Cc['@mozilla.org/network/http-auth-manager;1'].getService(Ci.nsIHttpAuthManager)
          .setAuthIdentity('http', '127.0.0.1', port, 'basic', 'plumbfox', '', '', 'plumbfox', secret, false)`,
      gateway.route,
    );
    await prefer({
      'network.proxy.http': '127.0.0.1',
      'network.proxy.http_port': gateway.route.port,
      'network.proxy.allow_hijacking_localhost': true,
      'network.proxy.type': 1,
    });
    const probe = await openProbe({ connections: 4, depth: 6 });
    expect(await observed(probe)).toEqual({ arrived: probe.pieces, connections: 4, depth: 6 });
    expect(gateway.counters().origins).toMatchObject([{ requests: probe.pieces, peakConnections: 4, peakDepth: 6, connectionsFailed: 0 }]);
    await gateway.close();
  });
});
