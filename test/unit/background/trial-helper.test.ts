/** A trial whose slots are sessions, with the helper: it lays the next profile ready, when the browser is well with the present one. */

import { beforeEach, describe, expect, test } from 'vitest';
import { createBackground } from '../../../src/background/create-background.ts';
import { isStaged } from '../../../src/background/trial-restore.ts';
import type { ComparedProfile } from '../../../src/core/compare/comparison.ts';
import type { InEffectSince } from '../../../src/core/measure/page-load.ts';
import type { TrialCommand } from '../../../src/core/trial/advance.ts';
import { beginTrial } from '../../../src/core/trial/stretches.ts';
import { makeTrialPlan } from '../../../src/core/trial/trial-plan.ts';
import type { HelperRequest } from '../../../src/protocol/helper-messages.ts';
import type { TrialRecord } from '../../../src/protocol/trial-record.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeStores } from '../../support/fake-background.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';
import { answered, FakeHost, HELLO, NOTHING_APPLIED, refused, statusOf } from '../../support/fake-helper.ts';

const AT = 1_800_000_000_000;
const history: InEffectSince[] = [];
const { trialRestore, trialRunner } = createBackground({ stores: fakeStores({}, history), networkPreferences: () => undefined });
const { formerProfile, activeProfileThisSession, isHelperThere } = trialRestore;
const { executeCommand } = trialRunner;

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
  history.length = 0;
  browser = fakeBrowser({ helper: true });
  host = new FakeHost((request: HelperRequest) => {
    if (request.op === 'hello') return answered(request, HELLO);
    if (request.op === 'apply') return answered(request, statusOf(request.profileId, { restartNeeded: true, starts: 0 }));
    if (request.op === 'revert') return answered(request, { restored: [], leftAlone: [], status: NOTHING_APPLIED });
    return answered(request, NOTHING_APPLIED);
  });
  Object.assign(browser.runtime, { connectNative: () => host.connect() });
  useBrowser(browser);
});

describe('what is due', () => {
  test('is laid ready for the next start', async () => {
    expect(await executeCommand(prepare('c8-d1'), trial)).toMatchObject({ event: { kind: 'prepared', slot: 3 } });
    expect(asked()).toEqual(['started', 'apply']);
    expect([await isStaged('c8-d1'), await isStaged('firefox-default')]).toEqual([true, false]);
    // An open popup is told.
    expect(browser.storage.session.held.get('helperChanged')).toBeDefined();
  });

  test('is to go back for the baseline', async () => {
    await executeCommand(prepare('firefox-default'), trial);
    expect(asked()).toEqual(['started', 'revert']);
    expect(await isStaged('firefox-default')).toBe(true);
  });

  test('waits until the browser is well with what is in effect', async () => {
    host.answer = (request) => answered(request, request.op === 'hello' ? HELLO : statusOf('c8-d1'));
    expect(await executeCommand(prepare('firefox-default'), trial)).toBeUndefined();
    expect(asked()).toEqual(['started']);
  });

  test('is left to the person where the helper refuses', async () => {
    const { answer } = host;
    host.answer = (request, at) => (request.op === 'apply' ? refused(request, 'cannot-write', 'the disk is full') : answer(request, at));
    expect(await executeCommand(prepare('c8-d1'), trial)).toMatchObject({ event: { kind: 'prepared', slot: 3 } });
    expect(await isStaged('c8-d1')).toBe(false);
  });

  test('is left to the person in a trial that began without the helper', async () => {
    await executeCommand(prepare('c8-d1'), withoutHelper);
    await executeCommand({ kind: 'revert' }, withoutHelper);
    expect(host.heard).toEqual([]);
  });
});

test('what the trial has written is taken back when it ends', async () => {
  expect(await executeCommand({ kind: 'revert' }, trial)).toMatchObject({ event: { kind: 'reverted' } });
  expect(asked()).toEqual(['revert']);
});

describe('what the person had applied before the trial', () => {
  const after: TrialRecord = { ...trial, former: { profileId: 'c4-d1', by: 'helper' } };

  test('is what the helper has put in effect, or lays ready', async () => {
    expect(await formerProfile()).toBeUndefined();
    browser.storage.session.held.clear();
    host.answer = (request) => answered(request, request.op === 'hello' ? HELLO : statusOf('c8-d1', { phase: 'confirmed' }));
    expect(await formerProfile()).toEqual({ profileId: 'c8-d1', by: 'helper' });
    browser.storage.session.held.set('laidReady', 'c4-d1');
    expect(await formerProfile()).toEqual({ profileId: 'c4-d1', by: 'helper' });
    browser.storage.session.held.set('laidReady', 'firefox-default');
    expect(await formerProfile()).toBeUndefined();
  });

  test('is written again when it ends', async () => {
    const answer = await executeCommand({ kind: 'revert' }, after);
    expect(answer).toEqual({ event: { kind: 'reverted', at: expect.any(Number) } });
    expect(asked()).toEqual(['apply']);
    expect(await isStaged('c4-d1')).toBe(true);
  });

  test('makes room for what was before, with the reason, where the helper does not write it', async () => {
    const { answer } = host;
    host.answer = (request, at) => (request.op === 'apply' ? refused(request, 'cannot-write', 'the disk is full') : answer(request, at));
    expect(await executeCommand({ kind: 'revert' }, after)).toMatchObject({
      event: { kind: 'reverted' },
      notAgain: expect.stringContaining('the disk is full'),
    });
    expect(asked()).toEqual(['apply', 'revert']);
  });

  test('is tried again later where the helper is not there at all', async () => {
    host.answer = (_request, at) => void at.end();
    await expect(executeCommand({ kind: 'revert' }, after)).rejects.toThrow('helper');
  });
});

describe('what a session runs under', () => {
  test('is what the helper has put in effect', async () => {
    host.answer = (request) => answered(request, request.op === 'hello' ? HELLO : statusOf('c8-d1', { phase: 'confirmed' }));
    expect(await activeProfileThisSession()).toBe('c8-d1');
  });

  test('is what Firefox ships where the helper has put nothing in effect', async () => {
    expect(await activeProfileThisSession()).toBe('firefox-default');
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
