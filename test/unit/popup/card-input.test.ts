/** What the card's state is made of: what is applied and since when, the rows of a prediction, and how long a trial still takes. */
import { describe, expect, it } from 'vitest';
import type { SlotRule } from '../../../src/core/trial/trial-plan.ts';
import { cardInput, type Known } from '../../../src/popup/card-input.ts';
import type { FieldAnswer } from '../../../src/protocol/field-answer.ts';
import type { HelperFacts } from '../../../src/protocol/helper-state.ts';
import { comparison, endedTrial, NOW, PREDICTED, popupState } from '../controls/sample-state.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';
const active = (profileId: string, more: object = {}) =>
  ({ profileId, title: profileId, appliedBy: 'helper', carrier: 'none', mismatches: [], since: NOW, ...more }) as const;
const COMPARED = {
  comparison: comparison as FieldAnswer['comparison'],
  links: [],
  excluded: [],
  compared: 73,
  loads: 73,
  unreadable: 0,
  withoutLink: 0,
};

const input = (known: Partial<Known> = {}) =>
  cardInput({
    state: popupState({ active: active('firefox-default', { appliedBy: 'browser', since: undefined }) }),
    facts: {},
    answer: { from: 'nothing', why: 'working' },
    prediction: { state: 'working' },
    helper: undefined,
    compared: undefined,
    lengths: undefined,
    refusedLocked: undefined,
    ...known,
  });

describe('what is applied, since when', () => {
  it('while Firefox runs: since it was applied, also under the gateway', () => {
    const preferences = [{ name: PER_SERVER, intended: 4, found: 4, locked: false }];
    const live = { applied: { profileId: 'c4-d1', preferences, since: NOW - 60_000 }, canRevert: true };
    const state = popupState({ live, active: active('c4-d6', { appliedBy: 'gateway' }) });
    expect(input({ state }).applied).toMatchObject({ profileId: 'c4-d1', by: 'live', since: NOW - 60_000, wrong: [] });
  });

  it('by the helper: since the start that read it, and not since what was in effect before', () => {
    const helper: HelperFacts = {
      state: 'ready',
      helper: '0.1.0',
      profileFound: true,
      status: { phase: 'confirmed', profileId: 'c4-d1', starts: 1, restartNeeded: false, preferences: [], changedByOthers: [] },
    };
    expect(input({ helper, state: popupState({ active: active('c4-d1') }) }).applied).toMatchObject({ by: 'helper', since: NOW });
    // What was read of the records is older than what the helper says.
    expect(input({ helper }).applied).toMatchObject({ profileId: 'c4-d1', since: undefined });
    expect(input({ helper, state: popupState({ active: active('c8-d1') }) }).applied?.since).toBeUndefined();
  });

  it('undone by the helper: in effect until the restart that ends it, and nothing after that', () => {
    const undone = (restartNeeded: boolean): HelperFacts => ({
      state: 'ready',
      helper: '0.1.0',
      profileFound: true,
      status: { phase: 'restoring', starts: 0, restartNeeded, preferences: [], changedByOthers: [] },
    });
    const state = popupState({ active: active('c4-d1') });
    expect(input({ helper: undone(true), state }).applied).toMatchObject({ profileId: 'c4-d1', by: 'helper', awaitsRestart: 'to-undo' });
    expect(input({ helper: undone(false) }).applied).toBeUndefined();
  });

  it.each(['policy', 'gateway'] as const)('by %s', (appliedBy) => {
    const state = popupState({ active: active('c4-d1', { appliedBy }) });
    expect(input({ state }).applied).toMatchObject({ profileId: 'c4-d1', by: appliedBy, since: NOW });
  });

  it('what changed is of the settings that are applied, and of no others', () => {
    const sinceApplied = { profileId: 'c4-d1', since: NOW, gain: 0.38, days: 9, before: 14 };
    const changedUnder = (profileId: string) =>
      input({ state: popupState({ active: active(profileId) }), compared: { ...COMPARED, sinceApplied } }).applied?.changed;
    expect(changedUnder('c4-d1')).toEqual(sinceApplied);
    expect(changedUnder('c8-d1')).toBeUndefined();
    // Applied again since it was kept.
    const again = popupState({ active: active('c4-d1', { since: NOW + 1 }) });
    expect(input({ state: again, compared: { ...COMPARED, sinceApplied } }).applied?.changed).toBeUndefined();
  });
});

it('who can apply settings: only the person where there can be no helper app', () => {
  const applierWith = (helper: HelperFacts | undefined) => input({ helper }).applier;
  expect(applierWith(undefined)).toBe('working');
  expect(applierWith({ state: 'unsupported' })).toBe('person-alone');
  expect(applierWith({ state: 'problem', problem: { why: 'not-installed' } })).toBe('person');
  const ready = (profileFound: boolean): HelperFacts => ({
    state: 'ready',
    helper: '0.1.0',
    profileFound,
    status: { phase: 'none', starts: 0, restartNeeded: false, preferences: [], changedByOthers: [] },
  });
  expect(applierWith(ready(true))).toBe('at-start');
  expect(applierWith(ready(false))).toBe('person');
});

describe('the rows of a prediction', () => {
  const row = (id: string, ratio: number) => ({ id, loadTimeMs: 1000 / ratio, ratio, bound: 'queue-wait' as const });
  const recommended = { id: 'c8-d1', change: { gain: 0.3, low: 0.1, high: 0.5 } };
  const rows = [row('c16-d1', 1.33), row('c12-d1', 1.31), row('c8-d1', 1.3), row('c10-d1', 1.1), row('c3-d1', 0.5)];
  const best = ['c16-d1', 'c12-d1', 'c8-d1', 'c10-d1'];
  const idsOf = (prediction: Known['prediction']) => input({ prediction }).rows.map(({ profileId }) => profileId);

  it('are the recommended settings and the best', () => {
    expect(idsOf({ ...PREDICTED, rows, best: ['c8-d1', 'c10-d1'], recommended })).toEqual(['c8-d1', 'c10-d1']);
  });

  it('and none that is faster: the card says why that is not recommended', () => {
    const faster = { profileId: 'c16-d1', why: 'dearer' } as const;
    const prediction = { ...PREDICTED, rows, best, recommended: { ...recommended, faster } };
    expect(idsOf(prediction)).toEqual(['c8-d1']);
    expect(input({ prediction }).faster).toEqual(faster);
  });

  it('without those that a trial has found to be slower', () => {
    const trial = { ...endedTrial(undefined), current: { ...endedTrial(undefined).current, slower: ['c16-d1'] } as never };
    const state = popupState({ trial });
    const faster = { profileId: 'c16-d1', why: 'dearer' } as const;
    const explained = input({ state, prediction: { ...PREDICTED, rows, best, recommended: { ...recommended, faster } } });
    expect(explained.faster).toBeUndefined();
    expect(explained.rows.map(({ profileId }) => profileId)).toEqual(['c8-d1']);
    const { rows: shown } = input({ state, prediction: { ...PREDICTED, rows, best, recommended } });
    expect(shown.map(({ profileId }) => profileId)).toEqual(['c8-d1', 'c10-d1']);
  });
});

describe('a trial still takes', () => {
  const arm = (profileId: string, more: object = {}) => ({ profileId, attempted: 25, recorded: 25, lost: 0, ...more });
  const current = {
    ...endedTrial(undefined).current,
    stateKind: 'collecting',
    arms: [arm('firefox-default'), arm('c8-d1'), arm('c3-d1', { dropped: 'slower' })],
    made: 73,
    loadsLeft: 427,
    now: { state: 'in-effect', since: NOW, washout: false },
  } as const;
  const left = (perDay: number | undefined, slots: object, known: { loadsLeft?: number; countable?: object } = {}) => {
    const trial = { ...endedTrial(undefined), current: { ...current, slots, ...known } as never };
    return input({ state: popupState({ trial }), facts: perDay === undefined ? {} : { perDay } }).trial?.left;
  };

  it('427 page loads of 500, at the pace of the person', () => {
    expect(left(42.7, { kind: 'loads', perSlot: 3 })).toEqual({ unit: 'days', count: 10 });
    expect(left(undefined, { kind: 'loads', perSlot: 3 })).toBeUndefined();
  });

  it('more of them where only every second page is of a site that the gateway carries', () => {
    expect(left(42.7, { kind: 'loads', perSlot: 3 }, { countable: { could: 25, of: 50 } })).toEqual({ unit: 'days', count: 20 });
  });

  it('86 restarts, where five page loads are expected of each', () => {
    expect(left(42.7, { kind: 'session' })).toEqual({ unit: 'restarts', count: 86 });
  });
});

it('a proof takes the page loads of its plan', () => {
  const lengths = { mostLoads: 1440, plannedLoads: 520 };
  const proof = (slots: SlotRule) => input({ lengths: { ...lengths, slots }, facts: { perDay: 52 } }).proof;
  expect(proof({ kind: 'loads', perSlot: 3 })).toEqual({ state: 'days', days: 10, loads: 520 });
  expect(proof({ kind: 'session' })).toEqual({ state: 'restarts', restarts: 104 });
});
