/** The card in words: numbers with their unit, interval and number of loads, and `predicted` where it is. */
import { describe, expect, it } from 'vitest';
import type { CardState } from '../../../src/core/answer/card.ts';
import { gainedUnder } from '../../../src/popup/card-input.ts';
import { cardView } from '../../../src/popup/card-view.ts';
import { baseline, comparison, measures, NOW, plain, profile, versus } from '../controls/sample-state.ts';

const view = (state: CardState) => plain(cardView(state, { now: NOW, page: { measures, efficiency: 0.46 } }));
const FOUND = { profileId: 'c12-d1', carrier: 'none', change: { gain: 0.42, low: 0.23, high: 0.65 } } as const;

describe('the answer', () => {
  it('proven: gain, interval, loads, and a row beside the own settings of Firefox', () => {
    const { headline, figure, rows, zero, button } = view({ kind: 'confirmed', found: FOUND, loads: 40 });
    expect(headline).toBe('12 connections are faster here.');
    expect(figure).toEqual({ value: '+42 %', label: '+23 % to +65 %, proven on 40 new page loads against Firefox’s own settings.' });
    // The scale runs from -10 % to +65 %: 0 is at 10 / 75, 23 at 33 / 75.
    expect(zero).toBeCloseTo(10 / 75, 10);
    expect(rows[0]).toMatchObject({ label: '12 connections', isAhead: true, to: 1 });
    expect(rows[0]?.from).toBeCloseTo(33 / 75, 10);
    expect(rows.at(-1)).toMatchObject({ value: 'baseline', at: zero });
    expect(button).toEqual({ action: 'apply', label: 'Apply', isPrimary: true });
  });

  it('predicted: says so, and how long a proof takes', () => {
    const { figure, rows, button } = view({
      kind: 'predicted',
      profileId: 'c16-d1',
      change: { gain: 0.09, low: 0.04, high: 0.14 },
      pages: 38,
      rows: [{ profileId: 'c16-d1', change: { gain: 0.09, low: 0.04, high: 0.14 } }],
      proof: { state: 'days', days: 12, loads: 246 },
    });
    expect(figure?.value).toBe('≈ +9 %');
    expect(figure?.label).toContain('predicted for 38 recent pages: +4 % to +14 %');
    expect(rows[0]?.spoken).toBe(', +4 % to +14 %, predicted');
    expect(button.label).toBe('Prove it: about 12 days');
  });

  it('looks best so far without an interval: no figure is made up', () => {
    const leader = { ...FOUND, change: { gain: 0, low: undefined, high: undefined } };
    const common = { candidates: ['c12-d1'], rows: [], each: 0, planned: 256, daysLeft: 6 };
    expect(view({ kind: 'leading', leader, ...common })).not.toHaveProperty('figure');
  });
});

describe('applied', () => {
  const applied = { profileId: 'c12-d1', by: 'live', since: NOW - 60_000, waitsForRestart: false, wrong: [], locked: [] } as const;

  it('has a figure where loads under it and before are compared, else none', () => {
    const gained = { change: { gain: 0.38, low: 0.2, high: 0.58 }, loads: 61, before: 80 };
    expect(view({ kind: 'applied', applied: { ...applied, gained } }).figure).toEqual({
      value: '+38 %',
      label: 'faster since then (+20 % to +58 %): 61 page loads, and 80 before. Measured, not by a trial.',
    });
    expect(view({ kind: 'applied', applied })).not.toHaveProperty('figure');
  });

  it('takes it from the comparison of everyday loads, where that has an interval', () => {
    const of = (low: number | undefined) =>
      gainedUnder('c12-d1', {
        ...comparison,
        profiles: [baseline, profile('c12-d1', { loads: 61, versusBaseline: versus({ ratio: 1.38, low, high: 1.58 }) })],
      });
    expect(of(1.2)?.change.low).toBeCloseTo(0.2, 10);
    expect(of(1.2)).toMatchObject({ loads: 61, before: 12 });
    expect(of(undefined)).toBeUndefined();
    expect(gainedUnder('c3-d1', comparison)).toBeUndefined();
  });
});

it('the page in front: time, efficiency as an estimate, and the biggest reason', () => {
  expect(view({ kind: 'fresh', loads: 3, enough: 20 }).page).toEqual({
    time: '3.4 s',
    detail: 'this page · 46 % of the best possible here (estimated) · waiting for a free connection: up to 900 ms',
  });
  expect(plain(cardView({ kind: 'no-permission' }, { now: NOW, page: undefined })).page).toEqual({
    time: '–',
    detail: 'this page · not recorded',
  });
});
