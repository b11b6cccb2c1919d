import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_BYTES } from '../../../../src/core/graph/page-graph.ts';
import {
  type Address,
  addressOf,
  bytesOf,
  durationOf,
  fieldsOf,
  headersOf,
  labelOf,
  listOf,
  numberOf,
  pointInTime,
  resolveAddress,
  schemeOf,
  textOf,
} from '../../../../src/core/har/fields.ts';

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
  expect([0, '3.5', 2.4, MAX_BYTES, MAX_BYTES + 1, -1, 'x'].map(bytesOf)).toEqual([0, 4, 2, MAX_BYTES, undefined, undefined, undefined]);
});

it.each([
  ['1970-01-01T00:00:00Z', 0],
  // 1 d, 3 h, 4 min, 5.678 s.
  ['1970-01-02T03:04:05.678Z', 86_400_000 + 10_800_000 + 240_000 + 5_678],
  ['1970-01-01 00:00:01,5z', 1_500],
  ['1970-01-01T00:02', 120_000],
  ['  1970-01-01T00:00:01  ', 1_000],
  // Zones: what is two and a half hours ahead was there that much earlier.
  ['1970-01-01T02:30:00+02:30', 0],
  ['1970-01-01T02:30+0230', 0],
  ['1970-01-01T02:00 +02', 0],
  ['1969-12-31T21:15:00.000-02:45', 0],
  // Digits beyond nine say nothing.
  ['1970-01-01T00:00:00.1234567891234Z', 123.456789],
  [5, 5],
  [-8.64e15, -8.64e15],
])('reads %j', (value, expected) => {
  expect(pointInTime(value)).toBeCloseTo(expected, 6);
});

it.each([
  ...['1970-00-01T00:00Z', '1970-13-01T00:00Z', '1970-01-00T00:00Z', '1970-01-32T00:00Z', '1970-01-01', '70-01-01T00:00Z', 'now', ''],
  ...['x1970-01-01T00:00Z', '1970-01-01T00:00Zx', '5', 8.65e15, -8.65e15, Number.NaN, undefined, null, {}],
])('refuses %j', (value) => {
  expect(pointInTime(value)).toBeUndefined();
});

it('reads 48 characters and no more', () => {
  const text = '1970-01-01T00:00:01Z';
  expect(pointInTime(text.padEnd(48))).toBe(1_000);
  expect(pointInTime(text.padEnd(49))).toBeUndefined();
});

it('property: is what Date makes of it', () => {
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(1000, 0), max: Date.UTC(9999, 11, 31) }), (at) => {
      expect(pointInTime(new Date(at).toISOString())).toBeCloseTo(at, 1);
    }),
  );
});

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

const known = (text: string): Address => {
  const address = addressOf(text);
  if (address === undefined) throw new Error(text);
  return address;
};

describe('an address', () => {
  it('is scheme, server and path, without who asks, the usual port and the fragment', () => {
    expect(addressOf('HTTP://User:pw@Example.TEST:80/a?b=@#c')).toEqual({
      ...{ url: 'http://example.test/a?b=@', scheme: 'http', origin: 'http://example.test', host: 'example.test' },
    });
  });
  it.each([
    ['https://h.test:443', 'https://h.test/'],
    ['https://h.test:80/', 'https://h.test:80/'],
    ['http://h.test:443/', 'http://h.test:443/'],
    ['http://h.test?x', 'http://h.test/?x'],
    ['http://h.test#x', 'http://h.test/'],
    ['http://h.test\\x', 'http://h.test/\\x'],
    ['http://a@b@h.test/', 'http://h.test/'],
    ['http://[::1]:8080/A', 'http://[::1]:8080/A'],
  ])('%s is %s', (text, url) => {
    expect(addressOf(text)?.url).toBe(url);
  });
  it.each([
    ...[
      '',
      '//h.test/',
      'ftp://h.test/',
      'data:,x',
      'http:h.test',
      'http:/h.test',
      'http://',
      'http://:80/',
      'http://user@/',
      'https://?x',
    ],
    ...[...' \t<>"^`{|}'].map((bad) => `http://a${bad}b/`),
  ])('%j is none', (text) => {
    expect(addressOf(text)).toBeUndefined();
  });
  it('has a scheme of letters first, 31 at most', () => {
    expect(schemeOf('WSS:x')).toBe('wss');
    expect(schemeOf('a1+.-:')).toBe('a1+.-');
    expect(schemeOf(`${'a'.repeat(31)}:`)).toBe('a'.repeat(31));
    for (const text of ['1a:', ':', 'x', ' a:', `${'a'.repeat(32)}:`]) expect(schemeOf(text)).toBeUndefined();
  });
});

it.each([
  ['http://o.test/x#y', 'http://o.test/x'],
  ['//o.test/x', 'https://o.test/x'],
  ['/x?y', 'https://h.test/x?y'],
  ['?z', 'https://h.test/a/b?z'],
  ['x', 'https://h.test/a/x'],
  ['', 'https://h.test/a/'],
  ['mailto:x', undefined],
  ['https://', undefined],
  ['//', undefined],
])('from https://h.test/a/b?c/d, %j leads to %j', (target, expected) => {
  expect(resolveAddress(target, known('https://h.test/a/b?c/d'))).toBe(expected);
});

it.each([
  ['https://h.test/a/b.png?x/y', 'b.png'],
  ['https://h.test/', 'h.test'],
  ['https://h.test:8443/a/', 'h.test8443'],
  ['https://h.test/a;b!c%20~-_', 'abc%20~-_'],
  [`https://h.test/${'x'.repeat(32)}`, 'x'.repeat(32)],
  [`https://h.test/${'x'.repeat(15)}abc${'y'.repeat(15)}`, `${'x'.repeat(15)}..${'y'.repeat(15)}`],
])('%s is called %s', (url, label) => {
  expect(labelOf(known(url))).toBe(label);
});
