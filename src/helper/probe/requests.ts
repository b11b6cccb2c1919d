/** What arrives at the probe: requests in hand, by connection. Knows neither sockets nor time. */

export interface ProbeResult {
  /** Requests for pieces so far. */
  readonly arrived: number;
  /** Most connections that had a request in hand at once. */
  readonly connections: number;
  /** Most requests in hand on one connection. */
  readonly depth: number;
}

/** In hand: arrived and not answered. A connection is told from others by its identity. */
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

  /** To be told before the answer is written: a browser may use another connection as soon as it has it. */
  answered(connection: object): void {
    const left = (this.#inHand.get(connection) ?? 0) - 1;
    if (left > 0) this.#inHand.set(connection, left);
    else this.#inHand.delete(connection);
  }

  /** With whatever was in hand on it. */
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
