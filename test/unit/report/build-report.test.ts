import { describe, expect, it } from 'vitest';
import { hideOrigins } from '../../../src/core/report/build-report.ts';
import { comparableLoads } from '../../../src/core/report/comparable-loads.ts';
import type { MeasuredLoad } from '../../../src/core/report/report.ts';
import { chartScale } from '../../../src/core/text/svg-axes.ts';
import { milliseconds } from '../../../src/core/units.ts';
import { sampleReport } from '../../golden/sample-report.ts';

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

describe('chartScale', () => {
  it('puts every figure within the axis, and those far out at its end', () => {
    const scale = chartScale([0.5, 2, 1000]);
    expect(scale.position(1000)).toBe(96);
    expect(scale.position(0.5)).toBeGreaterThan(4);
    expect(scale.position(0.5)).toBeLessThan(scale.position(1));
  });

  it.each([[[]], [[0.99, 1.01]], [[0.5, 1.4]], [[0.06, 16]], [[1, 3.2]]])('has round ticks with 1 among them for %j', (ratios) => {
    const { ticks } = chartScale(ratios);
    expect(ticks).toContain(1);
    expect(ticks.length).toBeLessThanOrEqual(7);
    for (const tick of ticks) expect(Math.abs(tick * 100 - Math.round(tick * 100))).toBeLessThan(1e-9);
  });
});

/** Of a load, what is looked at here. */
const load = (order: number, peaks?: Readonly<Record<string, number>>): MeasuredLoad =>
  ({ order, ...(peaks && { measures: { loadTimeMs: 7, peakOutstandingByOrigin: peaks } }) }) as unknown as MeasuredLoad;

it('numbers origins in the order of their first appearance, the same in every load', () => {
  const loads = [
    load(0, { 'http://a.test': 3, 'http://b.test': 1 }),
    load(1),
    load(2, { 'http://c.test': 2, 'http://b.test': 4, 'http://a.test': 5 }),
  ];
  expect(hideOrigins(loads)).toEqual([
    load(0, { 'origin-1': 3, 'origin-2': 1 }),
    load(1),
    load(2, { 'origin-3': 2, 'origin-2': 4, 'origin-1': 5 }),
  ]);
});
