import { describe, expect, it } from 'vitest';
import { rankScenarios } from '../../../../src/core/compare/rank-scenarios.ts';
import { rankingSection } from '../../../../src/core/report/html/tables.ts';
import { rankingTable } from '../../../../src/core/report/ranking-table.ts';
import { markupText } from '../../../../src/core/text/markup.ts';

const profiles = [
  { id: 'firefox-default', role: 'baseline', carrier: 'none', depth: 1 },
  { id: 'c4-d6', role: 'candidate', carrier: 'gateway', connections: 4, depth: 6 },
  { id: 'c5-d6', role: 'candidate', carrier: 'gateway', connections: 5, depth: 6 },
] as const;

const ranking = (figures: readonly (readonly [number, number, number | undefined])[]) =>
  rankScenarios(
    figures.map((row) => ({ profiles: profiles.map(({ id }, at) => ({ id, efficiencyMedian: row[at] })) })),
    { baseline: 'firefox-default', profiles },
  );

// Spread: .2 and .22; baseline: mean .45; best: mean .66.
const SAMPLE = ranking([
  [0.5, 0.69, 0.7],
  [0.4, 0.62, 0.61],
]);

describe('the ranking in the terminal', () => {
  it('names firsts, places in the top quartile and lasts, and picks nobody', () => {
    expect(rankingTable(SAMPLE, { width: 120 }).split('\n')).toEqual([
      'profile          firsts  top quartile  lasts',
      '───────────────  ──────  ────────────  ─────',
      'c4-d6                 1             1      0',
      'c5-d6                 1             1      0',
      'firefox-default       0             0      2',
      '',
      'Places by median efficiency in 2 scenarios (one page over one link), with 2 top-quartile slots in all. Best and worst',
      'are 21 percentage points apart on average; the best of each, chosen after the fact, gains 47 % over firefox-default.',
      'Places describe; only the verdicts recommend.',
    ]);
  });

  it('has a mean efficiency only where no verdicts stand beside it: theirs is another mean', () => {
    const lines = rankingTable(SAMPLE, { width: 120, verdicts: false }).split('\n');
    expect(lines[0]).toMatch(/mean efficiency$/);
    expect(lines[2]).toBe('c4-d6                 1             1      0            0.655');
    expect(lines.join(' ')).toContain('over firefox-default (0.450).');
  });

  it.each([120, 60, 44, 32])('fits into %i columns', (width) => {
    const lines = rankingTable(SAMPLE, { width }).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    expect(lines[0]).toMatch(/^profile .*(lasts|last)\b/);
  });

  it('says where a profile has no place', () => {
    const text = rankingTable(
      ranking([
        [0.5, 0.69, undefined],
        [0.4, 0.62, 0.61],
      ]),
    );
    expect(text).toMatch(/^c5-d6 .* 1 of 2$/m);
    expect(text).toMatch(/^c4-d6 .* 2 of 2$/m);
  });

  it('lets no name steer the terminal', () => {
    const codes = '\u001b';
    const named = { ...SAMPLE, profiles: SAMPLE.profiles.map((ranks) => ({ ...ranks, id: `${codes}[31m` })), baseline: `${codes}[2J` };
    expect(rankingTable(named)).not.toContain(codes);
  });
});

describe('the ranking in the HTML report', () => {
  it('holds the same', () => {
    const section = markupText(
      rankingSection(SAMPLE) ??
        (() => {
          throw new Error('a section');
        })(),
    );
    expect(section).toContain('<small>c4-d6</small></th><td data-h="Firsts">1</td><td data-h="Top quartile">1</td>');
    expect(section).toContain('2 top-quartile slots in all');
  });

  it('has a column for the scenarios only where a profile has no place in one', () => {
    const incomplete = rankingSection(
      ranking([
        [0.5, 0.69, undefined],
        [0.4, 0.62, 0.61],
      ]),
    );
    expect(incomplete && markupText(incomplete)).toContain('<td data-h="Ranked in">1 of 2</td>');
    const complete = rankingSection(SAMPLE);
    expect(complete && markupText(complete)).not.toContain('Ranked in');
  });

  it('is left out where nothing was ranked', () => {
    expect(rankingSection(ranking([]))).toBeUndefined();
  });
});
