/** The section "Apply" where profiles are put in effect at once, in words: what stands, how far it has got, and what may be pressed. */
import { describe, expect, test } from 'vitest';
import { isLiveShown, liveView, revertedText } from '../../../src/controls/apply-view.ts';
import type { HelperStatus } from '../../../src/protocol/helper-messages.ts';
import type { HelperFacts } from '../../../src/protocol/helper-state.ts';
import type { LiveFacts, LivePreference } from '../../../src/protocol/page-state.ts';
import { NOTHING_APPLIED, statusOf } from '../../support/fake-helper.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';
const context = { recommended: undefined, isLooking: false };
const NO_HELPER: HelperFacts = { state: 'problem', problem: { why: 'no-permission' } };
const NOTHING: LiveFacts = { canRevert: false };
const held: LivePreference = { name: PER_SERVER, intended: 4, found: 4, locked: false };
const four = (...preferences: readonly LivePreference[]): LiveFacts => ({
  applied: { profileId: 'c4-d1', preferences: preferences.length === 0 ? [held] : preferences },
  canRevert: true,
});
const ready = (change: Partial<Extract<HelperFacts, { state: 'ready' }>> = {}, status: HelperStatus = NOTHING_APPLIED): HelperFacts => ({
  state: 'ready',
  helper: '1.2.3',
  profileFound: true,
  status,
  ...change,
});

const viewOf = (live: LiveFacts, helper: HelperFacts | undefined = NO_HELPER, change: Partial<typeof context> = {}) =>
  liveView(live, helper, { ...context, ...change });
const buttons = (live: LiveFacts, helper?: HelperFacts, change?: Partial<typeof context>) =>
  Object.entries(viewOf(live, helper, change).can)
    .filter(([, can]) => can)
    .map(([name]) => name);
const tick = (name: string, live: LiveFacts, helper?: HelperFacts) => viewOf(live, helper).ticks.find((one) => one.name === name);

describe('what stands', () => {
  test('nothing applied: a profile is to be chosen, and no helper is asked for', () => {
    const view = viewOf(NOTHING);
    expect(view).toMatchObject({
      standing: expect.stringContaining('Nothing is applied'),
      problems: [],
      ticks: [],
      task: undefined,
      usual: '',
    });
    expect(view.choices.map(({ id }) => id)).toEqual(['c1-d1', 'c2-d1', 'c4-d1', 'c8-d1', 'c10-d1', 'c16-d1', 'betterfox']);
    expect(buttons(NOTHING)).toEqual(['apply']);
  });

  test('what is recommended comes first, and is chosen', () => {
    const view = liveView(NOTHING, NO_HELPER, { ...context, recommended: 'c8-d1' });
    expect(view.usual).toBe('c8-d1');
    expect(view.choices[0]?.label).toBe('c8-d1: 8 connections per server, one request at a time (recommended)');
  });

  test('applied: in effect, with the way back', () => {
    expect(viewOf(four()).standing).toBe('In effect: 4 connections. It stays after a restart, until you undo it.');
    expect(buttons(four())).toEqual(['allow', 'apply', 'revert']);
  });

  test('cut off in the middle: it can be taken back, of whichever profile it was', () => {
    const live: LiveFacts = { canRevert: true };
    expect(viewOf(live)).toMatchObject({
      standing: expect.stringContaining('Firefox closed while Plumbfox was changing preferences. Undo brings your own values back.'),
      ticks: [],
    });
    expect(buttons(live)).toEqual(['apply', 'revert']);
  });

  test.each([
    ['trial', 'A trial is switching settings. Stop it to apply settings yourself.'],
    ['trial-restoring', 'A trial has ended and is undoing its settings. After that you can apply settings yourself.'],
    ['gateway', 'The gateway for plain-http sites is on. Switch it off to apply or undo settings for all sites.'],
  ] as const)('%s has the preferences in hand: it says so, and nothing can be pressed', (heldBy, words) => {
    const live: LiveFacts = { ...four(), heldBy };
    expect(viewOf(live)).toMatchObject({ standing: expect.stringContaining(words), ticks: [], choices: [], wantsLook: false });
    expect(buttons(live, ready())).toEqual([]);
  });
});

describe('how far it has got', () => {
  test('intended and read back', () => {
    expect(tick('Intended', four())).toEqual({ name: 'Intended', state: 'yes', text: `c4-d1: ${PER_SERVER} = 4` });
    expect(tick('Read back', four())).toEqual({ name: 'Read back', state: 'yes', text: 'Firefox holds the intended value.' });
    expect(tick('Read back', four(held, { ...held, name: 'network.prefetch-next' }))?.text).toBe(
      'Firefox holds all 2\u00a0intended values.',
    );
  });

  test.each<[string, Partial<LivePreference>, string]>([
    ['changed', { found: 9 }, `${PER_SERVER} is 9, not 4: someone else changed it. Plumbfox leaves it alone.`],
    ['locked', { found: 6, locked: true }, `${PER_SERVER} is 6, not 4: an enterprise policy locks it.`],
  ])('%s since: named, with the reason', (_, change, words) => {
    const live = four({ ...held, ...change });
    expect(tick('Read back', live)).toEqual({ name: 'Read back', state: 'no', text: words });
    expect(viewOf(live).standing).toBe('Applied, but not fully in effect: 4 connections.');
    expect(buttons(live)).toContain('revert');
  });

  test('without a value', () => {
    expect(tick('Read back', four({ name: PER_SERVER, intended: 4, locked: false }))?.text).toMatch(/is not set, not 4: someone else/);
  });

  test('locked at the very value that is intended is as intended', () => {
    expect(tick('Read back', four({ ...held, locked: true }))?.state).toBe('yes');
  });
});

describe('observed', () => {
  const observed = { profileId: 'c4-d1', connections: 4, depth: 1, pieces: 48, arrived: 48 };

  test.each<[HelperFacts, readonly string[]]>([
    [NO_HELPER, ['allow', 'apply', 'revert']],
    [{ state: 'problem', problem: { why: 'not-installed' } }, ['apply', 'revert']],
    [{ state: 'problem', problem: { why: 'silent' } }, ['retry', 'apply', 'revert']],
    [{ state: 'unsupported' }, ['apply', 'revert']],
  ])('nothing observes here, which is no error: %j', (helper, can) => {
    const text = expect.stringMatching(/^(Not counted|Nothing counts connections here)/);
    expect(tick('Observed', four(), helper)).toMatchObject({ state: 'nobody', text });
    expect(viewOf(four(), helper).problems).toEqual([]);
    expect(buttons(four(), helper)).toEqual(can);
  });

  test('a helper that is there already is to be allowed, not installed', () => {
    expect(tick('Observed', four(), NO_HELPER)?.text).toMatch(/if you allow it/);
    expect(tick('Observed', four(), { state: 'problem', problem: { why: 'not-installed' } })?.text).toMatch(/helper install/);
  });

  test('by the helper: looked at by itself, until something was seen or has failed', () => {
    expect(tick('Observed', four(), ready())?.state).toBe('waiting');
    expect(viewOf(four(), ready()).wantsLook).toBe(true);
    expect(tick('Observed', four(), ready({ observed }))).toMatchObject({
      state: 'yes',
      text: '4\u00a0connections to one server, one request on each.',
    });
    expect(viewOf(four(), ready({ observed })).wantsLook).toBe(false);
    const failed = ready({ notObserved: { why: 'silent' } });
    expect(tick('Observed', four(), failed)?.state).toBe('no');
    expect(viewOf(four(), failed).wantsLook).toBe(false);
    expect(buttons(four(), failed)).toEqual(['apply', 'revert', 'observe']);
    expect(buttons(four(), ready(), { isLooking: true })).toEqual(['apply', 'revert']);
  });

  test('what was seen of another profile says nothing of this one', () => {
    const before = ready({ observed: { ...observed, profileId: 'c8-d1' } });
    expect(tick('Observed', four(), before)?.state).toBe('waiting');
    expect(viewOf(four(), before).wantsLook).toBe(true);
  });

  test('other than intended, with the reason', () => {
    const fewer = ready({ observed: { ...observed, connections: 3 } });
    expect(tick('Observed', four(), fewer)).toMatchObject({
      state: 'no',
      text: expect.stringContaining('3\u00a0connections to one server, one request on each, not 4.'),
    });
  });

  test('with nothing applied nothing is looked at', () => {
    expect(viewOf(NOTHING, ready())).toMatchObject({ ticks: [], wantsLook: false });
    expect(buttons(NOTHING, ready())).toEqual(['apply']);
  });
});

describe('beside the helper', () => {
  test('what the helper has written is shown instead, unless something is in effect from here', () => {
    const written = ready({}, statusOf('c8-d1'));
    expect(isLiveShown(NOTHING, undefined)).toBe(true);
    expect(isLiveShown(NOTHING, NO_HELPER)).toBe(true);
    expect(isLiveShown(NOTHING, ready())).toBe(true);
    expect(isLiveShown(NOTHING, written)).toBe(false);
    expect(isLiveShown(four(), written)).toBe(true);
  });
});

test('what came of "Undo" is named', () => {
  expect(revertedText({ restored: ['a.b', 'c.d'], leftAlone: [] })).toBe('Restored: a.b, c.d.');
  expect(revertedText({ restored: ['a.b'], leftAlone: ['c.d'], locked: ['e.f'] })).toBe(
    'Restored: a.b. Left alone, because someone else changed it: c.d. Locked by a policy, and restored once unlocked: e.f.',
  );
});
