import { expect, it } from 'vitest';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { measuredAs } from '../../../../src/lab/witness/measure-witness.ts';

const isMore = ([first, second]: readonly number[]) => (second ?? 0) > (first ?? 0);
const inTurn = (outcomes: readonly (readonly number[] | Error)[]) => {
  const left = [...outcomes];
  return async () => {
    const next = left.shift() ?? expect.fail('measured once too often');
    if (next instanceof Error) throw next;
    return next;
  };
};
const ended = () => new PlumbfoxError('run-void', 'the page: not within 20 s');

it.each([
  { what: 'as expected at once', outcomes: [[1, 2]], isAsExpected: true, times: 1 },
  {
    what: 'two of three',
    outcomes: [
      [2, 2],
      [1, 2],
      [1, 2],
    ],
    isAsExpected: true,
    times: 3,
  },
  {
    what: 'not twice',
    outcomes: [
      [2, 2],
      [2, 2],
    ],
    isAsExpected: false,
    times: 2,
  },
  {
    what: 'one of three',
    outcomes: [
      [2, 2],
      [1, 2],
      [2, 2],
    ],
    isAsExpected: false,
    times: 3,
  },
  { what: 'no end twice', outcomes: [ended(), ended(), [1, 2]], isAsExpected: true, times: 1 },
])('$what', async ({ outcomes, isAsExpected, times }) => {
  const result = await measuredAs(inTurn(outcomes), isMore);
  expect([result.isAsExpected, result.measured.length]).toEqual([isAsExpected, times]);
});

it('a third run without end is thrown, and any other error at once', async () => {
  await expect(measuredAs(inTurn([ended(), ended(), ended()]), isMore)).rejects.toMatchObject({ kind: 'run-void' });
  await expect(measuredAs(inTurn([new Error('other')]), isMore)).rejects.toThrow('other');
});
