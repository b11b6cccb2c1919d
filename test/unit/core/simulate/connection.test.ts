import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Reassembly } from '../../../../src/core/simulate/connection.ts';

it('has in order what is there without a gap, whatever comes first and however often', () => {
  const pieces = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 30 }).chain((lengths) => {
    let start = 0;
    const cut = lengths.map((length) => {
      const piece = { start, length };
      start += length;
      return piece;
    });
    return fc.tuple(fc.constant(cut), fc.shuffledSubarray([...cut, ...cut], { minLength: cut.length }));
  });
  fc.assert(
    fc.property(pieces, ([cut, order]) => {
      const stream = new Reassembly();
      const there = new Set<number>();
      for (const { start, length } of order) {
        stream.add(start, length);
        there.add(start);
        const missing = cut.find((piece) => !there.has(piece.start));
        const end = cut.reduce((sum, piece) => sum + piece.length, 0);
        expect(stream.next).toBe(missing?.start ?? end);
        expect(stream.gap).toBe(missing !== undefined && [...there].some((each) => each > missing.start));
      }
    }),
  );
});
