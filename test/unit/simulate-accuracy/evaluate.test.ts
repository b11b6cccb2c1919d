import { describe, expect, it } from 'vitest';
import { accuracyJson, accuracyText } from '../../accuracy/harness/accuracy-table.ts';
import { evaluate, type Predictor } from '../../accuracy/harness/evaluate.ts';
import { modelErrorSource } from '../../accuracy/harness/model-error-source.ts';
import { withResults } from '../../accuracy/harness/results-table.ts';
import { MEASURED } from './measured-corpus.ts';

/** 10 % too slow for two profiles, 20 % too fast for the third, which stays the slowest. */
const predictor: Predictor = () =>
  new Map([
    ['firefox-default', 1100],
    ['c1-d2', 1600],
    ['c4-d6', 550],
  ]);
const same: Predictor = ({ profiles }) => new Map(profiles.map(({ profileId }) => [profileId, 900]));
const halves = evaluate(MEASURED, { predictor, others: new Map([['Other', same]]) });
const rowsOf = (half: string) => halves.find((each) => each.half === half)?.predictors ?? [];

describe('an evaluation', () => {
  it('scores each half by itself, against the median of the loads', () => {
    expect(halves.map(({ half, loads, scenarios }) => [half, loads, scenarios.map(({ name }) => name)])).toEqual([
      ['calibration', 12, ['a/1', 'b/2']],
      ['reporting', 12, ['a/2', 'b/1']],
    ]);
    const [all] = rowsOf('reporting');
    // Sizes .1 .1 .1 .1 .2 .2: p50 .1, p90 at place 4.5. Bias (.1 + .1 - .2) / 3.
    expect(all).toMatchObject({ what: 'Plumbfox', score: { scenarios: 2, pairs: 6, spearman: 1, kendall: 1, bestFound: 1 } });
    expect(all?.score.errorP50).toBeCloseTo(0.1, 12);
    expect(all?.score.errorP90).toBeCloseTo(0.2, 12);
    expect(all?.score.bias).toBeCloseTo(0, 12);
  });

  it('has what it is compared with beside it', () => {
    const rows = rowsOf('calibration');
    expect(rows.map(({ what }) => what)).toEqual([
      'Plumbfox',
      'Plumbfox, firefox-default only',
      'one real load',
      'one real load, firefox-default only',
      'Other',
      'Other, firefox-default only',
    ]);
    const score = (what: string) => rows.find((row) => row.what === what)?.score;
    // 990 for 1010 and the other way round, 2000 for 2000, 490 for 510: four turns of three profiles each.
    expect(score('one real load')?.pairs).toBe(12);
    expect(score('one real load, firefox-default only')?.errorP50).toBeCloseTo((20 / 1010 + 20 / 990) / 2, 12);
    // One figure for all: no order, and one profile in three is the best.
    expect(score('Other')).toMatchObject({ spearman: 0 });
    expect(score('Other')?.bestFound).toBeCloseTo(1 / 3, 12);
    expect(score('Other, firefox-default only')?.errorP50).toBeCloseTo(0.1, 12);
  });

  it('is a table, with as many of the worst scenarios as asked for', () => {
    const text = accuracyText(halves, { worst: 1 });
    expect(text).toMatch(/Plumbfox +6 +10\.0 % +20\.0 % +20\.0 % +[−+]0\.0 % +1\.000 +1\.000 +100\.0 %/);
    expect(text).toMatch(/Other, firefox-default only +2 +10\.0 %.*–/);
    expect(text).toMatch(/\n(a\/\d|b\/\d) .*firefox-default \+10\.0 %, c1-d2 −20\.0 %, c4-d6 \+10\.0 %/);
    expect(text.match(/c1-d2 −20\.0 %/g)).toHaveLength(1);
    expect(accuracyText(halves, { worst: 0 })).not.toContain('Largest errors');
  });

  it('is JSON that leaves nothing out', () => {
    const json = JSON.parse(JSON.stringify(accuracyJson(halves, ['worse'])));
    expect(json.worse).toEqual(['worse']);
    expect(json.halves[1].predictors[5]).toMatchObject({ what: 'Other, firefox-default only', spearman: null });
  });
});

describe('the table of the documentation', () => {
  const marks = ['Before\n\n<!-- accuracy: begin -->', '<!-- accuracy: end -->\n\nafter\n'] as const;

  it('takes the place of what was between its marks, with the rows of the reporting half', () => {
    const written = withResults(`${marks[0]}\n\nold\n\n${marks[1]}`, halves);
    expect(written.startsWith(`${marks[0]}\n\n| predicted by |`)).toBe(true);
    expect(written.endsWith(`|\n\n${marks[1]}`)).toBe(true);
    expect(written).not.toContain('old');
    expect(written).toContain('\n| Plumbfox | 6 | 10.0 % | 20.0 % | 20.0 % | ');
    expect(written).toContain('\n| Other, firefox-default only | 2 | 10.0 % | 10.0 % | 10.0 % | −10.0 % | – | – | – |');
    expect(withResults(written, halves)).toBe(written);
  });

  it('needs its marks', () => {
    expect(() => withResults('nothing', halves)).toThrow(/lacks the marks/);
    expect(() => withResults(`${marks[1]}${marks[0]}`, halves)).toThrow(/lacks the marks/);
  });
});

describe('the model’s error as source', () => {
  const source =
    "/** Why. */\nexport interface ModelError {}\n\nexport const ERROR_BASIS = '';\n\n/** What. */\nexport const REGIME_ERRORS: readonly RegimeError[] = [];\n";
  const figures = { pairs: 12, errorP50: 0.1, errorP90: 0.2, below: 0.15, above: 0.05 };
  const found = {
    regimes: [{ carriage: 'gateway', loss: 'none', loadTime: figures, ratio: { ...figures, pairs: 9, held: 0.9 } }],
    basis: '12 loads',
  } as const;

  it('has the figures that were found and what they rest on', () => {
    const written = modelErrorSource(source, found);
    expect(written).toContain("export const ERROR_BASIS = '12 loads';\n");
    expect(written).toContain(`= [
  {
    carriage: 'gateway',
    loss: 'none',
    loadTime: { pairs: 12, errorP50: 0.1, errorP90: 0.2, below: 0.15, above: 0.05 },
    ratio: { pairs: 9, errorP50: 0.1, errorP90: 0.2, below: 0.15, above: 0.05, held: 0.9 },
  },
];
`);
    expect(modelErrorSource(written, found)).toBe(written);
  });

  it('is refused where there is nothing to write, or to write it into', () => {
    expect(() => modelErrorSource('nothing', found)).toThrow(/has no REGIME_ERRORS/);
    expect(() => modelErrorSource(source, { ...found, regimes: [] })).toThrow(/no figures/);
  });
});
