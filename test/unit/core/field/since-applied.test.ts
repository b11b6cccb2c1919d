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
const since = (loads: readonly LoadSummary[], minute: number, profileId = APPLIED) =>
  compareField(loads, { applied: { profileId, since: minute * 60_000 } }).sinceApplied;

describe('since settings were applied', () => {
  it('counts no load of the trial that proved them', () => {
    expect(since(TRIAL, 0)).toBeUndefined();
    const later = Array.from({ length: 12 }, (_, at) => load(100 + at, APPLIED, { loadTimeMs: milliseconds(1440) }));
    const found = since([...TRIAL, ...later], 0);
    expect(found).toMatchObject({ profileId: APPLIED, loads: 12 });
    // 1.8 s against 1.44 s, not against the 0.9 s of the trial.
    expect(found?.change.gain).toBeCloseTo(0.25, 1);
  });

  const own = Array.from({ length: 12 }, (_, at) => load(at, 'firefox-default'));
  const early = Array.from({ length: 12 }, (_, at) => load(50 + at, APPLIED, { loadTimeMs: milliseconds(900) }));
  const late = Array.from({ length: 10 }, (_, at) => load(200 + at, APPLIED, { loadTimeMs: milliseconds(1440) }));

  it('counts from then on, also where the same settings were undone and applied again at once', () => {
    expect(since([...own, ...early, ...late], 50)).toMatchObject({ profileId: APPLIED, since: 3_000_000, loads: 22, before: 12 });
    expect(since([...own, ...early, ...late], 200)).toMatchObject({ profileId: APPLIED, since: 12_000_000, loads: 10, before: 12 });
    expect(since([...own, ...early], 200)).toBeUndefined();
    expect(since([], 0)).toBeUndefined();
    expect(compareField([...own, ...early]).sinceApplied).toBeUndefined();
  });

  it('is of the applied settings, whatever the gateway carries now', () => {
    const gateway = Array.from({ length: 10 }, (_, at) => load(300 + at, 'c4-d6'));
    expect(since([...own, ...late, ...gateway], 200)).toMatchObject({ profileId: APPLIED, loads: 10 });
    expect(since([...own, ...late, ...gateway], 300, 'c4-d6')).toMatchObject({ profileId: 'c4-d6', loads: 10 });
  });

  it('names the HTTP version of its pages where there were several, and none where there was one', () => {
    const over = (protocol: LoadSummary['protocol'], loads: readonly LoadSummary[], page: number) =>
      loads.map((one) => ({ ...one, page, ...(protocol && { protocol }) }));
    const h1 = over('http/1.1', [...own, ...late], 11);
    const h2 = over('http/2', [...own.slice(0, 8), ...late.slice(0, 4)], 12);
    expect(since([...h1, ...h2], 200)).toMatchObject({ loads: 10, before: 12, protocol: 'http/1.1' });
    expect(since(h1, 200)).toMatchObject({ loads: 10, before: 12 });
    expect(since(h1, 200)).not.toHaveProperty('protocol');
  });

  it('is of pages that the settings act on, or is marked: a limit on connections over HTTP/1.1 changes nothing over HTTP/2', () => {
    const over = (protocol: NonNullable<LoadSummary['protocol']>, loads: readonly LoadSummary[], page: number) =>
      loads.map((one) => ({ ...one, page, protocol }));
    const h2 = over('http/2', [...own, ...late], 12);
    expect(since(h2, 200)).toMatchObject({ loads: 10, isBeyondReach: true });
    const h1 = over('http/1.1', [...own.slice(0, 8), ...late.slice(0, 6)], 11);
    const both = since([...h1, ...h2], 200);
    expect(both).toMatchObject({ loads: 6, protocol: 'http/1.1' });
    expect(both).not.toHaveProperty('isBeyondReach');
  });

  it('says nothing where there is no interval', () => {
    const applied = { profileId: APPLIED, since: 0 };
    const of = (low: number | undefined) =>
      gainedUnder(applied, {
        ...comparison,
        profiles: [baseline, profile(APPLIED, { loads: 61, versusBaseline: versus({ ratio: 1.38, low, high: 1.58 }) })],
      });
    expect(of(1.2)?.change.low).toBeCloseTo(0.2, 10);
    expect(of(1.2)).toMatchObject({ loads: 61, before: 12 });
    expect(of(undefined)).toBeUndefined();
    expect(gainedUnder({ ...applied, profileId: 'c3-d1' }, comparison)).toBeUndefined();
  });
});
