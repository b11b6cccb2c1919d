/** The requests that the probe has received and not answered, by connection, and when it answers them. */

export interface ProbeResult {
  /** Requests for pieces so far. */
  readonly arrived: number;
  /** The largest number of connections with an unanswered request at once. */
  readonly connections: number;
  /** The largest number of unanswered requests on one connection. */
  readonly depth: number;
}

/** Counts requests in hand, which have arrived and are not answered. Any object identifies a connection. */
export class ProbeTally {
  readonly #inHand = new Map<object, number>();
  #arrived = 0;
  #connections = 0;
  #depth = 0;

  arrived(connection: object): void {
    const depth = (this.#inHand.get(connection) ?? 0) + 1;
    this.#inHand.set(connection, depth);
    this.#arrived += 1;
    this.#connections = Math.max(this.#connections, this.#inHand.size);
    this.#depth = Math.max(this.#depth, depth);
  }

  /** Call before the answer is written: a browser may use another connection as soon as it has it. */
  answered(connection: object): void {
    const left = (this.#inHand.get(connection) ?? 0) - 1;
    if (left > 0) this.#inHand.set(connection, left);
    else this.#inHand.delete(connection);
  }

  /** Forgets the connection with its requests in hand. */
  closed(connection: object): void {
    this.#inHand.delete(connection);
  }

  /** Counts from zero; what is in hand stays in hand. */
  reset(): void {
    this.#arrived = 0;
    this.#connections = 0;
    this.#depth = 0;
  }

  result(): ProbeResult {
    return { arrived: this.#arrived, connections: this.#connections, depth: this.#depth };
  }
}

export interface HoldTimes {
  /** After so long without a request, ms, no more will come before an answer. */
  readonly idleMs: number;
  /** No request waits longer than this, ms. */
  readonly maxMs: number;
}

/**
 * Holds answers until no more requests arrive, so that a browser shows how many it has under way at once. Answers are held in waves. The first wave
 * that shows nothing new is the last that is held: the browser has shown its maximum, and its other requests need not wait.
 */
export class ProbeHold {
  readonly #times: HoldTimes;
  readonly #shown: () => number;
  #held: (() => void)[] = [];
  #idle: NodeJS.Timeout | undefined;
  #max: NodeJS.Timeout | undefined;
  #shownBefore = 0;
  #over = false;

  /** @param shown - Grows whenever more requests are under way at once than ever before. */
  constructor(times: HoldTimes, shown: () => number) {
    this.#times = times;
    this.#shown = shown;
  }

  add(answer: () => void): void {
    if (this.#over) {
      answer();
      return;
    }
    this.#held.push(answer);
    this.#max ??= setTimeout(() => this.#release(), this.#times.maxMs);
    if (this.#idle) this.#idle.refresh();
    else this.#idle = setTimeout(() => this.#release(), this.#times.idleMs);
  }

  /** Waves are held again, as at the beginning. */
  restart(): void {
    this.#shownBefore = 0;
    this.#over = false;
  }

  /** Sends all held answers, and holds none any more. */
  stop(): void {
    this.#over = true;
    this.#release();
  }

  #release(): void {
    clearTimeout(this.#idle);
    clearTimeout(this.#max);
    this.#idle = undefined;
    this.#max = undefined;
    const shown = this.#shown();
    if (shown <= this.#shownBefore) this.#over = true;
    this.#shownBefore = shown;
    for (const answer of this.#held.splice(0)) answer();
  }
}
