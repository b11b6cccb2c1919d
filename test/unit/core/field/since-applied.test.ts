/** What everyday loads say of settings since they were applied. */
import { describe, expect, it } from 'vitest';
import { compareField } from '../../../../src/core/field/compare-field.ts';
import type { LoadSummary } from '../../../../src/core/field/load-summary.ts';
import { gainedUnder } from '../../../../src/core/field/since-applied.ts';
import { bytes, milliseconds } from '../../../../src/core/units.ts';
import { baseline, comparison, profile, versus } from '../../controls/sample-state.ts';

const APPLIED = 'c12-d1';

/** A page of 100 kB over 100 ms and 1 Mbit/s: at best 900 ms. */
function load(minute: number, profileId: string, { trial, loadTimeMs = milliseconds(1800) }: Partial<LoadSummary> = {}): LoadSummary {
  return {
    startedAt: minute * 60_000,
    page: 11,
    site: 1,
    standing: 'whole',
    profileId,
    carrier: 'none',
    loadTimeMs: milliseconds(loadTimeMs + (minute % 7)),
    bytes: bytes(100_000),
    rttMs: 100,
    rttLowMs: 100,
    downKbps: 1000,
    ...(trial && { trial }),
  };
}

/** A trial in which the settings are twice as fast, before they are applied. */
const TRIAL = Array.from({ length: 40 }, (_, at) => {
  const trial = { slot: Math.floor(at / 4), counts: true };
  return at % 2 === 0 ? load(at, 'firefox-default', { trial }) : load(at, APPLIED, { trial, loadTimeMs: milliseconds(900) });
});
const since = (loads: readonly LoadSummary[]) => compareField(loads).sinceApplied;

describe('since settings were applied', () => {
  it('counts no load of the trial that proved them', () => {
    expect(since(TRIAL)).toBeUndefined();
    const later = Array.from({ length: 12 }, (_, at) => load(100 + at, APPLIED, { loadTimeMs: milliseconds(1440) }));
    const found = since([...TRIAL, ...later]);
    expect(found).toMatchObject({ profileId: APPLIED, loads: 12 });
    // 1.8 s against 1.44 s, not against the 0.9 s of the trial.
    expect(found?.change.gain).toBeCloseTo(0.25, 1);
  });

  it('is of the settings that the newest loads ran under, and since the newest other ones', () => {
    const early = Array.from({ length: 12 }, (_, at) => load(50 + at, APPLIED, { loadTimeMs: milliseconds(900) }));
    const late = Array.from({ length: 10 }, (_, at) => load(200 + at, APPLIED, { loadTimeMs: milliseconds(1440) }));
    const own = Array.from({ length: 12 }, (_, at) => load(100 + at, 'firefox-default'));
    expect(since([...early, ...own, ...late])).toMatchObject({ profileId: APPLIED, loads: 10, before: 12 });
    expect(since([...early, ...own])).toBeUndefined();
    expect(since([])).toBeUndefined();
  });

  it('says nothing where there is no interval', () => {
    const of = (low: number | undefined) =>
      gainedUnder(APPLIED, {
        ...comparison,
        profiles: [baseline, profile(APPLIED, { loads: 61, versusBaseline: versus({ ratio: 1.38, low, high: 1.58 }) })],
      });
    expect(of(1.2)?.change.low).toBeCloseTo(0.2, 10);
    expect(of(1.2)).toMatchObject({ loads: 61, before: 12 });
    expect(of(undefined)).toBeUndefined();
    expect(gainedUnder('c3-d1', comparison)).toBeUndefined();
  });
});
