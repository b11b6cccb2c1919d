/** What fails when nobody waits for it: no rejection is left over, and the popup's facts say what happened, whatever cannot be written. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { InEffectSince } from '../../../src/core/measure/page-load.ts';
import type { PageTiming } from '../../../src/core/measure/page-timing.ts';
import type { HelperRequest } from '../../../src/protocol/helper-messages.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeStores, wakeBackground } from '../../support/fake-background.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';
import { answered, FakeHost, HELLO, NOTHING_APPLIED } from '../../support/fake-helper.ts';
import { event, pageTiming } from '../../support/observation-builders.ts';

const FULL = 'QuotaExceededError: The current transaction exceeded its quota limitations.';
const full = () => new DOMException('The current transaction exceeded its quota limitations.', 'QuotaExceededError');

const history: InEffectSince[] = [];
/** The database, the run's state, a tab, and what is asked for permission: which of them reject. */
const failing = { database: false, session: false, tab: false, permission: false };
const held = { stored: 0, told: 0 };
const stores = fakeStores({
  inEffectHistory: async () => history,
  noteInEffect: async (applied, since) => {
    if (failing.database) throw full();
    history.push({ applied, since });
  },
  storeLoad: async () => {
    held.stored += 1;
  },
});

let host: FakeHost;
let browser: ReturnType<typeof browserWithGateway>;
let endRequest: (details: { requestId: string; error?: string }) => void;
let route: (details: object) => unknown;
let sawHead: (details: object) => unknown;

/** With what the gateway needs besides. */
function browserWithGateway() {
  const browser = fakeBrowser({ helper: true });
  const refuse = (what: keyof typeof failing) => {
    if (failing[what]) throw full();
  };
  const { session } = browser.storage;
  const { set, remove } = session;
  session.set = async (values) => {
    refuse('session');
    await set(values);
  };
  session.remove = async (key) => {
    refuse('session');
    await remove(key);
  };
  const { contains } = browser.permissions;
  browser.permissions.contains = async (wanted) => {
    refuse('permission');
    return contains(wanted);
  };
  const listen = (take: (listener: never) => void = () => {}) => ({ addListener: take, removeListener: () => {} });
  return {
    ...browser,
    runtime: { ...browser.runtime, connectNative: () => host.connect() },
    proxy: {
      settings: { get: async () => ({ value: { proxyType: 'none' } }), onChange: listen() },
      onRequest: listen((listener) => {
        route = listener;
      }),
    },
    webRequest: {
      ...browser.webRequest,
      onAuthRequired: listen(),
      onSendHeaders: listen(),
      onBeforeRedirect: listen(),
      onHeadersReceived: listen((listener) => {
        sawHead = listener;
      }),
      onCompleted: listen(),
      onErrorOccurred: listen((listener) => {
        endRequest = listener;
      }),
    },
    action: { setBadgeText: async () => undefined, setTitle: async () => undefined },
    tabs: {
      reload: async () => refuse('tab'),
    },
  };
}

const GATEWAY = { port: 4_000, secret: 's'.repeat(32), connections: 4, depth: 6 };
const resultOf = ({ op }: HelperRequest) =>
  op === 'hello'
    ? HELLO
    : op === 'gateway-open'
      ? GATEWAY
      : op === 'gateway-counters'
        ? { requests: 0, mostConnections: 0, mostDepth: 0, failures: 0 }
        : op === 'gateway-doubts'
          ? { sites: [] }
          : NOTHING_APPLIED;

/** A new life of the event page: its modules have forgotten everything. */
async function wake() {
  const { gateway, helperHealth, pageState, recorder } = await wakeBackground({ stores });
  const { watchHostPermission } = await import('../../../src/adapters/permissions.ts');
  watchHostPermission();
  gateway.watchGatewayEnd(async () => {
    held.told += 1;
  });
  return { ...gateway, ...recorder, ...helperHealth, facts: () => pageState.popupFacts(Date.now()) };
}

const inEffect = () => history.at(-1)?.applied?.profileId;
/** Until what was set going has come to its end. */
const settled = () => new Promise((done) => setTimeout(done, 5));
const timing = (): PageTiming => ({ ...pageTiming(), navigationType: 'navigate' });

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);

beforeEach(() => {
  host = new FakeHost((request) => answered(request, resultOf(request)));
  history.length = 0;
  Object.assign(held, { stored: 0, told: 0 });
  Object.assign(failing, { database: false, session: false, tab: false, permission: false });
  browser = useBrowser(browserWithGateway());
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(async () => {
  await settled();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

describe('the gateway’s helper ends while nothing can be written', () => {
  test('the trial hears of it, the popup says why, and no load is stored under the gateway’s profile', async () => {
    const page = await wake();
    await page.switchGatewayOn('c4-d6');
    expect(inEffect()).toBe('c4-d6');
    failing.database = true;
    host.end();
    await expect.poll(() => held.told).toBe(1);
    expect((await page.facts()).lateFailures).toEqual([{ of: 'gateway', message: FULL }]);
    await expect(page.recordTiming(timing(), 1)).rejects.toThrow('quota');
    expect(held.stored).toBe(0);
    expect((await page.facts()).recording).toEqual({ state: 'store-failed', message: FULL });

    failing.database = false;
    expect(await page.recordTiming(timing(), 1)).toBe(true);
    expect(inEffect()).toBeUndefined();
    const { lateFailures, recording } = await page.facts();
    expect([lateFailures, recording]).toEqual([undefined, { state: 'recording' }]);
  });

  test('how it ended is known although the run’s state cannot be written', async () => {
    const page = await wake();
    await page.switchGatewayOn('c4-d6');
    failing.session = true;
    host.end();
    await expect.poll(() => held.told).toBe(1);
    expect(await page.gatewayFacts()).toEqual({ state: 'off', sites: [], ended: { why: { why: 'stopped' }, reloaded: 0 } });
    expect((await page.facts()).lateFailures).toEqual([{ of: 'gateway', message: FULL }]);
    expect(inEffect()).toBeUndefined();
  });

  test('pages that have lost something are loaded again all the same, and counted; a tab that is gone is none', async () => {
    const page = await wake();
    await page.changeSites({ add: 'intranet.example' });
    await page.switchGatewayOn('c4-d6');
    const url = 'http://intranet.example/';
    sawHead({ requestId: '0', url, statusCode: 200, ip: '10.1.2.3' });
    for (const tabId of [1, 2]) {
      const details = { requestId: `${tabId}`, tabId, type: 'main_frame', method: 'GET', url };
      route(details);
    }
    failing.database = true;
    host.end();
    endRequest({ requestId: '1', error: 'NS_ERROR_NET_PARTIAL_TRANSFER' });
    await expect.poll(page.gatewayFacts).toMatchObject({ ended: { reloaded: 1 } });
    failing.tab = true;
    endRequest({ requestId: '2', error: 'NS_ERROR_NET_PARTIAL_TRANSFER' });
    await settled();
    expect(await page.gatewayFacts()).toMatchObject({ state: 'off', ended: { reloaded: 1 } });
  });
});

test.each(['database', 'session'] as const)(
  'a gateway of which cannot be noted (%s) that it is on is off, and whoever asked is told',
  async (what) => {
    const page = await wake();
    failing[what] = true;
    await expect(page.switchGatewayOn('c4-d6')).rejects.toMatchObject({
      kind: 'environment',
      message: `It cannot be saved that it is on (${FULL}): check that the disk is not full`,
    });
    expect(page.gatewayProfile()).toBeUndefined();
    await expect.poll(() => host.open).toBe(0);
  },
);

test('a helper that ends while it is being noted that the gateway is on leaves it off', async () => {
  const page = await wake();
  host.answer = (request, at) => {
    if (request.op === 'gateway-open') setTimeout(() => at.end(), 0);
    return answered(request, resultOf(request));
  };
  await page.switchGatewayOn('c4-d6');
  await expect.poll(() => held.told).toBe(1);
  expect(await page.gatewayFacts()).toEqual({ state: 'off', sites: [], ended: { why: { why: 'stopped' }, reloaded: 0 } });
  expect(inEffect()).toBeUndefined();
});

test('switched off while nothing can be written it is off, and the popup says what could not be noted', async () => {
  const page = await wake();
  await page.switchGatewayOn('c4-d6');
  Object.assign(failing, { database: true, session: true });
  expect(await page.switchGatewayOff()).toEqual({ state: 'off', sites: [] });
  expect((await page.facts()).lateFailures).toEqual([{ of: 'gateway', message: FULL }]);
});

describe('an event', () => {
  test('of which cannot be asked whether it may be recorded is told by the recording’s state', async () => {
    const page = await wake();
    failing.permission = true;
    await page.recordEvent(event('completed', '1', Date.now()));
    failing.permission = false;
    expect((await page.facts()).recording).toEqual({ state: 'store-failed', message: FULL });
  });

  test('whose health cannot be noted is told by the popup, and the next that can ends it', async () => {
    const page = await wake();
    browser.storage.session.held.set('helperRun', { awaitsConfirmation: true });
    failing.session = true;
    await page.noteHealth({ ...event('completed', '1', Date.now()), url: 'https://site.test/', status: 200 });
    expect((await page.facts()).lateFailures).toEqual([{ of: 'health', message: FULL }]);
    failing.session = false;
    await page.noteHealth({ ...event('completed', '2', Date.now()), url: 'https://site.test/', status: 200 });
    expect((await page.facts()).lateFailures).toBeUndefined();
  });
});

test('what is known outlives the event page where it could be stored', async () => {
  const first = await wake();
  await first.switchGatewayOn('c4-d6');
  failing.database = true;
  host.end();
  await expect.poll(() => held.told).toBe(1);
  const second = await wake();
  expect((await second.facts()).lateFailures).toEqual([{ of: 'gateway', message: FULL }]);
  // The history still says that the gateway is on: the next life settles it.
  failing.database = false;
  await second.settleGateway();
  expect(inEffect()).toBeUndefined();
  expect((await second.facts()).lateFailures).toBeUndefined();
});
