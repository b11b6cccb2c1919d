import { expect, test } from 'vitest';
import { type CostFigures, type CostOver, duplicateCostText } from '../../../../src/core/measure/duplicate-cost-text.ts';

const FIGURES: CostFigures = {
  duration: (ms) => `${ms} ms`,
  size: (bytes) => `${bytes} B`,
  count: (value, { one, many }) => `${value} ${value === 1 ? one : many}`,
};

test.each<[string, Parameters<typeof duplicateCostText>[0], readonly CostOver[], string]>([
  [
    'several, over two networks, the page itself among them',
    { requests: 3, roundTrips: 3, emptySources: 1, bytes: 500 },
    [
      { where: 'here', ms: 240 },
      { where: 'there', ms: 80 },
    ],
    '3 requests fetched something the page had already fetched: 500 B, 3 round trips, about 240 ms here, 80 ms there; less where they ran beside others. 1 of them fetched the page itself again, for an empty src.',
  ],
  [
    'one, of unknown size',
    { requests: 1, roundTrips: 1, emptySources: 0, bytes: undefined },
    [],
    '1 request fetched something the page had already fetched: of unknown size, 1 round trip.',
  ],
  [
    'a network of which the time is not known is not named',
    { requests: 2, roundTrips: 2, emptySources: 0, bytes: 0 },
    [
      { where: 'here', ms: undefined },
      { where: 'there', ms: 80 },
    ],
    '2 requests fetched something the page had already fetched: 0 B, 2 round trips, about 80 ms there; less where they ran beside others.',
  ],
])('says what duplicates cost: %s', (_, cost, over, expected) => {
  expect(duplicateCostText(cost, over, { figures: FIGURES })).toBe(expected);
});
