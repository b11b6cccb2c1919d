import { expect, it } from 'vitest';
import { recommendingAsSearched } from '../../../../src/core/report/recommend-as-searched.ts';
import type { SearchAnswer, SearchRecord } from '../../../../src/core/search/search-record.ts';
import { sampleReport } from '../../../golden/sample-report.ts';

/** By its loads alone it recommends c4-d6, and c8-d1 by settings alone. */
const sample = sampleReport({ eightEfficiency: 0.55 });
const proof = { profileId: 'c8-d1', settings: {}, verdict: 'better', pairs: 3, blocks: 3 } as const;
const searched = (answer: SearchAnswer) => {
  const search: SearchRecord = {
    answer,
    sentences: ['One.', 'Two.'],
    screening: { combinations: 1, simulatedLoads: 0, supported: 0, possible: 0, knobs: [], outOfReach: [], shortlist: [] },
    steps: [],
    tookS: 1,
  };
  return recommendingAsSearched({ ...sample, search }).comparison.recommendation;
};

it.each([
  [{ state: 'nothing-beats', because: 'none-ahead' }, 'keep-baseline', 'firefox-default'],
  [{ state: 'interrupted' }, 'need-more-loads', null],
  [{ state: 'undecided', closest: proof }, 'need-more-loads', null],
  [{ state: 'no-verdict', reason: 'No.' }, 'none', null],
  [{ state: 'faster', best: proof, cheapest: proof, contributions: [] }, 'recommended', 'c8-d1'],
] as const)('recommends what the search answers: %o', (answer, state, profileId) => {
  expect(sample.comparison.recommendation).toMatchObject({ state: 'recommended', settingsAlone: { state: 'recommended' } });
  const named = { state, profileId, sentence: 'One. Two.' };
  expect(searched(answer)).toEqual({ ...named, settingsAlone: named });
});

it('leaves a report without a search as it is', () => {
  expect(recommendingAsSearched(sample)).toBe(sample);
});
