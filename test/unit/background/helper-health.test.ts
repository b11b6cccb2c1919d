/** When the helper is told to keep a profile: half a minute after the start, when pages come; and never when they do not. */

import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Background } from '../../../src/background/create-background.ts';
import type { InEffectSince, RawRequestEvent } from '../../../src/core/measure/page-load.ts';
import type { HelperRequest } from '../../../src/protocol/helper-messages.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeStores, wakeBackground } from '../../support/fake-background.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';
import { answered, FakeHost, HELLO, refused, statusOf } from '../../support/fake-helper.ts';

const START = 1_800_000_000_000;
const history: InEffectSince[] = [];

let browser: ReturnType<typeof fakeBrowser>;
let host: FakeHost;
let page: Background['helperHealth'];
let facts: Background['helper'];

/** A life of the event page: what lies in memory is gone, what lies in storage stays. */
async function wake(): Promise<void> {
  browser.storage.session.held.set('browserSession', { id: 's-1', since: START });
  ({ helperHealth: page, helper: facts } = await wakeBackground({ stores: fakeStores({}, history) }));
  await page.awaitHealth();
}

const elapse = (ms: number) => vi.setSystemTime(START + ms);
const asked = () => host.heard.filter(({ op }) => op !== 'hello').map(({ op }) => op);
const event = (change: Partial<RawRequestEvent>): RawRequestEvent => ({
  phase: 'completed',
  at: Date.now(),
  requestId: '1',
  tabId: 1,
  frameId: 0,
  type: 'main_frame',
  url: 'https://site.test/',
  status: 200,
  fromCache: false,
  ...change,
});
const came = event({});
const didNotCome = event({ phase: 'failed', status: undefined, error: 'NS_ERROR_PROXY_CONNECTION_REFUSED' });

beforeEach(async () => {
  vi.useFakeTimers({ now: START + 100, toFake: ['Date'] });
  history.length = 0;
  browser = fakeBrowser({ helper: true });
  host = new FakeHost((request: HelperRequest) => {
    if (request.op === 'hello') return answered(request, HELLO);
    return answered(request, statusOf('c4-d1', { phase: request.op === 'confirm' ? 'confirmed' : 'pending' }));
  });
  Object.assign(browser.runtime, { connectNative: () => host.connect() });
  useBrowser(browser);
  await wake();
  return () => vi.useRealTimers();
});

describe('a profile that waits for word', () => {
  test('is noted as in effect since the start, and the helper is told of the start once', async () => {
    await wake();
    await wake();
    expect(asked()).toEqual(['started']);
    expect(history).toMatchObject([{ since: START, applied: { profileId: 'c4-d1', applier: 'helper', mismatches: [] } }]);
    expect(browser.alarms.held.get('health')).toBe(START + 30_000);
  });

  test('is kept when half a minute is over and a page has come before', async () => {
    await page.noteHealth(came);
    await wake();
    elapse(29_999);
    await page.keepIfWell();
    expect(asked()).toEqual(['started']);
    elapse(30_000);
    await page.keepIfWell();
    expect(asked()).toEqual(['started', 'confirm']);
    await page.keepIfWell();
    await page.noteHealth(came);
    expect(asked()).toEqual(['started', 'confirm']);
  });

  test('is kept with the first page that comes after that, by many requests at once only once', async () => {
    elapse(90_000);
    await page.keepIfWell();
    expect(asked()).toEqual(['started']);
    await Promise.all(Array.from({ length: 20 }, () => page.noteHealth(came)));
    expect(asked()).toEqual(['started', 'confirm']);
  });

  test.each<[string, Partial<RawRequestEvent>]>([
    ['a page that does not come', didNotCome],
    ['a page from the cache', { fromCache: true }],
    ['what anybody on the way could have answered', { url: 'http://site.test/', status: 200 }],
    ['what the gateway carried', { url: 'http://site.test/', proxied: true, status: 502 }],
    ['a server on this machine', { url: 'https://localhost:8443/' }],
    ['the same by its address', { url: 'https://127.0.0.1/' }],
    ['a request without a status', { status: undefined }],
    ['a request that begins', { phase: 'started', status: undefined }],
    ['a redirect', { phase: 'redirected', status: 302 }],
    ['a picture that does not come', { phase: 'failed', type: 'image', status: undefined, error: 'NS_ERROR_NET_RESET' }],
  ])('is not kept for %s', async (_, change) => {
    elapse(31_000);
    await page.noteHealth(event(change));
    await page.keepIfWell();
    expect(asked()).toEqual(['started']);
  });

  test('is not kept while the last page did not come, though one came before', async () => {
    await page.noteHealth(came);
    await page.noteHealth(didNotCome);
    elapse(31_000);
    await page.keepIfWell();
    expect(asked()).toEqual(['started']);
    await page.noteHealth(came);
    expect(asked()).toEqual(['started', 'confirm']);
  });

  test.each([
    ['a page that was called off', { error: 'NS_BINDING_ABORTED' }],
    ['a picture that was blocked', { type: 'image' as const, error: 'NS_ERROR_BLOCKED_BY_POLICY' }],
  ])('%s says nothing', async (_, change) => {
    await page.noteHealth(came);
    await page.noteHealth(event({ phase: 'failed', status: undefined, ...change }));
    elapse(31_000);
    await page.keepIfWell();
    expect(asked()).toEqual(['started', 'confirm']);
  });

  test('is asked for again half a minute after a failure, not with every request', async () => {
    const { answer } = host;
    host.answer = (request, at) => (request.op === 'confirm' ? refused(request, 'busy', 'another') : answer(request, at));
    elapse(31_000);
    for (let at = 0; at < 5; at++) await page.noteHealth(came);
    expect(asked()).toEqual(['started', 'confirm']);
    expect(browser.alarms.held.get('health')).toBe(START + 61_000);
    host.answer = answer;
    elapse(61_000);
    await page.keepIfWell();
    expect(asked()).toEqual(['started', 'confirm', 'confirm']);
    expect(browser.storage.session.held.get('helperRun')).toMatchObject({ awaitsConfirmation: false });
  });

  test('is nobody’s matter any more when another has been applied: of that one this run knows nothing', async () => {
    const { answer } = host;
    host.answer = (request, at) =>
      request.op === 'apply' ? answered(request, statusOf('c8-d1', { restartNeeded: true, starts: 0 })) : answer(request, at);
    await facts.applyAtStart('c8-d1');
    elapse(31_000);
    await page.noteHealth(came);
    await wake();
    await page.noteHealth(came);
    await page.keepIfWell();
    expect(asked()).toEqual(['started', 'status', 'apply']);
  });
});

describe('where nothing waits', () => {
  test('without the permission nobody is asked, and nothing is written down', async () => {
    browser.state.helper = false;
    browser.storage.session.held.clear();
    host.heard.length = 0;
    await wake();
    elapse(31_000);
    await page.noteHealth(came);
    expect(host.heard).toEqual([]);
    expect([...browser.storage.session.held.keys()]).toEqual(['browserSession']);
  });

  test('a helper that is not there is asked for again by the person alone', async () => {
    browser.storage.session.held.clear();
    host.answer = (_, at) => void at.end({ message: 'No such native application plumbfox' });
    await wake();
    const known = { problem: { why: 'not-installed' }, awaitsConfirmation: false, failures: 1 };
    expect(browser.storage.session.held.get('helperRun')).toEqual(known);
    // Who uninstalls it takes back what it wrote: loads are not counted under that for ever.
    expect(history.at(-1)).toEqual({ since: START, applied: null });
    host.answer = (request) => answered(request, request.op === 'hello' ? HELLO : statusOf('c4-d1'));
    await wake();
    expect(browser.storage.session.held.get('helperRun')).toEqual(known);
    expect(await facts.helperFacts()).toMatchObject({ state: 'ready', status: { profileId: 'c4-d1' } });
    expect(history.at(-1)).toMatchObject({ since: START, applied: { profileId: 'c4-d1', applier: 'helper' } });
    expect(browser.storage.session.held.get('helperRun')).toEqual({ inEffect: 'c4-d1', awaitsConfirmation: true });
    expect(browser.alarms.held.get('health')).toBe(START + 30_000);
  });

  test('a helper that fails is asked again when the event page wakes, but not without end', async () => {
    browser.storage.session.held.clear();
    host.heard.length = 0;
    host.answer = (_, at) => void at.end();
    for (let at = 0; at < 9; at++) await wake();
    expect(host.heard).toHaveLength(5);
    // What it wrote before is still there, as far as is known.
    expect(browser.storage.session.held.get('helperRun')).toMatchObject({ inEffect: 'c4-d1', failures: 5 });
    expect(await facts.helperFacts()).toEqual({ state: 'problem', problem: { why: 'stopped' } });
    expect(host.heard).toHaveLength(6);
  });

  test('what was taken back before this start is not in effect any more', async () => {
    browser.storage.session.held.clear();
    host.answer = (request) =>
      answered(
        request,
        request.op === 'hello' ? HELLO : { phase: 'none', starts: 0, restartNeeded: false, preferences: [], changedByOthers: [] },
      );
    await wake();
    expect(history.at(-1)).toEqual({ since: START, applied: null });
    expect(browser.storage.session.held.get('helperRun')).toEqual({ awaitsConfirmation: false });
  });

  test('what was written since is not what this run has read', async () => {
    browser.storage.session.held.clear();
    host.answer = (request) => answered(request, request.op === 'hello' ? HELLO : statusOf('c8-d1', { restartNeeded: true }));
    await wake();
    expect(history).toHaveLength(1);
    expect(browser.storage.session.held.get('helperRun')).toEqual({ inEffect: 'c4-d1', awaitsConfirmation: false });
  });
});

describe('where nobody waits for word', () => {
  test.each([
    ['the helper may not be asked', false],
    ['nothing was applied', true],
  ])('the event that wakes the page starts no process and sets no alarm: %s', async (_, helper) => {
    browser = fakeBrowser({ helper });
    host = new FakeHost((request: HelperRequest) =>
      answered(request, request.op === 'hello' ? HELLO : statusOf('c4-d1', { phase: 'none' })),
    );
    let started = 0;
    Object.assign(browser.runtime, {
      connectNative: () => {
        started++;
        return host.connect();
      },
    });
    useBrowser(browser);
    page = (await wakeBackground({ stores: fakeStores({}, history) })).helperHealth;
    elapse(60_000);
    await page.noteHealth(came);
    await page.keepIfWell();
    expect([started, browser.alarms.held.get('health')]).toEqual([0, undefined]);
  });
});
