import { describe, expect, it } from 'vitest';
import { type Closure, judgeClosure, OriginHealth, putsInDoubt } from '../../../src/gateway/origin-health.ts';

const closed: Closure = { cause: 'peer', outstandingPipelined: true, excused: false, stale: false };

describe('judgeClosure', () => {
  it.each([
    ['with pipelined requests outstanding', {}, 'closed-early'],
    ['with none outstanding that was pipelined', { outstandingPipelined: false }, undefined],
    ['as it was about to be used', { stale: true }, undefined],
    ['with notice, on an error that ends connections or as counted down to', { excused: true }, undefined],
    ['on nonsense', { cause: 'malformed' }, 'malformed-response'],
    ['on a response without an end', { cause: 'endless' }, 'endless'],
    ['on pipelined requests without an answer', { cause: 'stalled' }, 'no-answer'],
    ['on responses out of order', { cause: 'wrong-order' }, 'wrong-order'],
    ['by us', { cause: 'ours' }, undefined],
    ['after a timeout', { cause: 'timeout' }, undefined],
  ] as const)('closed %s', (_how, facts, reason) => {
    expect(judgeClosure({ ...closed, ...facts })).toBe(reason);
  });

  it('puts what came before in doubt, but for a response that only has no end', () => {
    const reasons = ['closed-early', 'malformed-response', 'endless', 'wrong-order', 'no-answer'] as const;
    expect(reasons.filter((reason) => !putsInDoubt(reason))).toEqual(['endless']);
  });
});

describe('OriginHealth', () => {
  it('gives depth after probation, and none after a fallback, whose first reason stays', () => {
    const health = new OriginHealth(2);
    health.answered();
    expect([health.onProbation, health.effectiveDepth(6)]).toEqual([true, 1]);
    health.answered();
    expect([health.onProbation, health.effectiveDepth(6)]).toEqual([false, 6]);
    health.fallBack('endless');
    health.fallBack('wrong-order');
    expect([health.fallback, health.effectiveDepth(6)]).toEqual(['endless', 1]);
  });
});
