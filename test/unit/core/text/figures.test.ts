import { describe, expect, it } from 'vitest';
import { counted, formatRange, formatSpeed, percent, signedPercent, speedComparison } from '../../../../src/core/text/figures.ts';

describe('plain words', () => {
  it.each([
    [0.24, '24 %'],
    [0.0312, '3.1 %'],
    [0.03, '3 %'],
    [0.0996, '10 %'],
    [1.5, '150 %'],
    [0, '0 %'],
  ])('writes %d as %s', (share, text) => {
    expect(percent(share)).toBe(text);
  });

  it('signs changes, but not no change', () => {
    expect([signedPercent(0.24), signedPercent(-0.031), signedPercent(0.0001), signedPercent(-0.0001)]).toEqual([
      '+24 %',
      '−3.1 %',
      '0 %',
      '0 %',
    ]);
    expect(formatRange(0.94, 1.15)).toBe('−6 % to +15 %');
    expect(formatRange(0.5, 12)).toBe('−50 % to 12 times as fast');
    expect(formatRange(0.0001, 3805)).toBe('not bounded yet');
    expect(formatRange(0.2, 182.67)).toBe('−80 % to 183 times as fast');
  });

  it('compares', () => {
    expect(formatSpeed(1.24)).toBe('24 % faster');
    expect(speedComparison(0.7, 'c6-d1')).toBe('30 % slower than c6-d1');
    expect(speedComparison(1.0001, 'c6-d1')).toBe('as fast as c6-d1');
  });

  it('counts', () => {
    expect([counted(1, 'load'), counted(2, 'load'), counted(0, 'load')]).toEqual(['1 load', '2 loads', '0 loads']);
  });
});
