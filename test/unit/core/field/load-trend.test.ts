import { describe, expect, it } from 'vitest';
import { createHistory } from '../../../../src/core/field/history.ts';
import type { LoadSummary } from '../../../../src/core/field/load-summary.ts';
import { loadTrend, settingsChanges, type TrendDay, trialSpans } from '../../../../src/core/field/load-trend.ts';
import { milliseconds } from '../../../../src/core/units.ts';

const DAY = 86_400_000;
const load = (day: number, loadTimeMs: number, more: Partial<LoadSummary> = {}): LoadSummary => ({
  ...{ startedAt: day * DAY + loadTimeMs, page: 1, site: 1, standing: 'whole', profileId: 'firefox-default', carrier: 'none' },
  loadTimeMs: milliseconds(loadTimeMs),
  ...more,
});
const trendOf = (figures: readonly LoadSummary[]) =>
  loadTrend(createHistory({ figures, links: [], linkOf: () => undefined, addresses: new Map() }), {
    site: 1,
    dayOf: (at) => Math.floor(at / DAY) * DAY,
  });

describe('a trend', () => {
  it('has the median of each day, of the loads of the site that are compared', () => {
    const days = trendOf([
      load(4, 900, { profileId: 'c8-d1' }),
      load(2, 100),
      load(2, 300),
      load(2, 500),
      load(2, 5, { site: 2 }),
      load(2, 9_000, { standing: 'cut-short', cutShort: 'page-left' }),
      load(3, 700, { excluded: 'washout' }),
    ]);
    expect(days).toEqual([
      { day: 2 * DAY, loadTimeMs: { median: 300, loads: 3 }, profiles: ['firefox-default'], isTrial: false },
      { day: 4 * DAY, loadTimeMs: { median: 900, loads: 1 }, profiles: ['c8-d1'], isTrial: false },
    ]);
  });

  it('does not take the settings of a trial for those of the day', () => {
    const [day] = trendOf([load(2, 100), load(2, 300, { profileId: 'c8-d1', trial: { slot: 1, counts: true } })]);
    expect(day).toMatchObject({ loadTimeMs: { median: 200, loads: 2 }, profiles: ['firefox-default'], isTrial: true });
  });

  it('is empty without a load that is compared', () => {
    expect(trendOf([load(2, 100, { site: 2 })])).toEqual([]);
  });
});

const day = (number: number, profiles: readonly string[], isTrial = false): TrendDay => ({
  ...{ day: number, profiles, isTrial },
  loadTimeMs: { median: 1, loads: 1 },
});

describe('the marks', () => {
  it('are where other settings began, whatever a trial switched in between', () => {
    const days = [day(1, ['a']), day(2, ['a']), day(3, [], true), day(4, ['a']), day(5, ['a', 'b']), day(6, ['b'])];
    expect(settingsChanges(days).map(({ day: one }) => one)).toEqual([5, 6]);
  });

  it('are one span for days in a row with a trial', () => {
    const days = [day(1, ['a'], true), day(2, [], true), day(5, ['a']), day(9, ['a'], true)];
    expect(trialSpans(days)).toEqual([
      { from: 1, to: 2 },
      { from: 9, to: 9 },
    ]);
  });
});
