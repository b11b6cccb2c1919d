/** A trial with a depth, in a Firefox whose preferences nobody can switch: the real helper's gateway is switched between its slots. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { buildOnce } from '../support/build-once.ts';
import { openCard } from '../support/card-page.ts';
import { changeTrial } from '../support/card-records.ts';
import { type Elsewhere, elsewhere } from '../support/elsewhere.ts';
import { english } from '../support/english.ts';
import { CONTROLS_URL, type ExtensionFirefox, openExtensionPage, startExtensionFirefox } from '../support/extension-firefox.ts';
import { pngOf } from '../support/extension-server.ts';
import { installHelperIn } from '../support/installed-helper.ts';
import { FULL } from '../support/long-form.ts';
import { allowPermissions } from '../support/optional-permissions.ts';
import { descendantsOf } from '../support/processes.ts';
import { loadOnce, PER_SERVER, trialNow } from '../support/trial-firefox.ts';

const QUIET_MS = 100;
const PICTURES = 6;
const PICTURE = pngOf(2_000);
/** The page and its pictures. */
const REQUESTS = 1 + PICTURES;

let directory: string;
let firefox: ExtensionFirefox;
const servers: Server[] = [];
/** Carried by the gateway, and by none: Firefox never sends a loopback address through a proxy of an extension. */
let carried: string;
let there: Elsewhere;
let loopback: string;

const answer: RequestListener = ({ url = '' }, response) => {
  const [name = '', query = ''] = url.split('?');
  const pictures = Array.from({ length: PICTURES }, (_, at) => `<img src="/picture-${at}?${query}" alt="">`).join('');
  const headers = { 'cache-control': 'no-store' };
  if (name === '/page') {
    const page = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>t</title>${pictures}`;
    response.writeHead(200, { ...headers, 'content-type': 'text/html' }).end(page);
  } else response.writeHead(200, { ...headers, 'content-type': 'image/png', 'content-length': PICTURE.length }).end(PICTURE);
};

async function serve(host: string): Promise<number> {
  const server = createServer(answer).listen(0, host);
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  buildOnce();
  there = await elsewhere();
  const port = await serve(there.here);
  await there.passOn(port);
  carried = `http://${there.address}:${port}`;
  loopback = `http://127.0.0.1:${await serve('127.0.0.1')}`;
  directory = await mkdtemp(join(tmpdir(), 'plumbfox-trial-gateway-'));
  await installHelperIn(directory);
  firefox = await startExtensionFirefox({ variant: 'release', profile: directory });
  await allow(['nativeMessaging', 'proxy', 'webRequestAuthProvider', 'webRequestBlocking']);
  await firefox.ask({ kind: 'gateway-sites', change: { add: carried } });
  await firefox.ask({ kind: 'set-quiet', quietMs: QUIET_MS });
});

afterAll(async () => {
  await firefox?.stop();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await there?.stop();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

const allow = async (permissions: readonly string[]) => allowPermissions(await chromeContext(firefox.browser), permissions);

const gateway = () => firefox.ask({ kind: 'gateway-state' });
/** Requests that it has carried; 0: it is off. */
async function carriedRequests(): Promise<number> {
  const state = await gateway();
  return state.state === 'on' ? (state.counters?.requests ?? Number.NaN) : 0;
}

/** Where each page was loaded from, in order. */
const loadedFrom: string[] = [];
const page = (origin: string) => `${origin}/page?${loadedFrom.push(origin)}`;
/** So many of the newest loads are looked at to say how many could count. */
const NEWEST = 50;
/** Loads a page that can count; answers what its slot was, and how many of its requests the gateway has carried. */
async function load(origin: string) {
  const before = await carriedRequests();
  const { trial } = await loadOnce(firefox, page(origin));
  return { trial, mark: trial?.mark, through: (await carriedRequests()) - before };
}

/** What the gateway is on with for each arm; undefined: it is off. */
const NUMBERS = {
  'c4-d6': { connections: 4, depth: 6 },
  'firefox-default': undefined,
  control: { connections: 6, depth: 1 },
};

/** Loads pages that count until this profile has its turn, and has had its first load. */
async function untilSlotOf(profileId: string): Promise<void> {
  // Until the last of three turns, each of three slots of three loads, has come in the block after.
  for (let at = 0; at < 48; at++) {
    const { turn, now } = await trialNow(firefox);
    expect(now.state).toBe('in-effect');
    if (turn.profileId === profileId && now.state === 'in-effect' && !now.washout) return;
    await loadOnce(firefox, page(carried));
  }
  throw new Error(`${profileId} has had no turn`);
}

test('three arms, the control among them: the gateway is on with the numbers of the profile and off for the baseline, and only what it can carry counts, in both', async () => {
  // What the person had it on with.
  expect(await firefox.ask({ kind: 'gateway-on', profileId: 'c6-d4' })).toMatchObject({ state: 'on', profileId: 'c6-d4' });
  const { live, offer } = await firefox.ask({ kind: 'trial-state' });
  expect(live).toBe(false);
  expect(offer.gateway?.map(({ id }) => id)).toContain('c4-d6');
  const trial = { candidates: ['c4-d6'], slots: { kind: 'loads' as const, perSlot: 2 } };
  await firefox.ask({ kind: 'start-trial', trial });

  expect((await trialNow(firefox)).arms.map(({ profileId, isControl }) => [profileId, isControl])).toEqual([
    ['firefox-default', undefined],
    ['c4-d6', undefined],
    ['control', true],
  ]);

  // In any order: each arm has had loads that count when the last of them has had its turn.
  for (const [profileId, numbers] of Object.entries(NUMBERS)) {
    await untilSlotOf(profileId);
    const isOn = numbers !== undefined;
    expect(await gateway()).toMatchObject(isOn ? { state: 'on', profileId, ...numbers } : { state: 'off' });
    const { turn } = await trialNow(firefox);
    const other = await load(loopback);
    expect(other).toMatchObject({ mark: { profileId, slot: turn.slot }, through: 0 });
    expect(other.trial?.void).toContain('is of no site listed for pipelining');
    const counting = await load(carried);
    expect(counting).toMatchObject({ mark: { profileId, slot: turn.slot, washout: false }, through: isOn ? REQUESTS : 0 });
    expect(counting.trial?.void).toBeUndefined();
  }
  const { arms, warnings } = await trialNow(firefox);
  // What does not count is not attempted either: nothing is missing.
  for (const { attempted, recorded, lost } of arms) expect([attempted > 0, recorded === attempted, lost]).toEqual([true, true, 0]);
  expect(warnings.join()).toContain('Only pages of the sites listed for pipelining count');
  const plan = await firefox.ask({ kind: 'plan-trial', trial });
  const newest = loadedFrom.slice(-NEWEST);
  expect(plan.gateway).toMatchObject({ of: newest.length, could: newest.filter((origin) => origin === carried).length });
});

test('paused, the gateway is as the person had it; killed, it pauses the trial with the reason; stopped, it is off', async () => {
  await firefox.ask({ kind: 'pause-trial' });
  await expect.poll(gateway).toMatchObject({ state: 'on', profileId: 'c6-d4' });
  await firefox.ask({ kind: 'resume-trial' });
  await untilSlotOf('c4-d6');
  for (const { pid } of descendantsOf(firefox.processId).filter(({ name }) => name === 'node')) process.kill(pid, 'SIGKILL');
  await expect
    .poll(async () => (await trialNow(firefox)).now)
    .toMatchObject({ state: 'paused', because: expect.stringContaining('The gateway ended by itself'), restoring: false });
  expect(await gateway()).toMatchObject({ state: 'off', ended: { why: { why: 'stopped' } } });
  const { trial, through } = await load(carried);
  expect([trial?.void !== undefined || trial === undefined, through]).toEqual([true, 0]);

  await firefox.ask({ kind: 'resume-trial' });
  await untilSlotOf('c4-d6');
  expect(await gateway()).toMatchObject({ state: 'on', profileId: 'c4-d6' });
  await firefox.ask({ kind: 'stop-trial' });
  await expect.poll(async () => (await gateway()).state).toBe('off');
  expect((await trialNow(firefox)).now).toEqual({ state: 'ended', restoring: false });

  // Had it confirmed them, the gateway would be what is left to press.
  const found = { profileId: 'c4-d6', ratio: 1.2, low: 1.1, high: 1.3, finding: 'better', loads: 22, baselineLoads: 18 };
  await changeTrial(firefox.popup, { progress: { end: { kind: 'confirmed', found } } });
  const card = await openCard(firefox.browser);
  const settings = '4 connections with up to 6 requests on each';
  await card.says('confirmed', english('card.confirmed.other', { settings }), '+20 %', '40 new page loads', english('card.seeGateway'));
  await card.close();
});

test.runIf(FULL)(
  'mixed, where preferences can be switched too: each slot has its preferences and its gateway, and both are as before in the end',
  async () => {
    // The lab build over the release build, in the Firefox that is up.
    const { connection } = firefox.browser as unknown as { connection: { send(method: string, params: object): Promise<unknown> } };
    await connection.send('webExtension.install', { extensionData: { type: 'path', path: resolve('dist/extension-lab') } });
    const popup = await openExtensionPage(firefox.browser, CONTROLS_URL);
    const send = (text: string) =>
      (globalThis as unknown as { browser: { runtime: { sendMessage(message: unknown): Promise<unknown> } } }).browser.runtime.sendMessage(
        JSON.parse(text),
      );
    const ask = async (request: { readonly kind: string; readonly quietMs?: number }) => {
      const reply = (await popup.evaluate(send, JSON.stringify(request))) as { readonly ok: boolean; readonly value: never };
      if (!reply.ok) throw new Error(JSON.stringify(reply));
      return reply.value;
    };
    const lab: ExtensionFirefox = { ...firefox, popup, ask };
    // Lasts as long as the build for which it was asked.
    await lab.ask({ kind: 'set-quiet', quietMs: QUIET_MS });
    await lab.ask({ kind: 'live-apply', profileId: 'c2-d1' });
    await lab.ask({ kind: 'start-trial', trial: { candidates: ['c4-d6', 'c8-d1'], slots: { kind: 'loads', perSlot: 1 } } });
    const perServer = async () => (await lab.ask({ kind: 'read-back' })).find(({ preference }) => preference === PER_SERVER)?.value;
    const seen = new Map<string, readonly [string, unknown]>();
    for (let at = 0; at < 24 && seen.size < 4; at++) {
      const { turn, now } = await trialNow(lab);
      expect(now.state).toBe('in-effect');
      seen.set(turn.profileId, [(await lab.ask({ kind: 'gateway-state' })).state, await perServer()]);
      if (seen.size < 4) await loadOnce(lab, page(carried));
    }
    expect(Object.fromEntries(seen)).toEqual({
      'firefox-default': ['off', 6],
      'c8-d1': ['off', 8],
      'c4-d6': ['on', 6],
      control: ['on', 6],
    });
    await lab.ask({ kind: 'stop-trial' });
    const { now, former } = await trialNow(lab);
    expect([now, former]).toEqual([
      { state: 'ended', restoring: false },
      { profileId: 'c2-d1', by: 'live' },
    ]);
    expect([(await lab.ask({ kind: 'gateway-state' })).state, await perServer()]).toEqual(['off', 2]);
  },
);
