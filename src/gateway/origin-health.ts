import { type ClosureFacts, type FallbackReason, judgeClosure, STRIKES_BEFORE_FALLBACK } from './closure.ts';

/**
 * Answers that an origin gives one at a time before anything is pipelined to it. What answers more than it is asked shows it then before the
 * next request is sent; in the middle of a pipeline nothing could tell which answer is the surplus one. Our own choice: a page and some of
 * its pieces, a round trip or two over four connections.
 */
export const PROBATION = 8;

/** Whether an origin may be pipelined to, and why not. Starts in good standing. */
export class OriginHealth {
  #fallback: FallbackReason | undefined;
  #strikes = 0;
  #typesTrusted = true;
  #requestLimit: number | undefined;
  #limitsFound = 0;
  #answers = 0;
  readonly #strict: boolean;
  readonly #probation: number;

  /** @param options - `strict`: what breaks off or is malformed without another explanation is not excused. `probation`: see PROBATION. */
  constructor(options = { strict: false, probation: 0 }) {
    this.#strict = options.strict;
    this.#probation = options.probation;
  }

  /** In force now; `undefined` while the origin is in good standing. */
  get fallback(): FallbackReason | undefined {
    return this.#fallback;
  }

  /** Whether a content type that contradicts its request still counts as a sign of wrong order. */
  get typesTrusted(): boolean {
    return this.#typesTrusted;
  }

  /** Requests after which it closes a connection; no more are given to one, so that none is lost. `undefined`: not known, or none. */
  get requestLimit(): number | undefined {
    return this.#requestLimit;
  }

  /** So far: {@link STRIKES_BEFORE_FALLBACK}. */
  get strikes(): number {
    return this.#strikes;
  }

  /** By the origin itself (`Keep-Alive: max`). */
  limitTold(requests: number): void {
    this.#requestLimit = requests;
  }

  /** A connection stayed open beyond it: that closing had another reason. */
  limitPassed(): void {
    this.#requestLimit = undefined;
  }

  effectiveDepth(depth: number): number {
    return this.#fallback === undefined && this.#answers >= this.#probation ? depth : 1;
  }

  /** One more has come whole. */
  answered(): void {
    this.#answers += 1;
  }

  /** The first reason stays: what follows happens at depth 1 or on connections that were already doomed. */
  fallBack(reason: FallbackReason): void {
    this.#fallback ??= reason;
  }

  noteClosure(facts: ClosureFacts): void {
    const judgement = judgeClosure(facts);
    if (this.#strict && facts.cause === 'malformed') this.fallBack('malformed-response');
    if (this.#strict && brokeOff(facts)) this.fallBack('closed-early');
    if (judgement.kind === 'fallback') this.fallBack(judgement.reason);
    if (judgement.kind === 'strike' && facts.announced && this.#isOneLimit(facts.answered)) return;
    if (judgement.kind !== 'strike' || facts.strikesBefore !== this.#strikes) return;
    this.#strikes += 1;
    if (this.#strikes >= STRIKES_BEFORE_FALLBACK) this.fallBack('closed-early');
  }

  /** One that closes after so many requests may do so always (nginx `keepalive_requests`); one that closes now here, now there, does not keep order. */
  #isOneLimit(answered: number): boolean {
    if (answered === this.#requestLimit) return true;
    this.#requestLimit = answered;
    this.#limitsFound += 1;
    return this.#limitsFound === 1;
  }

  /**
   * The response that looked out of order came again, the same, to a request that had the connection to itself: this origin
   * labels its content oddly. The fallback is taken back and content types say nothing about order here any more.
   */
  clearOfWrongOrder(): void {
    this.#typesTrusted = false;
    if (this.#fallback === 'wrong-order') this.#fallback = undefined;
  }
}

/** In the middle of what was due, without a word before: neither at the end of its patience with an idle connection nor after an error. */
const brokeOff = ({ cause, outstandingPipelined, stale, excused, announced }: ClosureFacts): boolean =>
  cause === 'peer' && outstandingPipelined && stale === 'no' && !excused && !announced;
