/**
 * Connections as Plumbfox's gateway keeps them (`src/gateway/dispatch-policy.ts`; a test holds the two together):
 * all are opened once a page is known to use the server, and a request is given to one as soon as it comes.
 */
import type { Connection } from './connection.ts';
import type { Pool, PoolPort } from './connection-pool.ts';
import type { PageColumns } from './page-columns.ts';

/** `backupAfterMs`: a second connection is opened beside the first when its handshake takes longer; 0: never. */
interface GatewayPoolDeps {
  readonly port: PoolPort;
  readonly origin: number;
  readonly page: PageColumns;
  readonly connections: number;
  readonly depth: number;
  readonly dispatch: 'appended' | 'bundled';
  readonly backupAfterMs: number;
}

/** One small response ahead costs less than the rest of a handshake. */
const JOIN_RATHER_THAN_WAIT = 2;

export class GatewayPool implements Pool {
  readonly connections: Connection[] = [];
  readonly holds = false;
  readonly #deps: GatewayPoolDeps;
  readonly #queue: number[] = [];
  #head = 0;
  #arrivals = 0;

  constructor(deps: GatewayPoolDeps) {
    this.#deps = deps;
  }

  discovered(): void {
    // What the browser holds back the gateway does not see.
  }

  submit(request: number, now: number): void {
    const { page, connections: limit, port, backupAfterMs } = this.#deps;
    this.#queue.push(request);
    this.#arrivals += 1;
    const wanted = this.#arrivals === 1 && page.documents[request] === 1 ? 1 : limit;
    while (this.connections.length < wanted && this.#open(now));
    const [first] = this.connections;
    if (this.#arrivals === 1 && first && limit > 1 && backupAfterMs > 0) port.backupAt(first, now + backupAfterMs);
    this.retry(now);
  }

  retry(now: number): boolean {
    const before = this.#head;
    while (this.#head < this.#queue.length) {
      const connection = this.#next(now);
      if (connection === undefined) return this.#head > before;
      const take = this.#deps.dispatch === 'bundled' ? this.#deps.depth : 1;
      for (let k = 0; k < take && this.#head < this.#queue.length; k++) {
        this.#deps.port.assign(connection, this.#queue[this.#head++] as number, now);
      }
    }
    this.#moveToIdle(now);
    return this.#head > before;
  }

  connected(_connection: Connection, now: number): boolean {
    return this.retry(now);
  }

  backup(connection: Connection, now: number): void {
    if (this.connections.length === 1 && connection.establishedAt === undefined) this.#open(now);
  }

  #next(now: number): Connection | undefined {
    const { connections: limit, depth, dispatch } = this.#deps;
    const open = this.connections.find((connection) => connection.idle);
    if (open !== undefined) return open;
    const establishing = this.connections.find(({ establishedAt, outstanding }) => establishedAt === undefined && outstanding === 0);
    if (establishing !== undefined) {
      if (dispatch === 'bundled') return establishing;
      return this.#leastLoaded(Math.min(depth, JOIN_RATHER_THAN_WAIT), { standing: true }) ?? establishing;
    }
    if (this.connections.length < limit && this.#open(now)) return this.connections.at(-1);
    return dispatch === 'bundled' ? undefined : this.#leastLoaded(depth, { standing: false });
  }

  #leastLoaded(below: number, { standing }: { readonly standing: boolean }): Connection | undefined {
    let best: Connection | undefined;
    for (const connection of this.connections) {
      if (connection.outstanding >= (best?.outstanding ?? below)) continue;
      if (!standing || connection.establishedAt !== undefined) best = connection;
    }
    return best;
  }

  #moveToIdle(now: number): void {
    for (;;) {
      const to = this.connections.find((connection) => connection.idle);
      if (to === undefined) return;
      const from = this.connections.find(({ establishedAt, outstanding }) => establishedAt === undefined && outstanding > 0);
      if (from === undefined) return;
      this.#deps.port.assign(to, this.#deps.port.takeBack(from), now);
    }
  }

  #open(now: number): boolean {
    const connection = this.#deps.port.open(this.#deps.origin, now);
    if (connection !== undefined) this.connections.push(connection);
    return connection !== undefined;
  }
}
