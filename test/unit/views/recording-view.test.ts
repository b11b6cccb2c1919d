import { describe, expect, it } from 'vitest';
import { recordLossText } from '../../../src/views/recording-view.ts';
import { format } from '../../../src/views/text.ts';

const NOW = 1_800_000_000_000;
const at = (hour: number) => NOW - (24 - hour) * 3_600_000;
const loss = (...standstills: readonly (readonly [number, number])[]) =>
  recordLossText({ standstills: standstills.map(([from, until]) => ({ from: at(from), until: at(until) })) }, NOW);
const clock = (hour: number) => format.clock(at(hour), NOW);
const span = (from: number, until: number) => `from ${clock(from)} until ${clock(until)}`;

describe('what was not recorded', () => {
  it('is said from when until when, each time by itself', () => {
    const why = 'were not recorded: Firefox had stopped Plumbfox, whose process kept crashing.';
    expect(loss([1, 2])).toBe(`Pages opened ${span(1, 2)} ${why}`);
    expect(loss([1, 2], [5, 6])).toBe(`Pages opened ${span(1, 2)} and ${span(5, 6)} ${why}`);
    expect(loss([1, 2], [3, 4], [5, 6])).toBe(`Pages opened ${span(1, 2)}, ${span(3, 4)}, and ${span(5, 6)} ${why}`);
    expect(loss([1, 2], [3, 4], [5, 6], [7, 8], [9, 9])).toBe(
      `Pages opened ${span(5, 6)}, ${span(7, 8)}, and ${span(9, 9)} ${why} This happened 2\u00a0times before, first from ${clock(1)}.`,
    );
  });

  it('is nothing where there is none', () => {
    expect(loss()).toBeUndefined();
    expect(recordLossText({}, NOW)).toBeUndefined();
  });
});
