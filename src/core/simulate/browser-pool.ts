/**
 * Connections of HTTP/1.1 as the browser itself keeps them: a request belongs to none before it is sent, and goes by priority. Depth above 1
 * only where the browser pipelines (`legacy`).
 */
import type { BrowserModel } from './browser-model.ts';
import type { Connection } from './connection.ts';
import type { PageColumns } from './page-columns.ts';
import type { Pool, PoolPort } from './pool.ts';
import type { SimulatedProfile } from './simulated-profile.ts';
import type { TokenBucket } from './token-bucket.ts';
import { openLevels, WaitingRequests } from './waiting-requests.ts';

export interface BrowserPoolParts {
  readonly port: PoolPort;
  readonly origin: number;
  readonly page: PageColumns;
  readonly profile: SimulatedProfile;
  readonly model: BrowserModel;
  /** Requests outstanding on one connection. */
  readonly depth: number;
  /** Of the whole browser; `undefined`: requests start at once. */
  readonly bucket: TokenBucket | undefined;
}

export class BrowserPool implements Pool {
  readonly connections: Connection[] = [];
  readonly holds = true;
  readonly #parts: BrowserPoolParts;
  readonly #waiting = new WaitingRequests();
  #backupAsked = false;

  constructor(parts: BrowserPoolParts) {
    this.#parts = parts;
  }

  discovered(_request: number, now: number): void {
    if (this.#parts.model.opening !== 'speculative') return;
    if (!this.connections.some((connection) => connection.idle)) this.#openOne(now);
  }

  submit(request: number, now: number): void {
    this.#waiting.add(request, this.#parts.page.levels[request] as number);
    this.retry(now);
  }

  retry(now: number): void {
    const end = openLevels(this.#parts.model.holdsBack && this.#parts.port.heldBack());
    for (let level = this.#waiting.firstLevel(end); level >= 0; level = this.#waiting.firstLevel(end)) {
      const connection = this.#carrierOf(now, end);
      if (connection === undefined) return;
      if (!this.#mayStart(level, now)) return;
      this.#parts.port.assign(connection, this.#waiting.take(level), now);
      this.#bundle(connection, end, now);
    }
  }

  backup(now: number): void {
    const [first] = this.connections;
    if (this.connections.length === 1 && first?.establishedAt === undefined) this.#openOne(now);
  }

  /** A connection with nothing outstanding; else more are opened; else one that takes another request behind those it has. */
  #carrierOf(now: number, end: number): Connection | undefined {
    const idle = this.connections.find((connection) => connection.idle);
    if (idle !== undefined) return idle;
    const { depth, model } = this.#parts;
    const connecting = this.connections.reduce((sum, { establishedAt }) => sum + (establishedAt === undefined ? 1 : 0), 0);
    for (let more = this.#waiting.count(end) - connecting; more > 0; more--) if (!this.#openOne(now)) break;
    if (depth === 1 || model.dispatch === 'bundled' || this.#opening()) return undefined;
    return this.#leastLoaded();
  }

  /** Whether connections below the limit are on their way, which go before pipelining (as in Firefox up to 53). */
  #opening(): boolean {
    return this.connections.some(({ establishedAt }) => establishedAt === undefined);
  }

  #leastLoaded(): Connection | undefined {
    let best: Connection | undefined;
    for (const connection of this.connections) {
      if (connection.establishedAt === undefined || !this.#hasRoom(connection)) continue;
      if (best === undefined || connection.outstanding < best.outstanding) best = connection;
    }
    return best;
  }

  #hasRoom(connection: Connection): boolean {
    const { depth, model } = this.#parts;
    if (connection.outstanding === 0) return true;
    if (connection.outstanding >= depth) return false;
    return model.depthScope === 'per-connection' || this.connections.reduce((sum, { outstanding }) => sum + outstanding, 0) < depth;
  }

  /** What waits goes along with the first request onto a freed connection, up to the depth. */
  #bundle(connection: Connection, end: number, now: number): void {
    const { depth, model, port } = this.#parts;
    if (depth === 1 || model.dispatch !== 'bundled') return;
    for (let level = this.#waiting.firstLevel(end); level >= 0 && this.#hasRoom(connection); level = this.#waiting.firstLevel(end)) {
      port.assign(connection, this.#waiting.take(level), now);
    }
  }

  #mayStart(level: number, now: number): boolean {
    const { bucket, profile, port, origin } = this.#parts;
    // Style sheets, scripts and documents are never paced (nsHttpConnectionMgr: blocking or unblocked requests).
    if (bucket === undefined || openLevels(true) > level || port.active() <= (profile.pacing?.above ?? 0)) return true;
    const at = bucket.take(now);
    if (at > now) port.retryAt(origin, at);
    return at <= now;
  }

  #openOne(now: number): boolean {
    const { port, origin, profile, model } = this.#parts;
    if (this.connections.length >= profile.connections) return false;
    const connection = port.open(origin, now);
    if (connection === undefined) return false;
    this.connections.push(connection);
    const after = profile.backupAfterMs ?? model.backupAfterMs;
    if (!this.#backupAsked && after > 0) port.backupAt(origin, now + after);
    this.#backupAsked = true;
    return true;
  }
}
