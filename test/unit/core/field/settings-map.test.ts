import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../../../src/core/compare/comparison.ts';
import {
  checkedPredictions,
  coverageOf,
  gridProfileIds,
  type MeasuredChange,
  measuredGroups,
  settingsMap,
} from '../../../../src/core/field/settings-map.ts';
import { baseline, comparison, profile, versus } from '../../controls/sample-state.ts';

const BASELINE = 'firefox-default';
const measured = (id: string, ratio: number, more: Partial<MeasuredChange> = {}): MeasuredChange => ({
  ...{ id, ratio, low: ratio - 0.05, high: ratio + 0.05, loads: 40, against: BASELINE },
  ...more,
});

describe('the grid', () => {
  it('leaves out what Firefox ships, and what is more than Firefox sends through a gateway at once', () => {
    const ids = gridProfileIds();
    expect(ids).not.toContain('c6-d1');
    expect(ids).toContain('c16-d1');
    // 8 x 4 = 32 are sent, 6 x 6 = 36 are not.
    expect(ids).toContain('c8-d4');
    expect(ids).not.toContain('c6-d6');
  });
});

describe('the map', () => {
  it('has what was measured before what is predicted, and Firefox in its own place', () => {
    const { connections, depths, cells } = settingsMap(
      [measured('c8-d1', 1.2), measured('betterfox', 1.1)],
      [
        { id: 'c8-d1', ratio: 1.3 },
        { id: 'c2-d4', ratio: 0.9 },
      ],
    );
    expect([connections, depths]).toEqual([
      [2, 6, 8],
      [1, 4],
    ]);
    expect(cells.map((row) => row.map((cell) => cell?.kind))).toEqual([
      [undefined, 'predicted'],
      ['own', undefined],
      ['measured', undefined],
    ]);
    expect(cells[2]?.[0]).toMatchObject({ change: { ratio: 1.2 } });
  });

  it('has Firefox alone where there is nothing else', () => {
    expect(settingsMap([], [])).toEqual({ connections: [6], depths: [1], cells: [[{ kind: 'own' }]] });
  });
});

describe('what was measured', () => {
  it('is kept apart by protocol, the one with most loads under other settings first', () => {
    const part = (protocol: 'http/1.1' | 'http/2', loads: number) => {
      const { method, control, recommendation } = comparison;
      return { protocol, pages: [], method, control, recommendation, profiles: [baseline, profile('c8-d1', { loads })] };
    };
    const several: Comparison = { ...comparison, protocols: [part('http/1.1', 4), part('http/2', 9)] };
    expect(measuredGroups(several).map(({ protocol, changes }) => [protocol, changes[0]?.loads])).toEqual([
      ['http/2', 9],
      ['http/1.1', 4],
    ]);
  });

  it('leaves out settings without a figure', () => {
    const open = profile('c8-d1', { versusBaseline: versus({ ratio: undefined }) });
    expect(measuredGroups({ ...comparison, profiles: [baseline, open] })).toEqual([]);
  });
});

describe('a prediction', () => {
  const band = { low: 1.1, high: 1.3 };

  it.each([
    ['covered', { at: 1.2, low: 1.15, high: 1.25 }],
    ['covered', { at: 1.3, low: 1.05, high: 1.5 }],
    ['missed', { at: 1.4, low: 1.31, high: 1.5 }],
    ['missed', { at: 1, low: 0.9, high: 1.09 }],
    // The estimate is outside, its interval reaches in.
    ['open', { at: 1.4, low: 1.29, high: 1.5 }],
    ['open', { at: 1.2 }],
    ['missed', { at: 1, high: 1.05 }],
  ] as const)('is %s by %j', (coverage, found) => expect(coverageOf(band, found)).toBe(coverage));

  it('is checked where it has a band, and what was measured was compared with Firefox itself', () => {
    const predicted = [
      { id: 'c8-d1', ratio: 1.2, ...band },
      { id: 'c2-d1', ratio: 0.8 },
      { id: 'c4-d6', ratio: 1.2, ...band },
    ];
    const all = [measured('c8-d1', 1.2), measured('c2-d1', 0.8), measured('c4-d6', 1.2, { against: 'control' }), measured('c12-d1', 1)];
    expect(checkedPredictions(all, predicted).map(({ measured: { id }, coverage }) => [id, coverage])).toEqual([['c8-d1', 'covered']]);
  });
});
