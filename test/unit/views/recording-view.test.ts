import { describe, expect, it } from 'vitest';
import type { Figures } from '../../../src/core/text/number-format.ts';
import { recordLossText } from '../../../src/views/recording-view.ts';

const figures = { clock: (at: number) => `${at}:00` } as unknown as Figures;
const text = (...standstills: readonly (readonly [number, number])[]) =>
  recordLossText({ standstills: standstills.map(([from, until]) => ({ from, until })) }, figures, 0);

describe('what was not recorded', () => {
  it('is told of from when until when, each time by itself', () => {
    const why = 'were not recorded: Firefox had stopped Plumbfox, whose process kept ending.';
    expect(text([1, 2])).toBe(`Pages opened from 1:00 until 2:00 ${why}`);
    expect(text([1, 2], [5, 6])).toBe(`Pages opened from 1:00 until 2:00 and from 5:00 until 6:00 ${why}`);
    expect(text([1, 2], [3, 4], [5, 6])).toBe(`Pages opened from 1:00 until 2:00, from 3:00 until 4:00 and from 5:00 until 6:00 ${why}`);
    expect(text([1, 2], [3, 4], [5, 6], [7, 8], [9, 9])).toBe(
      `Pages opened from 5:00 until 6:00, from 7:00 until 8:00 and from 9:00 until 9:00 ${why} So it was 2 times before, first from 1:00 on.`,
    );
  });

  it('is nothing where there is none', () => {
    expect(text()).toBeUndefined();
    expect(recordLossText({}, figures, 0)).toBeUndefined();
  });
});
