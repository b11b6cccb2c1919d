/** The requests that the probe has received and not answered, by connection, and when it answers them. */

export interface ProbeResult {
  /** Requests received so far. */
  readonly arrived: number;
  /** Most connections that had an outstanding request at once. */
  readonly connections: number;
  /** Most outstanding requests on one connection. */
  readonly depth: number;
}

/** Counts outstanding requests, which have arrived and are not answered. A connection is identified by its object. */
export class ProbeTally {
  readonly #outstanding = new Map<object, number>();
  #arrived = 0;
  #connections = 0;
  #depth = 0;

  arrived(connection: object): void {
    const depth = (this.#outstanding.get(connection) ?? 0) + 1;
    this.#outstanding.set(connection, depth);
    this.#arrived += 1;
    this.#connections = Math.max(this.#connections, this.#outstanding.size);
    this.#depth = Math.max(this.#depth, depth);
  }

  /** Call before the answer is written: a browser may use another connection as soon as it has it. */
  answered(connection: object): void {
    const left = (this.#outstanding.get(connection) ?? 0) - 1;
    if (left > 0) this.#outstanding.set(connection, left);
    else this.#outstanding.delete(connection);
  }

  /** Forgets the connection with its outstanding requests. */
  closed(connection: object): void {
    this.#outstanding.delete(connection);
  }

  /** Counts from zero; outstanding requests stay counted. */
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
  /** Nothing has arrived for so long, ms: nothing more will arrive until something is answered. */
  readonly idleMs: number;
  /** No request is held longer than this, ms. */
  readonly maxMs: number;
}

/**
 * Holds all answers until requests stop arriving, which shows how many the browser has open at once. Answers are held in waves. The first wave
 * that shows nothing new is the last that is held: a browser that has reached the same maximum twice has shown it, and its other requests
 * must not wait.
 */
export class ProbeHold {
  readonly #times: HoldTimes;
  readonly #shown: () => number;
  #held: (() => void)[] = [];
  #idle: NodeJS.Timeout | undefined;
  #max: NodeJS.Timeout | undefined;
  #shownBefore = 0;
  #over = false;

  /** @param shown - Grows whenever more requests are outstanding at once than ever before. */
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

  /** Sends all held answers, and holds none from now on. */
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
