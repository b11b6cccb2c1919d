import { expect, it } from 'vitest';
import { MAX_CURIOUS, shortlist } from '../../../../src/core/search/shortlist.ts';

it('leaves out no value that was asked for by name, and draws two of others', () => {
  const curious = [{ preference: 'network.http.http3.recvBufferSize', values: [1, 2, 3, 4, 5, 6, 7, 8, 9] }];
  expect(shortlist({ screened: [] }, { curious, allCurious: true, seed: 1 })).toHaveLength(9);
  expect(shortlist({ screened: [] }, { curious, allCurious: false, seed: 1 })).toHaveLength(MAX_CURIOUS);
});
