import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../../src/core/compare/comparison.ts';
import { type ModelsInput, type ModelsView, modelsView } from '../../../src/dashboard/models-view.ts';
import type { ModelsAnswer } from '../../../src/protocol/models-answer.ts';
import { english } from '../../support/english.ts';
import { xmlFault } from '../../support/well-formed.ts';
import { baseline, comparison, plain, profile, versus } from '../controls/sample-state.ts';

const PREDICTION: Extract<ModelsAnswer, { state: 'predicted' }> = {
  state: 'predicted',
  link: { id: 1, name: 'RTT 20 ms, 10 Mbit/s', rttMs: 20, rttIntervalMs: {}, downIntervalKbps: {}, loads: 9 },
  pages: 3,
  rows: [
    { id: 'firefox-default', ratio: 1, band: { low: 1, high: 1 } },
    { id: 'c8-d1', ratio: 1.1, band: { low: 1.05, high: 1.2 } },
    { id: 'c2-d1', ratio: 0.8 },
  ],
  reach: { requests: 100, byConnections: 80, byDepth: 0 },
  checked: [],
};
const MEASURED: Comparison = { ...comparison, profiles: [baseline, profile('c8-d1', { versusBaseline: versus() })] };
const view = (more: Partial<ModelsInput> = {}) =>
  plain(modelsView({ comparison: MEASURED, prediction: PREDICTION, failures: [], width: 376, ...more }));

function mapOf({ map }: ModelsView): NonNullable<ModelsView['map']> {
  if (map === undefined) throw new Error('There is no map');
  return map;
}

describe('the map of settings', () => {
  it('has a word, an interval and the number of loads for what was measured, and a word for what is predicted', () => {
    const map = mapOf(view());
    expect(map.table.rows).toEqual([
      ['8 connections', '+18 %', '+9 % to +28 %', 'measured, 12 loads'],
      ['2 connections', '≈ −20 %', 'error not known', 'predicted'],
    ]);
    expect(map.svg).toContain('n = 12');
    // Two connections, and the key.
    expect(map.svg.match(/<rect class="predicted"/g)).toHaveLength(2);
    expect(xmlFault(map.svg)).toBeUndefined();
  });

  it('says what it rests on, and where several requests on a connection reach nothing', () => {
    const { notes } = view();
    const [twelve, own] = [english('count.loads', { count: 12 }), english('count.loads', { count: 12 })];
    expect(notes).toEqual([
      `${english('models.measured.basis', { loads: twelve, own })} ${english('models.measured.turns')}`,
      english('models.predicted.basis', { count: 3, network: 'RTT 20 ms, 10 Mbit/s', held: 0.85 }),
      english('models.depth.none'),
    ]);
    const reach = { ...PREDICTION.reach, byDepth: 7 };
    expect(view({ prediction: { ...PREDICTION, reach } }).notes).toContain(
      english('models.depth', { reached: 7, requests: english('count.requests', { count: 100 }) }),
    );
  });

  it('names the protocol of what it shows, and has the others in its table', () => {
    const part = (protocol: 'http/1.1' | 'http/2', loads: number) => {
      const { method, control, recommendation } = comparison;
      return { protocol, pages: [], method, control, recommendation, profiles: [baseline, profile('c8-d1', { loads })] };
    };
    const shown = view({ comparison: { ...comparison, protocols: [part('http/2', 4), part('http/1.1', 30)] } });
    expect(shown.notes[0]).toContain(english('models.measured.over', { protocol: 'HTTP/1.1' }));
    expect(mapOf(shown).table.rows.map(([, , , basis]) => basis)).toEqual([
      'measured, HTTP/1.1, 30 loads',
      'measured, HTTP/2, 4 loads',
      'predicted',
    ]);
    expect(shown.check?.drawn?.table.rows.map(([settings]) => settings)).toEqual(['8 connections, HTTP/1.1', '8 connections, HTTP/2']);
  });

  it('says what it waits for, why nothing is predicted, and what failed', () => {
    expect(view({ comparison: undefined, prediction: undefined }).notes).toEqual([
      english('comparison.first'),
      english('prediction.computing'),
    ]);
    expect(view({ prediction: { state: 'rate-not-known' } }).notes[1]).toBe(english('prediction.rateUnknown'));
    expect(view({ comparison: { ...comparison, profiles: [baseline] } }).notes[0]).toBe(english('models.measured.none'));
    expect(view({ failures: ['It failed.'] }).notes).toEqual(['It failed.']);
    const part = { newest: 4_096, all: 100_000 };
    expect(view({ part }).notes[1]).toBe(english('comparison.newest', { newest: '4,096 loads', all: 100_000 }));
  });

  it('is not there before anything is measured or predicted', () => {
    const { map, check, pages } = view({ comparison: { ...comparison, profiles: [baseline] }, prediction: { state: 'no-loads' } });
    expect({ map, check, pages }).toEqual({ map: undefined, check: undefined, pages: undefined });
  });
});

describe('predicted against measured', () => {
  it('has both with their bounds and loads, and whether the band covered what was measured', () => {
    const { check } = view();
    if (check?.drawn === undefined) throw new Error('Nothing is checked');
    const { drawn } = check;
    // 1.18 lies between 1.05 and 1.2.
    expect(drawn.table.rows).toEqual([['8 connections', '≈ +10 % (+5 % to +20 %)', '+18 % (+9 % to +28 %), 12 loads', 'yes']]);
    expect(check.sentence).toBe(english('models.held.summary', { count: 1, held: 1, missed: 0, open: 0 }));
    expect(xmlFault(drawn.svg)).toBeUndefined();
  });

  it('says so where no settings have both', () => {
    expect(view({ prediction: undefined }).check).toEqual({ sentence: english('models.check.none'), drawn: undefined });
  });

  it('has the load times of pages, each with what it can be judged by', () => {
    const page = { url: 'http://a.test/news?id=1', loads: 9, measuredMs: 1_000, predictedMs: 1_100, state: 'agrees' } as const;
    const bandMs = { low: 1_000, high: 1_222 };
    const { pages } = view({
      prediction: {
        ...PREDICTION,
        checked: [
          { ...page, intervalMs: { low: 900, high: 1_050 }, bandMs },
          { ...page, intervalMs: { low: 900, high: 990 }, measuredMs: 950, bandMs },
          { loads: 1, measuredMs: 1_000, predictedMs: 1_100, bandMs, state: 'agrees' },
          { ...page, state: 'not-judged' },
        ],
      },
    });
    expect(pages?.rows).toEqual([
      ['a.test/news', '≈ 1.1 s (1 s to 1.22 s)', '1 s (900 ms to 1.05 s), 9 loads', 'yes'],
      ['a.test/news', '≈ 1.1 s (1 s to 1.22 s)', '950 ms (900 ms to 990 ms), 9 loads', 'no'],
      [english('load.noAddress'), '≈ 1.1 s (1 s to 1.22 s)', '1 s (no interval yet), 1 load', 'too early to say'],
      ['a.test/news', '≈ 1.1 s (no interval yet)', '1 s (no interval yet), 9 loads', 'error not known'],
    ]);
    expect(pages?.caption).toContain(english('models.held.summary', { count: 4, held: 1, missed: 1, open: 2 }));
  });
});
