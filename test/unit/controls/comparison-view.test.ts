import { describe, expect, it } from 'vitest';
import { axisOf } from '../../../src/controls/chart.ts';
import { chosenGroup, comparisonView } from '../../../src/controls/comparison-view.ts';
import type { Comparison, ProtocolComparison, VersusBaseline } from '../../../src/core/compare/comparison.ts';
import { baseline, comparison, plain, profile, versus } from './sample-state.ts';

const whole = (changed: Partial<Comparison> = {}, recommended: string | undefined = 'c4-d6') =>
  plain(comparisonView({ ...comparison, ...changed }, { recommended }));
const view = (...asked: Parameters<typeof whole>) => whole(...asked).groups[0];
const rowOf = (versusBaseline: VersusBaseline) => view({ profiles: [profile('x', { versusBaseline })] }).rows[0];

describe('comparisonView', () => {
  it('draws a point with its interval for each profile, around the baseline', () => {
    const { points } = view();
    expect(points.map(({ id, kind }) => [id, kind])).toEqual([
      ['firefox-default', 'baseline'],
      ['c4-d6', 'recommended'],
    ]);
    expect(view().rows[1]).toMatchObject({ efficiency: '46 %', loadTime: '3.4 s' });
    expect(points[0]).toMatchObject({ change: 0, low: 0, high: 0 });
    const [ratio, low, high] = [1.18, 1.09, 1.28];
    expect(points[1]).toMatchObject({ change: ratio - 1, low: low - 1, high: high - 1 });
  });

  it('draws no point without a change, and nothing where the baseline would be alone', () => {
    const open = profile('open', { versusBaseline: versus({ low: undefined, high: undefined }) });
    const unknown = profile('unknown', {
      efficiency: { estimate: undefined, low: undefined, high: undefined },
      loadTimeMs: { median: undefined },
      versusBaseline: versus({ ratio: undefined, low: undefined, high: undefined }),
    });
    const half = profile('half', { versusBaseline: versus({ low: undefined }) });
    const { points, rows } = view({ profiles: [baseline, half, unknown, open] });
    expect(points.map(({ id, low, high }) => [id, low, high])).toEqual([
      ['firefox-default', 0, 0],
      ['half', undefined, 1.28 - 1],
    ]);
    expect(rows[2]).toMatchObject({ efficiency: 'unknown', loadTime: 'unknown' });
    expect(view({ profiles: [baseline, unknown] })).toMatchObject({ points: [], caption: expect.stringContaining('no chart') });
  });

  it('says of what a trial compares what the trial says, and no other figure', () => {
    const profiles = [baseline, profile('c8-d1', { versusBaseline: versus({ ratio: 1.33 }) }), profile('c3-d1'), profile('c12-d1')];
    const inTrial = new Map([
      ['c8-d1', undefined],
      ['c3-d1', { gain: 0.05, low: -0.03, high: 0.14 }],
    ]);
    const [group] = plain(comparisonView({ ...comparison, profiles }, { recommended: undefined, inTrial })).groups;
    expect(group.rows.map(({ id, change, verdict }) => [id, change, verdict.word])).toEqual([
      ['firefox-default', '', 'baseline'],
      ['c8-d1', 'too early', 'in the trial'],
      ['c3-d1', '+5 % (−3 % to +14 %)', 'in the trial'],
      ['c12-d1', '+18 % (+9 % to +28 %)', 'faster'],
    ]);
    expect(group.points.map(({ id }) => id)).toEqual(['firefox-default', 'c3-d1', 'c12-d1']);
  });

  it('has an axis of tenths that reaches at least 10 % either way, and from half to double at most', () => {
    const axis = (...changes: readonly number[]) =>
      axisOf(changes.map((change) => ({ id: '', kind: 'candidate', change, low: change, high: change })));
    expect(axis()).toEqual({ min: -0.1, max: 0.1 });
    expect(axis(0.04, 0.21)).toEqual({ min: -0.1, max: expect.closeTo(0.3) });
    expect(axis(-0.3, 0.3)).toEqual({ min: expect.closeTo(-0.3), max: expect.closeTo(0.3) });
    expect(axis(-0.9, 7)).toEqual({ min: -0.5, max: 1 });
  });

  it('has no efficiency beyond 100 %: the link is then disproved, for every profile over it', () => {
    const of = (...estimates: readonly number[]) =>
      view({
        profiles: estimates.map((estimate, at) => profile(`p${at}`, { efficiency: { estimate, low: undefined, high: undefined } })),
      });
    const disproved = of(0.9, 1.12);
    // The changes do not rest on it.
    expect(disproved.points).toHaveLength(2);
    expect(disproved.rows.map(({ efficiency }) => efficiency)).toEqual(['network estimate wrong', 'network estimate wrong']);
    expect(disproved.caption).toMatch(
      /The network estimate is wrong: loads were faster than it allows, so their efficiency is unknown. Settings can still be compared with each other./,
    );
    // Within the tolerance of a link's own check nothing is disproved, and nothing is faster than the link.
    expect(of(1.02, 0.9)).toMatchObject({ rows: [{ efficiency: '100 %' }, { efficiency: '90 %' }] });
    expect(of(1.02).caption).not.toContain('disproved');
  });

  it('shows each protocol by itself, the one with the most loads first, and the one that was chosen', () => {
    const part = (protocol: 'http/1.1' | 'http/2' | 'mixed', loads: number, estimate: number): ProtocolComparison => {
      const { method, control, recommendation } = comparison;
      const own = profile('c8-d1', { loads, versusBaseline: versus({ ratio: estimate }) });
      return { protocol, pages: [], method, control, recommendation, profiles: [own, profile('c4-d1', { loads: 0 })] };
    };
    const several = whole({ protocols: [part('http/1.1', 4, 0.4), part('mixed', 30, 0.3), part('http/2', 9, 0.6)] });
    expect(several.groups.map(({ label }) => label)).toEqual([
      'Several HTTP versions (30 loads)',
      'HTTP/2 (9 loads)',
      'HTTP/1.1 (4 loads)',
    ]);
    expect(chosenGroup(several, undefined).key).toBe('mixed');
    expect(chosenGroup(several, 'http/2').rows.map(({ change }) => change)).toEqual(['−40 % (+9 % to +28 %)']);
    // A group whose last load was deleted.
    expect(chosenGroup(several, 'http/3').key).toBe('mixed');
    expect(whole().groups).toHaveLength(1);
  });

  it('calls a profile recommended only when the answer names it, whatever the loads as they came look like', () => {
    const kinds = (recommended: string) => view({}, recommended).points.map(({ kind }) => kind);
    expect(kinds('c4-d6')).toEqual(['baseline', 'recommended']);
    expect(kinds('c8-d1')).toEqual(['baseline', 'candidate']);
    expect(kinds('firefox-default')).toEqual(['baseline', 'candidate']);
  });

  it('notes role, loads, excluded loads and carrier', () => {
    const profiles = [
      baseline,
      profile('c4-d6', { carrier: 'gateway', loads: 1, voidLoads: 2 }),
      profile('c6-d1', { role: 'control', carrier: 'gateway' }),
      profile('h2', { carrier: 'http2' }),
      profile('old', { carrier: 'legacy' }),
    ];
    expect(view({ profiles }).rows.map(({ note }) => note)).toEqual([
      'baseline · 12 loads',
      'recommended · 1 load (2 excluded) · pipelining by gateway',
      'control · 12 loads · pipelining by gateway',
      '12 loads · pipelining by HTTP/2',
      '12 loads · pipelining by Firefox',
    ]);
  });

  it.each([
    ['better', { word: 'faster', tone: 'good' }],
    ['worse', { word: 'slower', tone: 'bad' }],
    ['no-meaningful-difference', { word: 'no real difference', tone: 'plain' }],
    ['need-more-loads', { word: 'not enough data yet', tone: 'plain' }],
    ['baseline', { word: 'baseline', tone: 'plain' }],
    ['no-verdict', { word: 'no verdict', tone: 'plain' }],
  ] as const)('words the verdict %s', (verdict, expected) => expect(rowOf(versus({ verdict }))?.verdict).toEqual(expected));

  it.each([
    [{}, '+18 % (+9 % to +28 %)'],
    [{ against: 'c6-d1' }, '+18 % against c6-d1 (+9 % to +28 %)'],
    [{ ratio: 0.8, low: 0.7, high: 0.9 }, '−20 % (−30 % to −10 %)'],
    // As in the card: a change without an interval is no figure.
    [{ low: undefined, high: undefined }, 'too early'],
    [{ low: undefined }, '+18 % (no lower bound yet to +28 %)'],
    [{ high: undefined }, '+18 % (+9 % to no upper bound yet)'],
    [{ ratio: undefined }, ''],
    [{ verdict: 'baseline' }, ''],
  ] as const)('words the change %j', (changed, words) => expect(rowOf(versus(changed))?.change).toBe(words));

  it.each([
    [
      { verdict: 'need-more-loads', reason: 'The interval holds no change', loadsNeeded: 12 },
      'The interval holds no change. About 12 more loads with each would settle it.',
    ],
    [
      { verdict: 'need-more-loads', reason: '', loadsNeeded: 12, loadsNeededAtMost: 30 },
      'About 12 more loads with each, at most 30, would settle it.',
    ],
    [{ verdict: 'need-more-loads', reason: '', loadsNeeded: 1 }, 'About 1 more load with each would settle it.'],
    [{ verdict: 'need-more-loads', reason: 'Too few.', loadsNeeded: undefined }, 'Too few.'],
    [{ verdict: 'better', reason: 'Clear.', loadsNeeded: 12 }, 'Clear.'],
  ] as const)('gives the reason %j', (changed, reason) => expect(rowOf(versus(changed))?.reason).toBe(reason));

  it('passes on the control, and what its use means', () => {
    const control = { profileId: 'c6-d1', ratio: 0.95, sentence: 'The gateway costs 5 %.' };
    expect(view().control).toBeUndefined();
    expect(view({ control: { ...control, used: false } }).control).toBe('The gateway costs 5 %.');
    expect(view({ control: { ...control, used: true } }).control).toContain('compared with c6-d1, not with the baseline');
  });
});
