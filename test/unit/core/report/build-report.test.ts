import { describe, expect, it } from 'vitest';
import { comparableLoads } from '../../../../src/core/report/comparable-loads.ts';
import { milliseconds } from '../../../../src/core/units.ts';
import { sampleReport } from '../../../golden/sample-report.ts';

describe('buildReport', () => {
  const report = sampleReport();

  it('computes the comparison from its loads', () => {
    const loads = report.comparison.profiles.map((profile) => [profile.id, profile.loads, profile.voidLoads]);
    expect(loads).toEqual([
      ['firefox-default', 12, 0],
      ['c1-d2', 12, 0],
      ['c4-d6', 11, 1],
      ['c8-d1', 12, 0],
      ['c6-d1-gateway', 12, 0],
    ]);
  });

  it('numbers origins instead of naming them', () => {
    expect(report.loads[0]?.measures?.peakOutstandingByOrigin).toEqual({ 'origin-1': 6 });
    expect(JSON.stringify(report)).not.toContain('10.0.0.2');
  });
});

describe('comparableLoads', () => {
  const [first] = sampleReport().loads;
  if (first?.measures === undefined) throw new Error('a load');
  const { measures } = first;
  const cutBy = (cutShort: 'time-limit' | 'page-left') => {
    const { idealTimeMs: _, efficiency: __, ...rest } = measures;
    return comparableLoads([first, { ...first, measures: { ...rest, cutShort, loadTimeMs: milliseconds(900) } }])[1];
  };

  it('excludes a load that was left: it has no time, and may have been left for being slow', () => {
    expect(cutBy('page-left')).toMatchObject({ valid: false, lostTo: 'possibly-load-time', loadTimeMs: undefined, efficiency: undefined });
    expect(comparableLoads([first])[0]?.loadTimeMs).toBe(measures.loadTimeMs);
  });

  it('has the bounds of a load that ran into the time limit', () => {
    expect(cutBy('time-limit')).toMatchObject({ valid: true, loadTimeMs: 60_000, efficiency: 1600 / 60_000, atBound: true });
    expect(comparableLoads([first])[0]).not.toHaveProperty('atBound');
  });
});
