import { describe, expect, it } from 'vitest';
import { lineEffects } from '../../../../src/core/audit/line-effects.ts';
import { MAX_ARMS, MAX_LINES, screeningDesign } from '../../../../src/core/audit/screening-design.ts';
import type { ComparableLoad } from '../../../../src/core/compare/comparison.ts';
import { seededRandom } from '../../../../src/core/random.ts';

const sign = (isIn: boolean | undefined): number => (isIn ? 1 : -1);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

describe('a design', () => {
  it.each(Array.from({ length: MAX_LINES }, (_, at) => at + 1))('of %i lines is balanced and orthogonal, and begins with none', (lines) => {
    const rows = screeningDesign(lines);
    expect(rows.length).toBeLessThanOrEqual(MAX_ARMS);
    expect(rows[0]?.some(Boolean)).toBe(false);
    expect(new Set(rows.map((row) => row.join())).size).toBe(rows.length);
    for (let a = 0; a < lines; a++) {
      expect(sum(rows.map((row) => sign(row[a])))).toBe(0);
      for (let b = 0; b < a; b++) expect(sum(rows.map((row) => sign(row[a]) * sign(row[b])))).toBe(0);
    }
  });

  it('of up to 7 lines is clear of every effect of two lines together, and holds the whole list', () => {
    for (let lines = 1; lines <= 7; lines++) {
      const rows = screeningDesign(lines);
      expect(rows.some((row) => row.every(Boolean))).toBe(true);
      for (let a = 0; a < lines; a++)
        for (let b = 0; b < lines; b++)
          for (let c = 0; c < b; c++) {
            if (a === b || a === c) continue;
            expect(sum(rows.map((row) => sign(row[a]) * sign(row[b]) * sign(row[c])))).toBe(0);
          }
    }
  });

  it('of more lines than can be timed is refused', () => {
    expect(() => screeningDesign(MAX_LINES + 1)).toThrow(RangeError);
  });
});

/** Loads of a design in which each line multiplies the efficiency by its factor, and every load by chance. */
function loadsOf(
  lines: readonly number[],
  options: { blocks: number; noise: number; seed: number },
): { arms: { id: string; row: readonly boolean[] }[]; loads: ComparableLoad[] } {
  const random = seededRandom(options.seed);
  const arms = screeningDesign(lines.length).map((row, at) => ({ id: `set-${at}`, row }));
  const loads = Array.from({ length: options.blocks }, (_, block) =>
    ['p', 'q'].flatMap((page) =>
      arms.map(({ id, row }): ComparableLoad => {
        const log = sum(lines.map((factor, at) => (row[at] ? Math.log(factor) : 0)));
        const efficiency = 0.5 * Math.exp(log + options.noise * (random.next() - 0.5));
        return { profileId: id, page, link: 'l', block, valid: true, efficiency, loadTimeMs: undefined };
      }),
    ),
  ).flat();
  return { arms, loads };
}

const NAMES = ['a', 'b', 'c', 'd', 'e'];

describe('the effects of lines', () => {
  it('are those that the loads were made with, without chance', () => {
    const { arms, loads } = loadsOf([1.2, 1, 0.9, 1, 1], { blocks: 3, noise: 0, seed: 1 });
    const effects = lineEffects(loads, { arms, lines: NAMES, plannedBlocks: 3 });
    expect(effects.map(({ ratio }) => Number(ratio?.toFixed(6)))).toEqual([1.2, 1, 0.9, 1, 1]);
  });

  it('are found among chance, and nothing else is', () => {
    const { arms, loads } = loadsOf([1.2, 1, 0.85, 1, 1], { blocks: 6, noise: 0.1, seed: 2 });
    const verdicts = lineEffects(loads, { arms, lines: NAMES, plannedBlocks: 6 }).map(({ verdict }) => verdict);
    expect(verdicts[0]).toBe('better');
    expect(verdicts[2]).toBe('worse');
    for (const at of [1, 3, 4]) expect(['no-meaningful-difference', 'need-more-loads']).toContain(verdicts[at]);
  });

  it('are right where a load is missing', () => {
    const { arms, loads } = loadsOf([1.2, 1, 0.9, 1, 1], { blocks: 3, noise: 0, seed: 3 });
    const lost = loads.map((load, at) =>
      at % 20 === 7 ? { ...load, valid: false, lostTo: 'unrelated' as const, efficiency: undefined } : load,
    );
    const effects = lineEffects(lost, { arms, lines: NAMES, plannedBlocks: 3 });
    expect(effects.map(({ ratio }) => Number(ratio?.toFixed(6)))).toEqual([1.2, 1, 0.9, 1, 1]);
  });

  it('have no verdict before the third block', () => {
    const { arms, loads } = loadsOf([2, 1, 1, 1, 1], { blocks: 2, noise: 0.01, seed: 4 });
    expect(lineEffects(loads, { arms, lines: NAMES, plannedBlocks: 3 })[0]?.verdict).toBe('need-more-loads');
  });
});
