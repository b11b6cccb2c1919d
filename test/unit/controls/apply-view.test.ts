/** The section "Apply" in words: what stands, how far it has got, and what may be pressed. */
import { describe, expect, test } from 'vitest';
import { helperProblemMessage } from '../../../src/adapters/native-helper.ts';
import { type ApplyContext, applyView } from '../../../src/controls/apply-view.ts';
import { HELPER_ERROR_KINDS, type HelperStatus } from '../../../src/protocol/helper-messages.ts';
import type { HelperFacts, HelperProblem, Observed } from '../../../src/protocol/helper-state.ts';
import { NOTHING_APPLIED, statusOf } from '../../support/fake-helper.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';
const context: ApplyContext = { due: undefined, recommended: undefined, isLooking: false };
const ready = (status: HelperStatus, change: Partial<Extract<HelperFacts, { state: 'ready' }>> = {}): HelperFacts => ({
  state: 'ready',
  helper: '1.2.3',
  profileFound: true,
  status,
  ...change,
});
const seen = (profileId: string, connections: number, change: Partial<Observed> = {}): Observed => ({
  profileId,
  connections,
  depth: 1,
  pieces: 48,
  arrived: 48,
  ...change,
});

function viewOf(facts: HelperFacts, change: Partial<ApplyContext> = {}) {
  const view = applyView(facts, { ...context, ...change });
  if (view === undefined) throw new Error('There is no section');
  return view;
}

const buttons = (facts: HelperFacts, change: Partial<ApplyContext> = {}) =>
  Object.entries(viewOf(facts, change).can)
    .filter(([, can]) => can)
    .map(([name]) => name);
const tick = (facts: HelperFacts, name: string) => viewOf(facts).ticks.find((one) => one.name === name);

describe('what stands', () => {
  test('where there can be no helper there is no section', () => {
    expect(applyView({ state: 'unsupported' }, context)).toBeUndefined();
  });

  test('without the permission it says what the helper is for, and nothing looks broken', () => {
    const facts: HelperFacts = { state: 'problem', problem: { why: 'no-permission' } };
    expect(viewOf(facts)).toMatchObject({
      problems: [],
      ticks: [],
      choices: [],
      standing: expect.stringContaining('plumbfox helper install'),
    });
    expect(buttons(facts)).toEqual(['allow']);
  });

  test.each<HelperProblem>([
    { why: 'not-installed' },
    { why: 'stopped' },
    { why: 'unreadable' },
    { why: 'silent' },
    { why: 'other-version', isNewer: true },
    { why: 'other-version', isNewer: false },
    ...HELPER_ERROR_KINDS.map((kind) => ({ why: 'refused' as const, kind, message: 'so it is' })),
  ])('$why $kind: one sentence of its own, and it may be tried again', (problem) => {
    const facts: HelperFacts = { state: 'problem', problem };
    expect(viewOf(facts)).toMatchObject({ problems: [helperProblemMessage(problem)], ticks: [], choices: [] });
    expect(helperProblemMessage(problem)).toMatch(/^[A-Z].*\.$/);
    expect(buttons(facts)).toEqual(['retry']);
  });

  test('nothing applied: a profile is to be chosen, none is chosen for the person', () => {
    const view = viewOf(ready(NOTHING_APPLIED));
    expect(view).toMatchObject({ standing: expect.stringContaining('Nothing is applied'), ticks: [], task: undefined, usual: '' });
    expect(view.choices.map(({ id }) => id)).toEqual(['c1-d1', 'c2-d1', 'c4-d1', 'c8-d1', 'c10-d1', 'c16-d1', 'betterfox']);
    expect(buttons(ready(NOTHING_APPLIED))).toEqual(['apply']);
  });

  test('what a trial has due and what is recommended come first, once each', () => {
    const view = viewOf(ready(NOTHING_APPLIED), { due: 'c2-d1', recommended: 'c5-d8' });
    expect(view.usual).toBe('c2-d1');
    expect(view.choices.slice(0, 3).map(({ label }) => label)).toEqual([
      'c2-d1: 2 connections per server, one request at a time (due in the trial)',
      'c5-d8: 5 connections per server, 8 requests outstanding on each (recommended)',
      'c1-d1: 1 connection per server, one request at a time',
    ]);
    expect(view.choices.filter(({ id }) => id === 'c2-d1')).toHaveLength(1);
  });

  test('the baseline is not applied: that is to go back', () => {
    expect(viewOf(ready(NOTHING_APPLIED), { due: 'firefox-default' }).choices.map(({ id }) => id)).not.toContain('firefox-default');
  });

  test.each<[string, HelperStatus, string, readonly string[]]>([
    [
      'written',
      statusOf('c4-d1', { restartNeeded: true }),
      'Takes effect at the next start of Firefox: 4 connections.',
      ['apply', 'revert'],
    ],
    ['on probation', statusOf('c4-d1'), 'In effect, not confirmed yet: 4 connections.', ['apply', 'keep', 'revert', 'observe']],
    ['kept', statusOf('c4-d1', { phase: 'confirmed' }), 'In effect: 4 connections.', ['apply', 'revert', 'observe']],
    [
      'taken back',
      { ...NOTHING_APPLIED, phase: 'restoring', restartNeeded: true },
      'Your former values return at the next start of Firefox.',
      ['apply'],
    ],
  ])('%s', (_, status, standing, can) => {
    expect(viewOf(ready(status)).standing.startsWith(standing)).toBe(true);
    expect(buttons(ready(status))).toEqual(can);
    expect(viewOf(ready(status)).task === undefined).toBe(!status.restartNeeded);
  });

  test('what came back by itself is told, and what was left alone', () => {
    const status = {
      ...NOTHING_APPLIED,
      restoredBecause: 'Firefox was not well in 2 starts, so what was there before came back.',
      changedByOthers: ['network.prefetch-next'],
    };
    expect(viewOf(ready(status)).problems).toEqual([
      'Firefox was not well in 2 starts, so what was there before came back.',
      'Left alone, because someone else changed it: network.prefetch-next.',
    ]);
  });

  test('without a profile folder nothing can be applied', () => {
    const facts = ready(NOTHING_APPLIED, { profileFound: false });
    expect(viewOf(facts)).toMatchObject({
      choices: [],
      problems: [
        expect.stringContaining(
          'The helper app cannot find this Firefox profile, so it can apply nothing. Run “plumbfox helper doctor” to see why.',
        ),
      ],
    });
    expect(buttons(facts)).toEqual(['retry']);
  });
});

describe('the three ticks', () => {
  test('all there', () => {
    expect(viewOf(ready(statusOf('c4-d1'), { observed: seen('c4-d1', 4) })).ticks).toEqual([
      { name: 'Intended', state: 'yes', text: `c4-d1: ${PER_SERVER} = 4` },
      { name: 'Read back', state: 'yes', text: 'Firefox’s files hold the intended value.' },
      { name: 'Observed', state: 'yes', text: '4\u00a0connections to one server, one request on each.' },
    ]);
  });

  test('before the next start two of them wait', () => {
    const facts = ready(statusOf('c4-d1', { restartNeeded: true }), { observed: seen('firefox-default', 6) });
    expect(viewOf(facts).ticks.map(({ state }) => state)).toEqual(['yes', 'waiting', 'waiting']);
    expect(viewOf(facts).wantsLook).toBe(false);
  });

  test('many preferences are counted', () => {
    // Betterfox sets 11: three are named.
    expect(tick(ready(statusOf('betterfox')), 'Intended')?.text).toMatch(/, 8 more$/);
    expect(tick(ready(statusOf('betterfox')), 'Read back')?.text).toBe('Firefox’s files hold all 11\u00a0intended values.');
  });

  const held = (change: object, status: Partial<HelperStatus> = {}) =>
    ready(statusOf('c4-d1', { preferences: [{ name: PER_SERVER, intended: 4, locked: false, ...change }], ...status }));
  test.each([
    ['is not there', held({}), `${PER_SERVER} is not set, not 4.`],
    ['is another', held({ found: 9 }), `${PER_SERVER} is 9, not 4.`],
    ['is locked', held({ found: 9, locked: true }), `${PER_SERVER} is 9, not 4: an enterprise policy locks it.`],
    [
      'was changed in the Firefox that runs',
      held({ found: 4 }, { changedByOthers: [PER_SERVER] }),
      `${PER_SERVER} was changed by someone else. Plumbfox leaves it alone.`,
    ],
  ])('read back: a value that %s', (_, facts, text) => {
    expect(tick(facts, 'Read back')).toEqual({ name: 'Read back', state: 'no', text });
  });

  test('read back: a lock at the intended value is no difference', () => {
    expect(tick(held({ found: 4, locked: true }), 'Read back')?.state).toBe('yes');
  });

  test('read back: several that differ are counted after the first', () => {
    const preferences = statusOf('betterfox').preferences.map(({ found: _, ...one }) => one);
    expect(tick(ready(statusOf('betterfox', { preferences })), 'Read back')?.text).toMatch(
      /network.http.max-persistent-connections-per-server is not set, not 10. 10\u00a0more are wrong./,
    );
  });

  test.each([
    ['c4-d1', seen('c4-d1', 3), '3\u00a0connections to one server, one request on each, not 4.'],
    [
      'c1-d1',
      seen('c1-d1', 2),
      '2\u00a0connections to one server, one request on each, not 1. Something else in this Firefox sets another limit.',
    ],
    [
      'c8-d1',
      seen('c8-d1', 6),
      '6\u00a0connections to one server, one request on each, not 8. Above 6, Firefox paces requests: check again while no page loads.',
    ],
    [
      'c4-d6',
      seen('c4-d6', 4),
      '4\u00a0connections to one server, one request on each. Pipelining needs the gateway, and works on plain-http sites only.',
    ],
    [
      'c4-d1',
      seen('c4-d1', 4, { arrived: 40 }),
      '4\u00a0connections to one server, one request on each. Only 40 of 48 requests arrived: check again.',
    ],
  ])('observed: %s otherwise', (profileId, observed, text) => {
    expect(tick(ready(statusOf(profileId), { observed }), 'Observed')).toEqual({ name: 'Observed', state: 'no', text });
  });

  test('observed: a depth that is carried', () => {
    const observed = seen('c4-d6', 4, { depth: 6 });
    expect(tick(ready(statusOf('c4-d6'), { observed }), 'Observed')).toMatchObject({
      state: 'yes',
      text: '4\u00a0connections to one server, up to 6\u00a0requests on each.',
    });
  });

  test('observed: what could not be looked at says why', () => {
    const facts = ready(statusOf('c4-d1'), { notObserved: { why: 'silent' } });
    expect(tick(facts, 'Observed')).toMatchObject({ state: 'no', text: helperProblemMessage({ why: 'silent' }) });
    expect(viewOf(facts).wantsLook).toBe(false);
  });

  test('what is in effect is looked at once, without being asked', () => {
    expect(viewOf(ready(statusOf('c4-d1'))).wantsLook).toBe(true);
    expect(viewOf(ready(statusOf('c4-d1')), { isLooking: true })).toMatchObject({ wantsLook: false, can: { observe: false } });
    expect(viewOf(ready(statusOf('c4-d1'), { observed: seen('c4-d1', 4) })).wantsLook).toBe(false);
    // Of what was in effect before it says nothing.
    expect(viewOf(ready(statusOf('c4-d1'), { observed: seen('c8-d1', 8) })).wantsLook).toBe(true);
    expect(viewOf(ready(NOTHING_APPLIED)).wantsLook).toBe(false);
  });
});
