import { type ClosureFacts, type FallbackReason, judgeClosure, STRIKES_BEFORE_FALLBACK } from './closure.ts';

/** Whether an origin may be pipelined to, and why not. Starts in good standing. */
export class OriginHealth {
  #fallback: FallbackReason | undefined;
  #strikes = 0;
  #typesTrusted = true;

  /** In force now; `undefined` while the origin is in good standing. */
  get fallback(): FallbackReason | undefined {
    return this.#fallback;
  }

  /** Whether a content type that contradicts its request still counts as a sign of wrong order. */
  get typesTrusted(): boolean {
    return this.#typesTrusted;
  }

  effectiveDepth(depth: number): number {
    return this.#fallback === undefined ? depth : 1;
  }

  /** The first reason stays: what follows happens at depth 1 or on connections that were already doomed. */
  fallBack(reason: FallbackReason): void {
    this.#fallback ??= reason;
  }

  noteClosure(facts: ClosureFacts): void {
    const judgement = judgeClosure(facts);
    if (judgement.kind === 'fallback') this.fallBack(judgement.reason);
    if (judgement.kind === 'strike' && ++this.#strikes >= STRIKES_BEFORE_FALLBACK) this.fallBack('closed-early');
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
