import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pointInTime } from '../../../src/core/har/time.ts';

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
