import { describe, expect, it } from 'vitest';
import { loadColumns } from '../../../../src/core/compare/adjusted-fit.ts';
import type { ComparableLoad } from '../../../../src/core/compare/comparison.ts';
import { pagePenalty } from '../../../../src/core/compare/page-penalty.ts';
import { seededRandom } from '../../../../src/core/random.ts';
import { gaussian } from './simulated-run.ts';

const PAGES = 40;
const BLOCKS = 100;
const PER_BLOCK = 8;

/** Loads of pages drawn at random; pages differ by `spread`, loads by 0.3. */
function columnsOf(spread: number, { profile = (at: number) => `p${at % 2}`, blocks = BLOCKS, links = 2 } = {}) {
  const random = seededRandom(3);
  const pages = Array.from({ length: PAGES }, () => spread * gaussian(random));
  const loads = Array.from({ length: blocks * PER_BLOCK }, (_, at): ComparableLoad => {
    const page = random.integer(PAGES);
    const efficiency = Math.exp((pages[page] ?? 0) + 0.3 * gaussian(random));
    return {
      profileId: profile(at),
      page: `page-${page}`,
      link: `l-${at % links}`,
      block: Math.floor(at / PER_BLOCK),
      valid: true,
      efficiency,
      loadTimeMs: 1,
    };
  });
  return loadColumns(loads, ['p0', 'p1']);
}

describe('pagePenalty', () => {
  it('is the variance of noise over that of pages, which are the same over every link', () => {
    // 0.3^2 / 0.6^2; 40 pages have their variance to a standard error of 23 %.
    const { page, scenario } = pagePenalty(columnsOf(0.6));
    expect(page).toBeGreaterThan(0.25 / 1.7);
    expect(page).toBeLessThan(0.25 * 1.7);
    expect(scenario).toBeGreaterThan(5);
  });

  it('is large where pages do not differ', () => {
    expect(pagePenalty(columnsOf(0)).page).toBeGreaterThan(10);
  });

  it('does not know which load is of which profile', () => {
    expect(pagePenalty(columnsOf(0.6, { profile: (at) => `p${Math.floor(at / 3) % 2}` }))).toEqual(pagePenalty(columnsOf(0.6)));
  });

  it('is the expected one where there are too few loads to know', () => {
    // (0.35 / 0.5)^2.
    expect(pagePenalty(columnsOf(0.6, { blocks: 4 })).page).toBeCloseTo(0.49, 12);
  });
});
