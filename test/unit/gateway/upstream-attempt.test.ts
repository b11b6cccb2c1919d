import { expect, it } from 'vitest';
import { DISCARD_LIMIT_BYTES, whenAbandoned } from '../../../src/gateway/upstream-attempt.ts';

const begun = { othersOutstanding: 2, begun: true, remainingBytes: 100, discardedBytes: 0 };

it.each([
  ['nobody else waits', { othersOutstanding: 0 }, 'close'],
  ['its head has not come', { begun: false, remainingBytes: undefined }, 'discard'],
  ['little is to come', {}, 'discard'],
  ['just the limit is to come', { remainingBytes: DISCARD_LIMIT_BYTES }, 'discard'],
  ['more is to come', { remainingBytes: DISCARD_LIMIT_BYTES + 1 }, 'close'],
  ['nobody knows how much is to come', { remainingBytes: undefined }, 'discard'],
  ['nobody knows, and it has been much', { remainingBytes: undefined, discardedBytes: DISCARD_LIMIT_BYTES + 1 }, 'close'],
] as const)('when %s', (_when, response, decision) => {
  expect(whenAbandoned({ ...begun, ...response })).toBe(decision);
});
