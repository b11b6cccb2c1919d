import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type DispatchKind, type DispatchLimits, nextDispatch } from '../../src/gateway/dispatch-policy.ts';
import { afterLoss, MAX_SENDINGS } from '../../src/gateway/repetition.ts';

interface Waiting {
  readonly kind: DispatchKind;
  readonly id: number;
}
class Line {
  readonly carried: Waiting[] = [];
  accepting = true;
  established = true;
  get outstanding() {
    return this.carried.length;
  }
  get exclusive() {
    return this.carried[0]?.kind === 'alone';
  }
}
type Step =
  | { readonly arrive: DispatchKind }
  | { readonly answer: number }
  | { readonly close: number }
  | { readonly ahead: true }
  | { readonly establish: true };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ arrive: fc.constantFrom<DispatchKind>('pipelinable', 'pipelinable', 'pipelinable', 'alone') }) },
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
  readonly queue: Waiting[] = [];
  readonly lines: Line[] = [];
  readonly dispatched: Waiting[] = [];
  readonly limits: DispatchLimits;
  #arrived = 0;
  constructor(limits: DispatchLimits) {
    this.limits = limits;
  }

  take(step: Step): void {
    if ('arrive' in step) this.queue.push({ kind: step.arrive, id: this.#arrived++ });
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
      const next = nextDispatch(this.queue, this.lines, this.limits);
      if (next === undefined) return;
      const spread = next.connection !== 'new' && (this.lines[next.connection]?.outstanding ?? 0) > 0;
      // Nothing joins others while a connection may still be opened, unless one is being opened already.
      if (spread && this.lines.every((line) => line.established)) expect(this.lines.length).toBe(this.limits.connections);
      if (next.connection === 'new') this.lines.push(new Line());
      const line = this.lines[next.connection === 'new' ? this.lines.length - 1 : next.connection];
      const taken = this.queue.splice(next.request, next.take);
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
      if (line.carried.some((w) => w.kind === 'alone')) expect(line.outstanding).toBe(1);
    }
  }
}

it('never exceeds the limits, never lets anything share a connection with a request that is alone, spreads first', () => {
  fc.assert(
    fc.property(limitsArbitrary, steps, (limits, script) => {
      const play = new Play(limits);
      for (const step of script) play.take(step);
    }),
  );
});

it('is first come, first served within a kind', () => {
  fc.assert(
    fc.property(limitsArbitrary, steps, (limits, script) => {
      const play = new Play(limits);
      for (const step of script) play.take(step);
      for (const kind of ['pipelinable', 'alone']) {
        const ids = play.dispatched.filter((w) => w.kind === kind).map((w) => w.id);
        expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      }
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

it('serves everyone as long as connections answer, requests that are alone included', () => {
  fc.assert(
    fc.property(limitsArbitrary, steps, (limits, script) => {
      const play = new Play(limits);
      for (const step of script) play.take(step);
      // While pipelinable requests keep coming, one alone still gets its turn: every connection answers once per round.
      play.take({ arrive: 'alone' });
      const bound = (play.queue.length + limits.connections) * (limits.depth + 1) + 1;
      for (let round = 0; round < bound; round++) {
        for (let line = 0; line < play.lines.length; line++) play.take({ answer: line });
        play.take({ arrive: 'pipelinable' });
      }
      const alone = play.queue.filter((w) => w.kind === 'alone');
      expect(alone).toEqual([]);
    }),
  );
});

it('sends again only what may be sent again, and not for ever', () => {
  const lost = fc.record({
    abandoned: fc.boolean(),
    begun: fc.boolean(),
    resumable: fc.boolean(),
    sent: fc.boolean(),
    repeatable: fc.boolean(),
    sendings: fc.integer({ min: 0, max: 6 }),
    due: fc.boolean(),
  });
  const connection = fc.record({
    cause: fc.constantFrom('peer', 'malformed', 'stalled', 'timeout', 'wrong-order', 'ours'),
    established: fc.boolean(),
    reused: fc.boolean(),
    pipelined: fc.boolean(),
    alternative: fc.boolean(),
  } as const);
  fc.assert(
    fc.property(lost, connection, (request, from) => {
      const fate = afterLoss(request, from);
      const again = fate === 'repeat' || fate === 'repeat-alone';
      if (again && request.sent && from.established) expect(request.repeatable || request.begun).toBe(true);
      if (again) expect((request.begun && !request.resumable) || request.abandoned).toBe(false);
      if (fate === 'repeat-alone') expect(request.sendings).toBeLessThan(MAX_SENDINGS);
      if (request.begun && !request.abandoned) {
        const mended = request.resumable && from.pipelined && from.cause === 'peer' && request.sendings < MAX_SENDINGS;
        expect(fate).toBe(mended ? 'repeat-alone' : 'truncate');
      }
      if (fate === 'repeat' && request.sent && from.established) expect(from.cause).toBe('ours');
    }),
  );
});
