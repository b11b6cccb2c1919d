/** What has changed since settings were applied: by days, and never more than a figure that proves nothing. */
import { describe, expect, it } from 'vitest';
import { compareField } from '../../../../src/core/field/compare-field.ts';
import type { LoadSummary } from '../../../../src/core/field/load-summary.ts';
import { bytes, milliseconds } from '../../../../src/core/units.ts';

const APPLIED = 'c12-d1';
const DAY = 86_400_000;
/** Days before the switch. */
const SWITCH = 30;

function load(day: number, profileId: string, { loadTimeMs = milliseconds(1800), ...more }: Partial<LoadSummary> = {}): LoadSummary {
  return {
    startedAt: day * DAY,
    page: 11,
    site: 1,
    standing: 'whole',
    profileId,
    carrier: 'none',
    loadTimeMs,
    bytes: bytes(100_000),
    rttMs: 100,
    rttLowMs: 100,
    downKbps: 1000,
    ...more,
  };
}

const days = (from: number, to: number, one: (day: number) => LoadSummary | readonly LoadSummary[]) =>
  Array.from({ length: to - from }, (_, at) => one(from + at)).flat();
const shipped = (more?: (day: number) => Partial<LoadSummary>) => days(0, SWITCH, (day) => load(day + 0.5, 'firefox-default', more?.(day)));
const applied = (count: number, more?: (day: number) => Partial<LoadSummary>) =>
  days(SWITCH, SWITCH + count, (day) => load(day + 0.5, APPLIED, more?.(day)));
const since = (loads: readonly LoadSummary[], day = SWITCH, profileId = APPLIED) =>
  compareField(loads, { applied: { profileId, since: day * DAY } }).sinceApplied;
const ms = (loadTimeMs: number) => ({ loadTimeMs: milliseconds(loadTimeMs) });

describe('since settings were applied', () => {
  it('compares days, however many loads they have', () => {
    // 1.8 s against 1.2 s on four days and 1.8 s on the fifth, which has ten times as many loads: (4 / 5) ln 1.5.
    const since5 = days(SWITCH, SWITCH + 5, (day) =>
      day === SWITCH ? Array.from({ length: 10 }, () => load(day + 0.5, APPLIED)) : load(day + 0.5, APPLIED, ms(1200)),
    );
    expect(since([...shipped(), ...since5])).toMatchObject({ profileId: APPLIED, since: SWITCH * DAY, days: 5, before: 14 });
    expect(since([...shipped(), ...since5])?.gain).toBeCloseTo(1.5 ** 0.8 - 1, 6);
  });

  it('compares the newest days before, and the first since: a site that gets .2 % a day faster has moved 2.8 % between them', () => {
    const drifting = (day: number) => ms(1800 * 0.998 ** day);
    const found = since([...shipped(drifting), ...applied(60, drifting)]);
    expect(found).toMatchObject({ days: 14, before: 14 });
    expect(found?.gain).toBeCloseTo(0.998 ** -14 - 1, 6);
  });

  it('sees nothing in weekends, or evenings, that both sides have', () => {
    const weekly = (day: number) => (day % 7 < 2 ? ms(2000) : ms(1800));
    expect(since([...shipped(weekly), ...applied(14, weekly)])?.gain).toBeCloseTo(0, 6);
    const daily = (from: number, to: number, profileId: string) =>
      days(from, to, (day) => [load(day + 0.1, profileId), load(day + 0.8, profileId, ms(2400))]);
    expect(since([...daily(0, SWITCH, 'firefox-default'), ...daily(SWITCH, SWITCH + 7, APPLIED)])?.gain).toBeCloseTo(0, 6);
  });

  it('compares a page with itself', () => {
    const slowSite = { page: 12, ...ms(9000) };
    const both = [
      ...shipped(),
      ...shipped(() => slowSite),
      ...applied(6),
      ...applied(3, () => slowSite),
      ...applied(6, () => ({ page: 13, ...ms(9) })),
    ];
    expect(since(both.toSorted((a, b) => a.startedAt - b.startedAt))?.gain).toBeCloseTo(0, 6);
  });

  it('says nothing of fewer than five days on a side, of other settings, or where nothing is applied', () => {
    expect(since([...shipped(), ...applied(5)])).toBeDefined();
    expect(since([...shipped(), ...applied(4)])).toBeUndefined();
    expect(since([...shipped().slice(-4), ...applied(9)])).toBeUndefined();
    expect(since([...shipped(), ...applied(9)], SWITCH, 'c3-d1')).toBeUndefined();
    expect(since([...shipped(), ...applied(9)], SWITCH, 'firefox-default')).toBeUndefined();
    expect(compareField([...shipped(), ...applied(9)]).sinceApplied).toBeUndefined();
  });

  it('counts no load of a trial under the applied settings, and none that was cut short or excluded', () => {
    const trial = { slot: 1, counts: true };
    expect(since([...shipped(), ...applied(9, () => ({ trial }))])).toBeUndefined();
    expect(since([...shipped(() => ({ trial })), ...applied(9)])).toMatchObject({ before: 14 });
    expect(since([...shipped(() => ({ trial: { ...trial, counts: false } })), ...applied(9)])).toBeUndefined();
    expect(since([...shipped(), ...applied(9, () => ({ standing: 'cut-short' }))])).toBeUndefined();
    expect(since([...shipped(), ...applied(9, () => ({ excluded: 'unfit' }))])).toBeUndefined();
  });

  it('compares only pages that the settings act on: a limit on connections over HTTP/1.1 changes nothing over HTTP/2', () => {
    const over = (protocol: NonNullable<LoadSummary['protocol']>) => [
      ...shipped(() => ({ protocol })),
      ...applied(9, () => ({ protocol })),
    ];
    expect(since(over('http/1.1'))).toMatchObject({ days: 9 });
    expect(since(over('http/2'))).toBeUndefined();
  });
});
