import { expect, it } from 'vitest';
import { bytesOf, durationOf, fieldsOf, listOf, numberOf, textOf } from '../../../src/core/har/fields.ts';
import { MOST_BYTES } from '../../../src/core/simulate/check-page.ts';

it('reads the members of an object, and of nothing else', () => {
  expect(fieldsOf({ a: 1 })).toEqual({ a: 1 });
  for (const value of [null, undefined, 'text', 5, [1], () => 1]) expect(fieldsOf(value)).toStrictEqual({});
});

it('reads lists and texts', () => {
  const holed: unknown[] = [1];
  holed[2] = 2;
  expect(listOf(holed)).toStrictEqual([1, undefined, 2]);
  expect(listOf({ length: 1 })).toEqual([]);
  expect(['a', '', 5].map(textOf)).toEqual(['a', undefined, undefined]);
});

it.each<readonly [unknown, number | undefined]>([
  [5, 5],
  [-1.5, -1.5],
  ['5', 5],
  [' -1.5 ', -1.5],
  ['+2e3', 2000],
  ['2E-1', 0.2],
  ['1.25e12', 1.25e12],
  ['5e-324', 5e-324],
  ['1'.padEnd(40), 1],
  ['1'.padEnd(41), undefined],
  ...['', ' ', '.5', '5.', '0x10', '1e1000', '1e1234', '5 5', 'x5', '5x', 'Infinity'].map((text) => [text, undefined] as const),
  ...[Number.NaN, Number.POSITIVE_INFINITY, null, undefined, [5], true].map((value) => [value, undefined] as const),
])('the number %j is %j', (value, expected) => {
  expect(numberOf(value)).toBe(expected);
});

it('takes no duration below 0, nor above two minutes', () => {
  expect([0, '3.5', 120_000, 120_001, -1, 'x'].map(durationOf)).toEqual([0, 3.5, 120_000, undefined, undefined, undefined]);
});

it('takes bytes that a page can have, whole', () => {
  expect([0, '3.5', 2.4, MOST_BYTES, MOST_BYTES + 1, -1, 'x'].map(bytesOf)).toEqual([0, 4, 2, MOST_BYTES, undefined, undefined, undefined]);
});
