/** Three sites, each loaded twice, one load at a time: every way it can go. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  advanceTryout,
  beginTryout,
  END_LIMIT_MS,
  START_LIMIT_MS,
  type Tryout,
  type TryoutInput,
  type TryoutStep,
  tryoutDueAt,
} from '../../../../src/core/field/tryout.ts';

const SITES = [1, 2, 3].map((tabId) => ({ tabId, host: `${tabId}.example` }));
const begin = (): TryoutStep => beginTryout(SITES, 1_000);
const advanced = (step: TryoutStep, ...inputs: readonly TryoutInput[]): TryoutStep =>
  inputs.reduce((last, input) => advanceTryout(last.tryout, input), step);
const recorded = (tabId: number, at: number, loadTimeMs: number | undefined = 500): TryoutInput => ({
  kind: 'recorded',
  tabId,
  startedAt: at,
  loadTimeMs,
  now: at + 3_000,
});
const loadsOf = ({ sites }: Tryout) => sites.map(({ loads }) => loads.length);

describe('a tryout', () => {
  test('loads every site once, then every site again without its cache', () => {
    const commands: unknown[] = [];
    let step = begin();
    for (let now = 1_000; step.load !== undefined; now += 10_000) {
      commands.push([step.load.tabId, step.load.again]);
      step = advanced(step, { kind: 'begun', tabId: step.load.tabId }, recorded(step.load.tabId, now + 10));
    }
    expect(commands).toEqual([
      [1, false],
      [2, false],
      [3, false],
      [1, true],
      [2, true],
      [3, true],
    ]);
    expect(step.tryout.step).toEqual({ state: 'done' });
    expect(loadsOf(step.tryout)).toEqual([2, 2, 2]);
    expect(step.tryout.sites[0]?.loads).toEqual([{ loadTimeMs: 500 }, { loadTimeMs: 500 }]);
  });

  test('counts no load of another tab, and none that was there before', () => {
    const step = begin();
    expect(advanced(step, recorded(2, 1_100)).tryout).toBe(step.tryout);
    // The document before is recorded once more when it is left.
    expect(advanced(step, recorded(1, 400)).tryout).toBe(step.tryout);
    expect(loadsOf(advanced(step, recorded(1, 600)).tryout)).toEqual([1, 0, 0]);
  });

  test('passes a site by that is refused, now or when its turn comes', () => {
    const now = 2_000;
    const refused = advanced(begin(), { kind: 'refused', tabId: 1, why: 'closed', now });
    expect(refused.load).toEqual({ tabId: 2, again: false });
    const later = advanced(begin(), { kind: 'refused', tabId: 2, why: 'asks-to-stay', now });
    expect(later).not.toHaveProperty('load');
    expect(advanced(later, recorded(1, 1_100)).load).toEqual({ tabId: 3, again: false });
  });

  test('gives up what does not begin after 15 s, and what does not end after 75 s', () => {
    const step = begin();
    expect(tryoutDueAt(step.tryout)).toBe(1_000 + START_LIMIT_MS);
    expect(advanced(step, { kind: 'time', now: 1_000 + START_LIMIT_MS - 1 }).tryout).toBe(step.tryout);
    expect(advanced(step, { kind: 'time', now: 1_000 + START_LIMIT_MS }).tryout.sites[0]?.refused).toBe('not-started');
    const begun = advanced(step, { kind: 'begun', tabId: 1 });
    expect(tryoutDueAt(begun.tryout)).toBe(1_000 + END_LIMIT_MS);
    expect(advanced(begun, { kind: 'time', now: 1_000 + END_LIMIT_MS }).tryout.sites[0]?.refused).toBe('not-finished');
  });

  test('stops when it is cancelled, and stays so', () => {
    const cancelled = advanced(begin(), { kind: 'cancel' });
    expect(cancelled).toEqual({ tryout: { sites: cancelled.tryout.sites, step: { state: 'cancelled' } } });
    expect(advanced(cancelled, recorded(1, 1_100)).tryout).toBe(cancelled.tryout);
    expect(tryoutDueAt(cancelled.tryout)).toBeUndefined();
  });

  test('asks for at most two loads of a site, one at a time, and always ends', () => {
    const tabId = fc.integer({ min: 0, max: 4 });
    const anyInput: fc.Arbitrary<TryoutInput> = fc.oneof(
      fc.record({ kind: fc.constant('begun' as const), tabId }),
      tabId.map((id) => recorded(id, 5_000)),
      tabId.map((id) => ({ kind: 'refused' as const, tabId: id, why: 'failed' as const, now: 5_000 })),
      fc.integer({ min: 0, max: 200_000 }).map((now) => ({ kind: 'time' as const, now })),
    );
    fc.assert(
      fc.property(fc.array(anyInput, { maxLength: 40 }), (inputs) => {
        let step = begin();
        const asked = [step.load?.tabId];
        for (const input of inputs) {
          const before = step.tryout;
          step = advanceTryout(before, input);
          if (step.load !== undefined) asked.push(step.load.tabId);
          if (step.load !== undefined) expect(step.tryout.step).toMatchObject({ state: 'loading', begun: false });
        }
        for (const { tabId: id, asked: count } of step.tryout.sites) {
          expect(asked.filter((one) => one === id)).toHaveLength(count);
          expect(count).toBeLessThanOrEqual(2);
        }
        for (let turns = 0; turns < 6; turns += 1) step = advanceTryout(step.tryout, { kind: 'time', now: 1e9 * (turns + 1) });
        expect(step.tryout.step.state).toBe('done');
      }),
    );
  });
});
