/** A pool decides which connection of a server carries a request; there is one kind for each way to a server. */
import type { Connection } from './connection.ts';
import { FIRST_HELD_LEVEL, LEVELS, type PageColumns } from './page-columns.ts';

export interface PoolPort {
  /** Opens a connection. `undefined`: the limit of all connections together is reached; it is asked again when one is free. */
  open(origin: number, now: number): Connection | undefined;
  /** Puts a request on a connection: at once where it is established, else as soon as it is. */
  assign(connection: Connection, request: number, now: number): void;
  /** Takes back the request that was last given to a connection that does not stand yet. */
  takeBack(connection: Connection): number;
  /** Wants `retry` to be called when the first request that waits for its token has it. */
  waitForToken(now: number): void;
  /** Wants `rested` to be called. */
  restUntil(connection: Connection, at: number): void;
  /** Wants `backup` to be called. */
  backupAt(connection: Connection, at: number): void;
  /** Whether requests that can be held back are. */
  heldBack(): boolean;
  /** What Firefox counts for its pacing: connections of HTTP/1.1 with requests outstanding, and all that are being opened. */
  active(): number;
  /** Connections to all servers that do not stand yet. */
  connecting(): number;
}

export interface Pool {
  readonly connections: Connection[];
  /** Whether the pool is the browser's own, which holds requests back itself; the gateway's gets them when they may be sent. */
  readonly holds: boolean;
  /** The page needs a request; it may be held back until `submit`. */
  discovered(request: number, now: number): void;
  submit(request: number, now: number): void;
  /** A connection is established, and what was given to it is on its way. @returns whether a request was sent. */
  connected(connection: Connection, now: number): boolean;
  /** A connection has become free, or what held requests back is gone. @returns whether a request was sent. */
  retry(now: number): boolean;
  /** A response on it is complete; `retry` follows. */
  answered(connection: Connection, request: number, now: number): void;
  /** It has rested. */
  rested(connection: Connection, now: number): void;
  /** The time has come for a second one, should this one not stand yet. */
  backup(connection: Connection, now: number): void;
}

/** Requests that wait for a connection: by level, and within a level in the order in which they came. */
export class WaitingRequests {
  readonly #levels: number[][] = Array.from({ length: LEVELS }, () => []);
  readonly #heads: number[] = Array.from({ length: LEVELS }, () => 0);

  /** How many wait. */
  length = 0;

  add(request: number, level: number): void {
    this.length += 1;
    (this.#levels[level] as number[]).push(request);
  }

  /** Levels up to, not including, `end`. */
  count(end: number): number {
    let sum = 0;
    for (let level = 0; level < end; level++) sum += (this.#levels[level] as number[]).length - (this.#heads[level] as number);
    return sum;
  }

  /** Level of the first; -1: none waits below `end`. */
  firstLevel(end: number): number {
    for (let level = 0; level < end; level++) {
      if ((this.#heads[level] as number) < (this.#levels[level] as number[]).length) return level;
    }
    return -1;
  }

  /** The first on that level; it stays. */
  first(level: number): number {
    return (this.#levels[level] as number[])[this.#heads[level] as number] as number;
  }

  /** The first of the first `most` below `end` that `is`, in the order of their turns. @returns its level and turn; `undefined`: none. */
  find(end: number, most: number, is: (request: number) => boolean): { readonly level: number; readonly turn: number } | undefined {
    let left = most;
    for (let level = 0; level < end; level++) {
      const requests = this.#levels[level] as number[];
      for (let turn = this.#heads[level] as number; turn < requests.length && left > 0; turn++, left--) {
        if (is(requests[turn] as number)) return { level, turn };
      }
    }
    return undefined;
  }

  /** Takes the one that was found. */
  takeFound({ level, turn }: { readonly level: number; readonly turn: number }): number {
    if (turn === this.#heads[level]) return this.take(level);
    this.length -= 1;
    return (this.#levels[level] as number[]).splice(turn, 1)[0] as number;
  }

  take(level: number): number {
    const at = this.#heads[level] as number;
    this.length -= 1;
    this.#heads[level] = at + 1;
    return (this.#levels[level] as number[])[at] as number;
  }
}

/** Levels that may be sent now. */
export const openLevels = (heldBack: boolean): number => (heldBack ? FIRST_HELD_LEVEL : LEVELS);

/** `origin`: number of the server in `page`. `streams`: requests it takes at once. */
interface MultiplexedPoolDeps {
  readonly port: PoolPort;
  readonly origin: number;
  readonly page: PageColumns;
  readonly streams: number;
}

/** HTTP/2 and HTTP/3: one connection to a server, on which requests go as soon as it is established, as many at once as the server allows. */
export class MultiplexedPool implements Pool {
  readonly connections: Connection[] = [];
  /** Requests for an established session are never held back (nsHttpConnectionMgr asks for a session before it looks for blocking requests). */
  readonly holds = true;
  readonly #deps: MultiplexedPoolDeps;
  readonly #waiting = new WaitingRequests();

  constructor(deps: MultiplexedPoolDeps) {
    this.#deps = deps;
  }

  discovered(_request: number, now: number): void {
    this.#open(now);
  }

  submit(request: number, now: number): void {
    this.#waiting.add(request, this.#deps.page.levels[request] as number);
    this.retry(now);
  }

  connected(_connection: Connection, now: number): boolean {
    return this.retry(now);
  }

  retry(now: number): boolean {
    if (this.#waiting.firstLevel(LEVELS) < 0) return false;
    const connection = this.#open(now);
    if (connection?.establishedAt === undefined) return false;
    let sent = false;
    for (let level = this.#waiting.firstLevel(LEVELS); level >= 0; level = this.#waiting.firstLevel(LEVELS)) {
      if (connection.outstanding >= this.#deps.streams) return sent;
      this.#deps.port.assign(connection, this.#waiting.take(level), now);
      sent = true;
    }
    return sent;
  }

  answered(): void {
    // Only the gateway counts responses.
  }

  rested(): void {
    // Only the gateway's connections rest.
  }

  backup(): void {
    // A second session would be closed as soon as both stand.
  }

  #open(now: number): Connection | undefined {
    const [first] = this.connections;
    if (first !== undefined) return first;
    const opened = this.#deps.port.open(this.#deps.origin, now);
    if (opened !== undefined) this.connections.push(opened);
    return opened;
  }
}
