import { describe, expect, it } from 'vitest';
import { CORPUS_SCENARIOS } from '../../accuracy/corpus/capture-plan.ts';
import { type Half, halvesOf } from '../../accuracy/harness/halves.ts';

const named = (page: string, link: string) => ({ name: `${page}/${link}`, page, link });

describe('the two halves', () => {
  it('are dealt out by name', () => {
    // Page a: links 1, 2, 3 in turn from calibration; page b: links 2, 3 from reporting.
    const halves = halvesOf([named('b', '3'), named('a', '2'), named('a', '1'), named('b', '2'), named('a', '3')]);
    expect(Object.fromEntries(halves)).toEqual({
      'a/1': 'calibration',
      'a/2': 'reporting',
      'a/3': 'calibration',
      'b/2': 'reporting',
      'b/3': 'calibration',
    });
  });

  it('do not depend on the order of the scenarios', () => {
    const scenarios = CORPUS_SCENARIOS.map(({ page, link }) => named(page, link));
    expect(halvesOf(scenarios.toReversed())).toEqual(new Map([...halvesOf(scenarios)].toReversed()));
  });

  it('both have every page and every link of the corpus, and as many scenarios', () => {
    const halves = halvesOf(CORPUS_SCENARIOS.map(({ page, link }) => named(page, link)));
    const of = (half: Half, member: 'page' | 'link') =>
      CORPUS_SCENARIOS.filter(({ page, link }) => halves.get(`${page}/${link}`) === half).map((scenario) => scenario[member]);
    for (const member of ['page', 'link'] as const) {
      const all = [...new Set(CORPUS_SCENARIOS.map((scenario) => scenario[member]))].sort();
      for (const half of ['calibration', 'reporting'] as const) expect([...new Set(of(half, member))].sort()).toEqual(all);
    }
    expect(of('calibration', 'page').length).toBe(of('reporting', 'page').length);
  });
});
