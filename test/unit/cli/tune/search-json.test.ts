/** The `search` of `tune --json`. */
import { expect, it } from 'vitest';
import { searchJson } from '../../../../src/cli/tune/search/json.ts';
import type { SearchRecord } from '../../../../src/core/search/search-record.ts';

const screening: SearchRecord['screening'] = {
  combinations: 2,
  simulatedLoads: 40,
  supported: 0,
  possible: 0,
  knobs: [],
  outOfReach: [],
  shortlist: [{ profileId: 'c8-d1', settings: {}, why: 'predicted', predicted: { ratio: 1.1 } }],
};
const record = (answer: SearchRecord['answer']): SearchRecord => ({ answer, sentences: ['Yes.'], screening, steps: [], tookS: 7 });
const proof = { profileId: 'c8-d1', settings: {}, verdict: 'need-more-loads', pairs: 3, blocks: 3 } as const;

it('has every member in every state, null where there is nothing', () => {
  const faster = searchJson(record({ state: 'faster', best: { ...proof, ratio: 1.2 }, cheapest: proof, contributions: [] }));
  const nothing = searchJson(record({ state: 'nothing-beats', because: 'none-ahead' }));
  expect(Object.keys(faster)).toEqual(Object.keys(nothing));
  expect(nothing).toMatchObject({ because: 'none-ahead', best: null, cheapest: null, closest: null, contributions: [] });
  expect(faster).toMatchObject({ because: null, best: { ratio: 1.2, low: null, loadTimeMs: null }, closest: null, tookS: 7 });
  expect(faster.screening.shortlist[0]?.predicted).toEqual({ ratio: 1.1, low: null, high: null });
  expect(searchJson(record({ state: 'undecided', closest: proof })).closest?.profileId).toBe('c8-d1');
  expect(searchJson(record({ state: 'undecided', notMeasured: ['c16-d1'] }))).toMatchObject({ closest: null, notMeasured: ['c16-d1'] });
  expect(nothing).toMatchObject({ highest: null, unseenBelow: null });
  const open = record({ state: 'nothing-beats', because: 'none-ahead', highest: 1.2, unseenBelow: 0.12 });
  expect(searchJson(open)).toMatchObject({ highest: 1.2, unseenBelow: 0.12 });
  expect(JSON.parse(JSON.stringify(faster))).toEqual(faster);
});
