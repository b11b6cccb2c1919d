/** HTTP/2 and HTTP/3: one connection to a server, on which requests go as soon as it stands, as many at once as the server allows. */
import type { Connection } from './connection.ts';
import type { Pool, PoolPort } from './connection-pool.ts';
import { LEVELS, type PageColumns } from './page-columns.ts';
import { WaitingRequests } from './waiting-requests.ts';

/** `origin`: number of the server in `page`. `streams`: requests it takes at once. */
export interface MultiplexedPoolParts {
  readonly port: PoolPort;
  readonly origin: number;
  readonly page: PageColumns;
  readonly streams: number;
}

export class MultiplexedPool implements Pool {
  readonly connections: Connection[] = [];
  /** Requests for a session that stands are never held back (nsHttpConnectionMgr asks for a session before it looks for blocking requests). */
  readonly holds = true;
  readonly #parts: MultiplexedPoolParts;
  readonly #waiting = new WaitingRequests();

  constructor(parts: MultiplexedPoolParts) {
    this.#parts = parts;
  }

  discovered(_request: number, now: number): void {
    this.#open(now);
  }

  submit(request: number, now: number): void {
    this.#waiting.add(request, this.#parts.page.levels[request] as number);
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
      if (connection.outstanding >= this.#parts.streams) return sent;
      this.#parts.port.assign(connection, this.#waiting.take(level), now);
      sent = true;
    }
    return sent;
  }

  backup(): void {
    // A second session would be closed as soon as both stand.
  }

  #open(now: number): Connection | undefined {
    const [first] = this.connections;
    if (first !== undefined) return first;
    const opened = this.#parts.port.open(this.#parts.origin, now);
    if (opened !== undefined) this.connections.push(opened);
    return opened;
  }
}
