/** A trial whose slots are sessions, with the helper: it lays the next profile ready, when the browser is well with the present one. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ComparedProfile } from '../../../src/core/compare/compared-profile.ts';
import { beginTrial } from '../../../src/core/trial/begin-trial.ts';
import type { TrialCommand } from '../../../src/core/trial/trial-event.ts';
import { makeTrialPlan } from '../../../src/core/trial/trial-plan.ts';
import type { HelperRequest } from '../../../src/protocol/helper-messages.ts';
import type { TrialRecord } from '../../../src/protocol/trial-record.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';
import { answered, FakeHost, HELLO, NOTHING_APPLIED, refused, statusOf } from '../../support/fake-helper.ts';

const AT = 1_800_000_000_000;
const held = vi.hoisted(() => ({ browser: {} as unknown, history: [] as unknown[] }));
vi.mock('../../../src/adapters/browser.ts', () => ({
  get browser() {
    return held.browser;
  },
}));
vi.mock('../../../src/adapters/applied-store.ts', () => ({
  inEffectHistory: async () => held.history,
  noteInEffect: async (applied: unknown, since: number) => void held.history.push({ since, applied }),
}));
vi.mock('../../../src/adapters/trial-store.ts', () => ({ openNavigations: async () => [] }));
const { carryOut, heldSinceStart } = await import('../../../src/background/trial-command.ts');
const { isHelperThere, liesReady } = await import('../../../src/background/trial-helper.ts');

let host: FakeHost;
let browser: ReturnType<typeof fakeBrowser>;
const profiles = ['firefox-default', 'c8-d1'].map(
  (id, at): ComparedProfile => ({ id, carrier: 'none', role: at === 0 ? 'baseline' : 'candidate', depth: 1 }),
);
const plan = makeTrialPlan({ id: 't-1', seed: 7, baseline: 'firefox-default', profiles, live: false, createdAt: AT });
const trial: TrialRecord = { plan, progress: beginTrial(plan), before: {}, own: [], toldUntil: 0, byHelper: true };
const { byHelper: _, ...withoutHelper } = trial;
const prepare = (profileId: string): TrialCommand => ({ kind: 'prepare', profileId, slot: 3 });
const asked = () => host.heard.filter(({ op }) => op !== 'hello' && op !== 'status').map(({ op }) => op);

beforeEach(async () => {
  held.history = [];
  browser = fakeBrowser({ helper: true });
  browser.storage.managed.get = async () => ({});
  host = new FakeHost((request: HelperRequest) => {
    if (request.op === 'hello') return answered(request, HELLO);
    if (request.op === 'apply') return answered(request, statusOf(request.profileId, { restartNeeded: true, starts: 0 }));
    if (request.op === 'revert') return answered(request, { restored: [], leftAlone: [], status: NOTHING_APPLIED });
    return answered(request, NOTHING_APPLIED);
  });
  Object.assign(browser.runtime, { connectNative: () => host.connect() });
  held.browser = browser;
});

describe('what is due', () => {
  test('is laid ready for the next start', async () => {
    expect(await carryOut(prepare('c8-d1'), trial)).toMatchObject({ event: { kind: 'prepared', slot: 3 } });
    expect(asked()).toEqual(['started', 'apply']);
    expect([await liesReady('c8-d1'), await liesReady('firefox-default')]).toEqual([true, false]);
    // An open popup is told.
    expect(browser.storage.session.held.get('helperChanged')).toBeDefined();
  });

  test('is to go back for the baseline', async () => {
    await carryOut(prepare('firefox-default'), trial);
    expect(asked()).toEqual(['started', 'revert']);
    expect(await liesReady('firefox-default')).toBe(true);
  });

  test('waits until the browser is well with what is in effect', async () => {
    host.answer = (request) => answered(request, request.op === 'hello' ? HELLO : statusOf('c8-d1'));
    expect(await carryOut(prepare('firefox-default'), trial)).toBeUndefined();
    expect(asked()).toEqual(['started']);
  });

  test('is left to the person where the helper refuses', async () => {
    const { answer } = host;
    host.answer = (request, at) => (request.op === 'apply' ? refused(request, 'cannot-write', 'the disk is full') : answer(request, at));
    expect(await carryOut(prepare('c8-d1'), trial)).toMatchObject({ event: { kind: 'prepared', slot: 3 } });
    expect(await liesReady('c8-d1')).toBe(false);
  });

  test('is left to the person in a trial that began without the helper', async () => {
    await carryOut(prepare('c8-d1'), withoutHelper);
    await carryOut({ kind: 'revert' }, withoutHelper);
    expect(host.heard).toEqual([]);
  });
});

test('what the trial has written is taken back when it ends', async () => {
  expect(await carryOut({ kind: 'revert' }, trial)).toMatchObject({ event: { kind: 'reverted' } });
  expect(asked()).toEqual(['revert']);
});

describe('what a session runs under', () => {
  test('is what the helper has put in effect', async () => {
    host.answer = (request) => answered(request, request.op === 'hello' ? HELLO : statusOf('c8-d1', { phase: 'confirmed' }));
    expect(await heldSinceStart()).toBe('c8-d1');
  });

  test('is what Firefox ships where the helper has put nothing in effect', async () => {
    expect(await heldSinceStart()).toBe('firefox-default');
  });

  test('the helper is there only if it answers', async () => {
    expect(await isHelperThere()).toBe(true);
    browser.storage.session.held.clear();
    host.answer = (_request, at) => void at.end();
    expect(await isHelperThere()).toBe(false);
    browser.state.helper = false;
    expect(await isHelperThere()).toBe(false);
  });
});
