/** A load that is 2 spreads off costs 2 (half the square), 4.5 at the most; a change of network costs 5. */
import { expect, it } from 'vitest';
import { type LoadCost, newCluster, update } from '../../../../../src/core/measure/links/cluster.ts';
import { viterbiPath } from '../../../../../src/core/measure/links/viterbi-path.ts';

const load = (rtt: number | undefined, { site = 1, rate }: { site?: number; rate?: number } = {}): LoadCost => ({
  site,
  cost: [rtt, rate],
  leastRtt: undefined,
});
const network = (...loads: readonly LoadCost[]) => {
  const cluster = newCluster(0);
  for (const one of loads) update(cluster, one);
  return cluster;
};
const times = (count: number, one: LoadCost) => Array.from({ length: count }, () => one);

/** 2 spreads apart by the round trip. */
const [near, far] = [load(4), load(4.5)];
const path = (...loads: readonly LoadCost[]) => [...viterbiPath([network(near), network(far)], loads)].join('');

it('changes when staying costs more than the change', () => {
  // Up to 2 loads of 2 against one change; 4 against a change and back.
  expect(path(...times(6, near), ...times(2, far))).toBe('00000000');
  expect(path(...times(6, near), ...times(3, far))).toBe('000000111');
  expect(path(...times(6, near), ...times(4, far), ...times(6, near))).toBe('0000000000000000');
  expect(path(...times(6, near), ...times(6, far), ...times(6, near))).toBe('000000111111000000');
});

it('looks back: what comes later tells of what was before', () => {
  expect(path(...times(2, near), ...times(6, far))).toBe('11111111');
  expect(path(...times(3, near), ...times(6, far))).toBe('000111111');
});

it('lets no load count for more than 4.5, by each figure', () => {
  const other = load(9, { rate: -1 });
  const both = network(load(4, { rate: -9 }));
  const of = (...loads: readonly LoadCost[]) => [...viterbiPath([both, network(other)], loads)].join('');
  // One figure: 4.5 against 5. Both: 9 against 5, but not against 10.
  expect(of(...times(4, load(4)), load(9))).toBe('00000');
  expect(of(...times(4, load(4)), other)).toBe('00001');
  expect(of(...times(4, load(4, { rate: -9 })), other, ...times(4, load(4, { rate: -9 })))).toBe('000000000');
});

it('takes a site that is new to a network for 1, and as soon no change', () => {
  const [known, stranger] = [network(load(4)), network(load(4, { site: 2 }))];
  const of = (count: number) => [...viterbiPath([known, stranger], [...times(count, load(4, { site: 2 })), ...times(9, load(4))])].join('');
  expect(of(5)).toBe('00000000000000');
  expect(of(6)).toBe('111111000000000');
});

it('passes over loads that tell nothing, and takes the older of two that fit as well', () => {
  expect(path(far, load(undefined), far)).toBe('1-11');
  expect(path(load(4, { site: 9 }), load(undefined), load(4.5, { site: 9 }))).toBe('0-10');
  expect(path()).toBe('');
});
