import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type DispatchLimits, nextDispatch } from '../../src/gateway/dispatch-policy.ts';

class Line {
  readonly carried: number[] = [];
  accepting = true;
  established = true;
  get outstanding() {
    return this.carried.length;
  }
}
type Step =
  | { readonly arrive: true }
  | { readonly answer: number }
  | { readonly close: number }
  | { readonly ahead: true }
  | { readonly establish: true };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Step>({ arrive: true }) },
  { weight: 4, arbitrary: fc.record({ answer: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ close: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ ahead: true }, { establish: true }) },
);
const steps = fc.array(step, { maxLength: 200 });
const limitsArbitrary: fc.Arbitrary<DispatchLimits> = fc.record({
  connections: fc.integer({ min: 1, max: 8 }),
  depth: fc.integer({ min: 1, max: 8 }),
  mode: fc.constantFrom('appended', 'bundled'),
});

/** An origin played through: what was dispatched, in order, while every invariant is checked at every step. */
class Play {
  readonly queue: number[] = [];
  readonly lines: Line[] = [];
  readonly dispatched: number[] = [];
  readonly limits: DispatchLimits;
  #arrived = 0;
  constructor(limits: DispatchLimits) {
    this.limits = limits;
  }

  take(step: Step): void {
    if ('arrive' in step) this.queue.push(this.#arrived++);
    else if ('answer' in step) this.lines[step.answer % Math.max(1, this.lines.length)]?.carried.shift();
    else if ('ahead' in step) this.#openAhead();
    else if ('establish' in step) for (const line of this.lines) line.established = true;
    else this.lines.splice(step.close % Math.max(1, this.lines.length), 1);
    this.settle();
  }

  /** A connection opened before anyone needs it: not established yet. */
  #openAhead(): void {
    if (this.lines.length >= this.limits.connections) return;
    const line = new Line();
    line.established = false;
    this.lines.push(line);
  }

  settle(): void {
    for (;;) {
      const next = nextDispatch(this.queue.length, this.lines, this.limits);
      if (next === undefined) return;
      const spread = next.connection !== 'new' && (this.lines[next.connection]?.outstanding ?? 0) > 0;
      // Nothing joins others while a connection may still be opened, unless one is being opened already.
      if (spread && this.lines.every((line) => line.established)) expect(this.lines.length).toBe(this.limits.connections);
      if (next.connection === 'new') this.lines.push(new Line());
      const line = this.lines[next.connection === 'new' ? this.lines.length - 1 : next.connection];
      const taken = this.queue.splice(0, next.take);
      expect(taken.length).toBe(next.take);
      line?.carried.push(...taken);
      this.dispatched.push(...taken);
      this.check();
    }
  }

  check(): void {
    expect(this.lines.length).toBeLessThanOrEqual(this.limits.connections);
    for (const line of this.lines) {
      expect(line.outstanding).toBeLessThanOrEqual(this.limits.depth);
    }
  }
}

it('never exceeds the limits, spreads first', () => {
  fc.assert(
    fc.property(limitsArbitrary, steps, (limits, script) => {
      const play = new Play(limits);
      for (const step of script) play.take(step);
    }),
  );
});

it('is first come, first served', () => {
  fc.assert(
    fc.property(limitsArbitrary, steps, (limits, script) => {
      const play = new Play(limits);
      for (const step of script) play.take(step);
      expect(play.dispatched).toEqual(play.dispatched.toSorted((a, b) => a - b));
    }),
  );
});

it('never idles a connection, nor leaves one unopened, while a request waits', () => {
  fc.assert(
    fc.property(limitsArbitrary, steps, (limits, script) => {
      const play = new Play(limits);
      for (const step of script) {
        play.take(step);
        if (play.queue.length === 0) continue;
        expect(play.lines.length).toBe(limits.connections);
        expect(play.lines.every((line) => line.outstanding > 0 || !line.established)).toBe(true);
      }
    }),
  );
});
