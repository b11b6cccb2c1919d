/** A trial of two profiles on everyday browsing, in a Firefox that lets the extension switch: what the server saw against what the loads say. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_SLOTS_PER_TURN } from '../../src/core/trial/trial-defaults.ts';
import { type ChromeContext, chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { type ExtensionFirefox, startExtensionFirefox } from '../support/extension-firefox.ts';
import { pngOf, startTestServer, type TestServer } from '../support/extension-server.ts';
import { expectUnderItsProfile, heldPages, loadOnce, mostAtOnce, PER_SERVER, recorded, trialNow } from '../support/trial-firefox.ts';

const READ = `name => ({ value: Services.prefs.getIntPref(name), userSet: Services.prefs.prefHasUserValue(name) })`;
const SET = `({ name, value }) => { if (value === null) Services.prefs.clearUserPref(name); else Services.prefs.setIntPref(name, value); return null; }`;
/** The person's own, set before any trial: a trial leaves it as it was. */
const OWN = { name: 'network.dnsCacheExpiration', value: 77 };
const PER_SLOT = 2;
/** Of a block: a turn of each of the two profiles. */
const SLOTS = 2 * DEFAULT_SLOTS_PER_TURN;

let firefox: ExtensionFirefox;
let chrome: ChromeContext;
let server: TestServer;
let slow: TestServer;
let count = 0;
/** Held back by it: the last picture of `long`. */
let longEnds: Promise<void> = Promise.resolve();
const url = (page = 'hold') => `${server.origin}/${page}?${++count}`;
const held = (name = PER_SERVER) => chrome.run<{ value: number; userSet: boolean }>(READ, name);
const SHIPPED = { value: 6, userSet: false };

const start = () => firefox.ask({ kind: 'start-trial', trial: { candidates: ['c2-d1'], slots: { kind: 'loads', perSlot: PER_SLOT } } });

beforeAll(async () => {
  // Of a server of its own: it takes no connection away from the pictures that are counted.
  slow = await startTestServer((path) => ({ path, type: 'image/png', body: pngOf(500), until: longEnds }));
  server = await startTestServer((path) => {
    const resource = heldPages(path);
    return resource && path.startsWith('/long')
      ? { ...resource, body: `${resource.body}<img src="${slow.origin}/last" alt="">` }
      : resource;
  });
  // The event page ends whenever 0.7 s pass without an event: nothing of a trial may rest on its memory.
  firefox = await startExtensionFirefox({ preferences: { 'extensions.background.idle.timeout': 700, [OWN.name]: OWN.value } });
  chrome = await chromeContext(firefox.browser);
  await firefox.ask({ kind: 'set-quiet', quietMs: 100 });
});

afterEach(async () => {
  const { current } = await firefox.ask({ kind: 'trial-state' });
  if (current && current.now.state !== 'ended') await firefox.ask({ kind: 'stop-trial' });
  await firefox.ask({ kind: 'delete-all' });
  await chrome.run(SET, { name: PER_SERVER, value: null });
});

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
  await slow?.close();
});

describe('a trial of two profiles', () => {
  test('every load runs under the profile its place names, the first after a switch is washout, and the end of the event page changes nothing', async () => {
    await start();
    const blocks = 1;
    const loads = [];
    for (let at = 0; at < blocks * SLOTS * PER_SLOT; at++) {
      if (at >= 6) await firefox.untilEventPageEnds();
      loads.push(await loadOnce(firefox, url()));
    }
    for (const load of loads) expectUnderItsProfile(server, load);
    expect(loads.map(({ trial }) => [trial?.mark.slot, trial?.mark.position, trial?.mark.washout, trial?.void])).toEqual(
      // A turn is switched once: positions go on through its slots.
      Array.from({ length: blocks * SLOTS }, (_, slot) =>
        [0, 1].map((at) => (slot % DEFAULT_SLOTS_PER_TURN) * PER_SLOT + at).map((position) => [slot, position, position === 0, undefined]),
      ).flat(),
    );
    for (let block = 0; block < blocks; block++) {
      const profiles = new Set(loads.filter(({ trial }) => trial?.mark.block === block).map(({ trial }) => trial?.mark.profileId));
      expect([...profiles].toSorted()).toEqual(['c2-d1', 'firefox-default']);
    }
    const { arms } = await trialNow(firefox);
    // But for the first of each turn.
    const own = (blocks * SLOTS * PER_SLOT) / 2 - blocks;
    const each = { attempted: own, recorded: own, lost: 0 };
    expect(arms).toEqual([
      { profileId: 'firefox-default', ...each },
      { profileId: 'c2-d1', ...each },
    ]);
  });

  test('no profile is switched while another tab is still loading', async () => {
    await start();
    await loadOnce(firefox, url());
    const other = await firefox.browser.newPage();
    const long = url('long');
    let release = () => {};
    longEnds = new Promise((done) => {
      release = done;
    });
    const loaded = other.goto(long, { waitUntil: 'load', timeout: 120_000 });
    await expect.poll(() => mostAtOnce(server.log, long) > 0).toBe(true);
    // Firefox slows down the timers of a tab out of sight.
    await firefox.page.bringToFront();
    // The slot has had its loads when this one is over, and the other tab has not.
    const last = await loadOnce(firefox, url());
    expect(await trialNow(firefox)).toMatchObject({ turn: { slot: 0 }, now: { state: 'in-effect' } });
    release();
    await loaded;
    const load = await recorded(firefox, long);
    expectUnderItsProfile(server, last);
    expectUnderItsProfile(server, load);
    expect(load.trial).toMatchObject({ mark: { slot: 0, washout: false } });
    expect(load.trial?.void).toBeUndefined();
    expect(await trialNow(firefox)).toMatchObject({ turn: { slot: 1 }, now: { state: 'in-effect', washout: false } });
    const next = await loadOnce(firefox, url());
    expectUnderItsProfile(server, next);
    expect(next.trial?.mark).toMatchObject({ slot: 1, washout: false });
    await other.close();
  });

  test('waits for a page that is loading when it begins and when it ends', async () => {
    const loading = async (page: string) => {
      const done = firefox.page.goto(page, { waitUntil: 'load' });
      await expect.poll(() => mostAtOnce(server.log, page) > 0).toBe(true);
      return { done };
    };
    const before = url('long');
    const first = await loading(before);
    await start();
    expect(await trialNow(firefox)).toMatchObject({ now: { state: 'switching', loading: 1 } });
    expect(await held()).toEqual(SHIPPED);
    await first.done;
    expect((await recorded(firefox, before)).trial).toBeUndefined();
    const { turn, now } = await trialNow(firefox);
    expect(now.state).toBe('in-effect');
    if (turn.profileId !== 'c2-d1') for (let at = 0; at < DEFAULT_SLOTS_PER_TURN * PER_SLOT; at++) await loadOnce(firefox, url());
    expect(await held()).toEqual({ value: 2, userSet: true });
    const last = url('long');
    const second = await loading(last);
    await firefox.ask({ kind: 'stop-trial' });
    expect(await trialNow(firefox)).toMatchObject({ now: { state: 'ended', restoring: true } });
    expect(await held()).toEqual({ value: 2, userSet: true });
    await second.done;
    expect(await recorded(firefox, last)).toMatchObject({ trial: { void: expect.any(String) }, applied: { mismatches: [] } });
    expect(await trialNow(firefox)).toMatchObject({ now: { state: 'ended', restoring: false } });
    expect(await held()).toEqual(SHIPPED);
  });

  test('pauses, goes on where it was, and stops; what the person had set is there again each time', async () => {
    await start();
    const before = await trialNow(firefox);
    expect(before.now.state).toBe('in-effect');
    const inEffect = async () => ((await trialNow(firefox)).turn.profileId === 'c2-d1' ? { value: 2, userSet: true } : SHIPPED);
    expect(await held()).toEqual(await inEffect());
    await loadOnce(firefox, url());
    await firefox.ask({ kind: 'pause-trial' });
    expect(await trialNow(firefox)).toMatchObject({ now: { state: 'paused', restoring: false }, turn: before.turn });
    expect(await held()).toEqual(SHIPPED);
    expect(await loadOnce(firefox, url())).toMatchObject({ trial: { void: expect.stringContaining('pause') } });
    await firefox.untilEventPageEnds();
    await firefox.ask({ kind: 'resume-trial' });
    expect(await trialNow(firefox)).toMatchObject({ now: { state: 'in-effect', washout: true }, turn: before.turn });
    expect(await held()).toEqual(await inEffect());
    const first = await loadOnce(firefox, url());
    expect(first.trial).toMatchObject({ mark: { slot: 0, washout: true } });
    expectUnderItsProfile(server, first);
    await firefox.ask({ kind: 'stop-trial' });
    expect(await trialNow(firefox)).toMatchObject({ now: { state: 'ended', restoring: false } });
    expect(await held()).toEqual(SHIPPED);
    expect(await held(OWN.name)).toEqual({ value: OWN.value, userSet: true });
    expect((await loadOnce(firefox, url())).trial).toBeUndefined();
  });

  test('pauses with the reason when somebody else changes a preference, and goes on only when it is as before', async () => {
    await start();
    await loadOnce(firefox, url());
    await chrome.run(SET, { name: PER_SERVER, value: 13 });
    const load = await loadOnce(firefox, url());
    expect(load.trial?.void).toBeDefined();
    const { now } = await trialNow(firefox);
    expect(now).toMatchObject({ state: 'paused', restoring: false, because: expect.stringMatching(/per-server was (2|6) and is 13 now/) });
    expect(await held()).toEqual({ value: 13, userSet: true });
    expect(await firefox.askRaw({ kind: 'resume-trial' })).toMatchObject({
      ok: false,
      error: { kind: 'preference-refused', preference: PER_SERVER, reason: 'changed-by-someone-else' },
    });
    await chrome.run(SET, { name: PER_SERVER, value: null });
    await firefox.ask({ kind: 'resume-trial' });
    expect(await trialNow(firefox)).toMatchObject({ now: { state: 'in-effect' } });
  });

  test.each([
    ['a profile that there is not', { candidates: ['fast'] }, 'no profile fast'],
    ['a depth that nothing carries', { candidates: ['c4-d6'] }, 'needs the gateway'],
    ['the baseline itself', { candidates: ['firefox-default'] }, 'compared with'],
    ['a profile twice', { candidates: ['c2-d1', 'c2-d1'] }, 'twice'],
    ['no profile', { candidates: [] }, 'Not a message'],
  ])('refuses %s', async (_, trial, words) => {
    const reply = await firefox.askRaw({ kind: 'start-trial', trial });
    expect(reply).toMatchObject({ ok: false, error: { kind: 'bad-input', message: expect.stringContaining(words) } });
    expect((await firefox.ask({ kind: 'trial-state' })).current).toBeUndefined();
  });

  test('refuses a second trial, and to pause what does not run', async () => {
    expect(await firefox.askRaw({ kind: 'pause-trial' })).toMatchObject({ ok: false, error: { kind: 'bad-input' } });
    await start();
    const second = await firefox.askRaw({ kind: 'start-trial', trial: { candidates: ['c8-d1'] } });
    expect(second).toMatchObject({ ok: false, error: { kind: 'bad-input', message: expect.stringContaining('under way') } });
    expect(await firefox.askRaw({ kind: 'resume-trial' })).toMatchObject({ ok: false, error: { kind: 'bad-input' } });
  });
});
