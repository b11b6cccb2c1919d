import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EventHeap } from '../../../../src/core/simulate/workspace.ts';

it('gives events back in order of time, and of coming where times are equal', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 20 })), { maxLength: 600 }), (steps) => {
      const heap = new EventHeap();
      const kept: { time: number; at: number }[] = [];
      for (const [at, time] of steps.entries()) {
        if (time !== null) {
          heap.add(time, at % 5, at, 3 * at);
          kept.push({ time, at });
          continue;
        }
        kept.sort((a, b) => a.time - b.time || a.at - b.at);
        const next = kept.shift();
        expect(heap.nextTime).toBe(next?.time ?? Number.POSITIVE_INFINITY);
        if (next === undefined) continue;
        expect(heap.take()).toBe(next.time);
        expect([heap.kind, heap.subject, heap.detail]).toEqual([next.at % 5, next.at, 3 * next.at]);
      }
    }),
  );
});
