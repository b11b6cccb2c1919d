import { expect, it } from 'vitest';
import { headersOf } from '../../../src/core/har/headers.ts';

it('reads headers by their names, of several the last, and how long their lines are', () => {
  const { byName, textLength } = headersOf([
    { name: 'Via', value: 'one' },
    { name: 'vIA', value: 'three' },
    { name: 'Empty', value: '' },
    { name: 'None' },
  ]);
  expect([...byName]).toEqual([
    ['via', 'three'],
    ['empty', ''],
    ['none', ''],
  ]);
  // 3 + 3, 3 + 5, 5 and 4 characters, and 4 more for each line.
  expect(textLength).toBe(6 + 8 + 5 + 4 + 4 * 4);
});

it('leaves out what has no name, and reads none out of anything else', () => {
  for (const value of [undefined, null, 'Via: one', {}, [], [null, 7, 'x', { value: 'one' }, { name: '', value: 'one' }, { name: 7 }]]) {
    expect(headersOf(value)).toEqual({ byName: new Map(), textLength: 0 });
  }
});
