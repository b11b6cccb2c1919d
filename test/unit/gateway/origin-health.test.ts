import { describe, expect, it } from 'vitest';
import { type Closure, judgeClosure, OriginHealth, STRIKES_BEFORE_FALLBACK } from '../../../src/gateway/origin-health.ts';

const closed: Closure = {
  cause: 'peer',
  outstanding: 3,
  outstandingPipelined: true,
  pipelined: true,
  answered: 1,
  pipelinedAnswered: false,
  dueBegun: false,
  announced: false,
  excused: false,
  stale: 'no',
  strikesBefore: 0,
};
const fallback = (reason: string) => ({ kind: 'fallback', reason });

describe('judgeClosure', () => {
  it.each([
    ['with pipelined requests outstanding', {}, fallback('closed-early')],
    ['without notice, after it had answered a pipelined one', { answered: 4, pipelinedAnswered: true }, { kind: 'strike' }],
    ['in the middle of a response, after another', { dueBegun: true }, { kind: 'strike' }],
    ['in the middle of its first response', { dueBegun: true, answered: 0 }, fallback('closed-early')],
    ['with none outstanding', { outstanding: 0, outstandingPipelined: false }, { kind: 'innocent' }],
    ['with one outstanding that was not pipelined', { outstanding: 1, outstandingPipelined: false }, { kind: 'innocent' }],
    ['as it was about to be used again', { stale: 'reused' }, { kind: 'innocent' }],
    ['as it was about to be used at last, after it was opened ahead', { stale: 'unused' }, { kind: 'strike' }],
    ['with notice, on its first response', { announced: true, answered: 1 }, fallback('closed-early')],
    ['with notice, on a later response', { announced: true, answered: 2 }, { kind: 'strike' }],
    ['with notice, on an error that ends connections', { announced: true, excused: true, answered: 1 }, { kind: 'innocent' }],
    ['on nonsense in a pipeline', { cause: 'malformed' }, fallback('malformed-response')],
    ['on nonsense that no pipeline could have caused', { cause: 'malformed', pipelined: false }, { kind: 'innocent' }],
    ['on pipelined requests without an answer', { cause: 'stalled' }, fallback('no-answer')],
    ['on responses out of order', { cause: 'wrong-order' }, fallback('wrong-order')],
    ['by us', { cause: 'ours' }, { kind: 'innocent' }],
    ['after a timeout', { cause: 'timeout' }, { kind: 'innocent' }],
  ] as const)('closed %s', (_how, facts, judgement) => {
    expect(judgeClosure({ ...closed, ...facts })).toEqual(judgement);
  });
});

describe('OriginHealth', () => {
  const announced = (answered: number) => ({ ...closed, announced: true, answered });

  it('takes an end that comes after as many requests each time for a limit, and not for a fault', () => {
    const health = new OriginHealth();
    for (let i = 0; i <= STRIKES_BEFORE_FALLBACK; i++) health.noteClosure(announced(7));
    expect([health.fallback, health.requestLimit]).toEqual([undefined, 7]);
    // It was none after all.
    health.limitPassed();
    expect(health.requestLimit).toBeUndefined();
    health.limitAnnounced(100);
    expect(health.requestLimit).toBe(100);
  });

  it('falls back at the third end after another number of requests', () => {
    const health = new OriginHealth();
    health.noteClosure(announced(2));
    for (let i = 1; i < STRIKES_BEFORE_FALLBACK; i++) health.noteClosure({ ...announced(2 + i), strikesBefore: health.strikes });
    expect([health.fallback, health.effectiveDepth(6)]).toEqual([undefined, 6]);
    health.noteClosure({ ...announced(50), strikesBefore: health.strikes });
    expect([health.fallback, health.effectiveDepth(6)]).toEqual(['closed-early', 1]);
  });

  it('counts what ended side by side once: it was under way before anything had been learnt', () => {
    const health = new OriginHealth();
    const cut = { ...closed, answered: 4, pipelinedAnswered: true };
    for (let connection = 0; connection < 6; connection++) health.noteClosure(cut);
    expect([health.strikes, health.fallback]).toEqual([1, undefined]);
    for (let i = 1; i < STRIKES_BEFORE_FALLBACK; i++) {
      expect(health.fallback).toBeUndefined();
      health.noteClosure({ ...cut, strikesBefore: i });
    }
    expect(health.fallback).toBe('closed-early');
  });

  it('keeps the first reason, and takes back only a doubt about order', () => {
    const health = new OriginHealth();
    health.fallBack('http-1.0');
    health.fallBack('wrong-order');
    health.clearOfWrongOrder();
    expect([health.fallback, health.typesTrusted]).toEqual(['http-1.0', false]);
    const other = new OriginHealth();
    other.fallBack('wrong-order');
    other.clearOfWrongOrder();
    expect(other.fallback).toBeUndefined();
  });
});
