/**
 * Connections as Plumbfox's gateway keeps them (`src/gateway/dispatch-policy.ts`; a test holds the two together):
 * all are opened once a page is known to use the server, and a request is given to one as soon as it comes. A server that it meets for the first
 * time is on probation (`src/gateway/origin-health.ts`, `upstream-connection.ts`).
 */
import { type GatewayVisit, PROBATION } from '../gateway-policy.ts';
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
  readonly visit: GatewayVisit;
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
  /** Responses left of probation. */
  #onProbation: number;
  readonly #sentOnProbation = new Set<number>();
  /** Requests of each connection that does not stand yet. */
  readonly #given = new Map<Connection, number[]>();
  /** Connections that take no request, between two responses of probation. */
  readonly #resting = new Set<Connection>();

  constructor(deps: GatewayPoolDeps) {
    this.#deps = deps;
    this.#onProbation = deps.visit === 'first-visit' ? PROBATION.answers : 0;
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
      const take = this.#deps.dispatch === 'bundled' ? this.#depth : 1;
      for (let k = 0; k < take && this.#head < this.#queue.length; k++) this.#assign(connection, this.#queue[this.#head++] as number, now);
    }
    this.#moveToIdle(now);
    return this.#head > before;
  }

  connected(connection: Connection, now: number): boolean {
    for (const request of this.#given.get(connection) ?? []) this.#sent(request);
    this.#given.delete(connection);
    return this.retry(now);
  }

  answered(connection: Connection, request: number, now: number): void {
    if (this.#onProbation > 0) this.#onProbation -= 1;
    if (!this.#sentOnProbation.has(request)) return;
    this.#resting.add(connection);
    const handshakeMs = (connection.establishedAt as number) - connection.openedAt;
    this.#deps.port.restUntil(connection, now + Math.max(PROBATION.quietMs, handshakeMs));
  }

  rested(connection: Connection, now: number): void {
    this.#resting.delete(connection);
    this.retry(now);
  }

  backup(connection: Connection, now: number): void {
    if (this.connections.length === 1 && connection.establishedAt === undefined) this.#open(now);
  }

  get #depth(): number {
    return this.#onProbation > 0 ? 1 : this.#deps.depth;
  }

  #assign(connection: Connection, request: number, now: number): void {
    if (connection.establishedAt !== undefined) this.#sent(request);
    else this.#given.set(connection, [...(this.#given.get(connection) ?? []), request]);
    this.#deps.port.assign(connection, request, now);
  }

  #sent(request: number): void {
    if (this.#onProbation > 0) this.#sentOnProbation.add(request);
  }

  #idle(): Connection | undefined {
    return this.connections.find((connection) => connection.idle && !this.#resting.has(connection));
  }

  #next(now: number): Connection | undefined {
    const { connections: limit, dispatch } = this.#deps;
    const depth = this.#depth;
    const open = this.#idle();
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
      if (connection.outstanding >= (best?.outstanding ?? below) || this.#resting.has(connection)) continue;
      if (!standing || connection.establishedAt !== undefined) best = connection;
    }
    return best;
  }

  #moveToIdle(now: number): void {
    for (;;) {
      const to = this.#idle();
      if (to === undefined) return;
      const from = this.connections.find(({ establishedAt, outstanding }) => establishedAt === undefined && outstanding > 0);
      if (from === undefined) return;
      this.#given.get(from)?.pop();
      this.#assign(to, this.#deps.port.takeBack(from), now);
    }
  }

  #open(now: number): boolean {
    const connection = this.#deps.port.open(this.#deps.origin, now);
    if (connection !== undefined) this.connections.push(connection);
    return connection !== undefined;
  }
}
