import { describe, expect, it } from 'vitest';
import { badgeShare, badgeTime, USUAL_UNITS } from '../../../../src/core/text/number-format.ts';
import { format, useUnits } from '../../../../src/views/text.ts';
import { plain } from '../../controls/sample-state.ts';

const figures = format;

describe('figures', () => {
  it.each([
    [0, '0 ms'],
    [4.26, '4.3 ms'],
    [320.4, '320 ms'],
    [999.4, '999 ms'],
    [999.6, '1 s'], // not "1000 ms"
    [3_424, '3.42 s'],
    [12_345, '12.3 s'],
    [123_456, '123 s'],
  ])('writes a duration of %d ms', (ms, words) => expect(plain(figures.duration(ms))).toBe(words));

  it.each([
    [0.463, '46 %'],
    [1, '100 %'],
    [0.0463, '4.6 %'],
    [0.0996, '10 %'],
  ])('writes %d as a percentage', (share, words) => expect(plain(figures.percent(share))).toBe(words));

  it.each([
    [0, '0 %'],
    [0.004, 'under 1 %'],
    [0.8, '80 %'],
    [0.996, 'over 99 %'],
    [1, '100 %'],
  ])('writes %d as a share and rounds no remainder away', (share, words) => expect(plain(figures.share(share))).toBe(words));

  it.each([
    [1.18, '+18 %'],
    // As a sentence writes it: the same prediction was +1.6 % on one page and +2 % on another.
    [1.016, '+1.6 %'],
    [0.9, '−10 %'],
    [1, '0 %'],
    [1.0004, '0 %'],
    [0.9996, '0 %'], // no "−0 %"
  ])('writes the ratio %d as a change', (ratio, words) => expect(plain(figures.change(ratio))).toBe(words));

  it.each([
    [0, '0 B'],
    [999.6, '1 kB'],
    [312_000, '312 kB'],
    [999_600, '1 MB'],
    [1_456_000, '1.46 MB'],
  ])('writes %d bytes', (size, words) => expect(plain(figures.size(size))).toBe(words));

  it.each([
    [384, '384 kbit/s'],
    [2_000, '2 Mbit/s'],
    [10_400, '10.4 Mbit/s'],
  ])('writes %d kbit/s', (rate, words) => expect(plain(figures.rate(rate))).toBe(words));

  it('are in the units that the person has chosen, until others are', () => {
    const written = (ms: readonly number[], kbps: readonly number[]) => plain([...ms.map(figures.duration), ...kbps.map(figures.rate)]);
    useUnits({ timeUnit: 'ms', rateUnit: 'byte' });
    // 8 bits are a byte: 384 / 8 = 48, 10,400 / 8 = 1,300.
    expect(written([4.26, 3_424], [384, 10_400])).toEqual(['4.3 ms', '3,424 ms', '48 kB/s', '1.3 MB/s']);
    useUnits({ timeUnit: 's', rateUnit: 'bit' });
    expect(written([0.6, 4.26, 320.4, 12_345], [384])).toEqual(['0.001 s', '0.004 s', '0.32 s', '12.3 s', '384 kbit/s']);
    useUnits(USUAL_UNITS);
    expect(written([320.4, 3_424], [384])).toEqual(['320 ms', '3.42 s', '384 kbit/s']);
  });

  it.each([
    [-5_000, 'just now'],
    [59_999, 'just now'],
    [60_000, '1 minute ago'],
    [3_600_000, '1 hour ago'],
    [172_800_000, '2 days ago'],
  ])('writes an age of %d ms', (age, words) => expect(figures.age(age)).toBe(words));

  it('chooses the word for one and for many', () => {
    const words = { one: 'load', many: 'loads' };
    expect(plain([0, 1, 1_234].map((value) => figures.count(value, words)))).toEqual(['0 loads', '1 load', '1,234 loads']);
  });
});

it.each([
  [40, '0.0'],
  [1_260, '1.3'],
  [9_940, '9.9'],
  [9_960, '10'],
  [59_700, '60'],
])('%d ms on the badge is %s', (ms, text) => {
  expect(badgeTime(ms, 'en')).toBe(text);
});

it('figures on the badge are written as the locale does', () => {
  expect(badgeTime(1_260, 'de')).toBe('1,3');
  expect(badgeShare(0.514, 'en')).toBe('51');
});
