/**
 * Connections of HTTP/1.1 as the browser itself keeps them: a request belongs to none before it is sent, and goes by priority. Depth above 1
 * only where the browser pipelines (`legacy`). As nsHttpConnectionMgr.cpp of Firefox 140 to 153 has it, and as loads in the lab showed:
 * a new request takes any connection with nothing to do, at once; those that wait are looked at only while fewer connections are busy or
 * being opened than the limit allows; a handshake unanswered for 250 ms that a request waits for gets a second connection beside it, which
 * may go beyond the limit.
 */
import { SHIPPED } from '../profiles/shipped.ts';
import type { BrowserModel } from './browser-model.ts';
import type { Connection } from './connection.ts';
import { openLevels, type Pool, type PoolPort, WaitingRequests } from './connection-pool.ts';
import { FIRST_HELD_LEVEL, type PageColumns } from './page-columns.ts';
import type { RequestPacing } from './request-pacing.ts';
import type { SimulatedProfile } from './simulated-profile.ts';

interface BrowserPoolDeps {
  readonly port: PoolPort;
  readonly origin: number;
  readonly page: PageColumns;
  readonly profile: SimulatedProfile;
  readonly model: BrowserModel;
  /** Requests outstanding on one connection. */
  readonly depth: number;
  /** Shared by the whole browser; `undefined`: requests start at once. */
  readonly pacing: RequestPacing | undefined;
}

export class BrowserPool implements Pool {
  readonly connections: Connection[] = [];
  readonly holds = true;
  readonly #deps: BrowserPoolDeps;
  readonly #waiting = new WaitingRequests();

  constructor(deps: BrowserPoolDeps) {
    this.#deps = deps;
  }

  discovered(request: number, now: number): void {
    if (this.#deps.model.opening !== 'speculative' || this.#idle() !== undefined) return;
    // nsHttpConnectionMgr.cpp, DoSpeculativeConnection: not while so many are half-open.
    const { page, port } = this.#deps;
    if (port.connecting() >= SHIPPED.speculativeConnections) return;
    this.#open(now, { claimed: (page.levels[request] as number) < this.#openLevels(), urgent: page.documents[request] === 1 });
  }

  submit(request: number, now: number): void {
    const level = this.#deps.page.levels[request] as number;
    const may = level < this.#openLevels() && this.#mayStart(request, now);
    const idle = may && this.#deps.depth === 1 ? this.#idle() : undefined;
    if (idle !== undefined) {
      this.#assign(idle, request, now);
      return;
    }
    this.#waiting.add(request, level);
    this.retry(now);
  }

  connected(connection: Connection, now: number): boolean {
    const next = connection.backup ? undefined : this.#next(now, Number.POSITIVE_INFINITY);
    if (next !== undefined) this.#give(connection, next, now);
    return this.retry(now) || next !== undefined;
  }

  retry(now: number): boolean {
    for (let sent = false; ; sent = true) {
      const next = this.#waiting.length === 0 ? undefined : this.#next(now, this.#turns());
      const connection = next && this.#carrierOf(now, this.#openLevels());
      if (next === undefined || connection === undefined) return sent;
      this.#give(connection, next, now);
    }
  }

  answered(): void {
    // Only the gateway counts responses.
  }

  rested(): void {
    // Only the gateway's connections rest.
  }

  backup(connection: Connection, now: number): void {
    const { model, profile } = this.#deps;
    if (connection.establishedAt !== undefined || (!model.beyondLimit && this.connections.length >= profile.connections)) return;
    const second = this.#deps.port.open(this.#deps.origin, now);
    if (second === undefined) return;
    second.backup = true;
    this.connections.push(second);
  }

  #openLevels(): number {
    return openLevels(this.#deps.model.holdsBack && this.#deps.port.heldBack());
  }

  #idle(): Connection | undefined {
    return this.connections.find((connection) => connection.idle);
  }

  /** The first in turn that may start, among the first `most`. */
  #next(now: number, most: number) {
    return this.#waiting.find(this.#openLevels(), most, (request) => this.#mayStart(request, now));
  }

  /** Firefox looks at as many that wait as there is room for connections (PreparePendingQForDispatching). */
  #turns(): number {
    if (this.#deps.pacing === undefined || this.#deps.depth > 1) return Number.POSITIVE_INFINITY;
    return this.#deps.profile.connections - this.#busy() - this.#connecting();
  }

  /** Sends the request, and what is bundled with it. */
  #give(connection: Connection, next: { readonly level: number; readonly turn: number }, now: number): void {
    this.#assign(connection, this.#waiting.takeFound(next), now);
    this.#bundle(connection, now);
  }

  #assign(connection: Connection, request: number, now: number): void {
    this.#deps.pacing?.started(request);
    this.#deps.port.assign(connection, request, now);
  }

  /** A connection with nothing outstanding; else more are opened; else one that takes another request behind those it has. */
  #carrierOf(now: number, end: number): Connection | undefined {
    const { depth, model } = this.#deps;
    const connecting = this.#connecting();
    const urgent = this.#isUrgent(end);
    const idle = this.#busy() + connecting < this.#limit(urgent) ? this.#idle() : undefined;
    if (idle !== undefined) return idle;
    for (let more = this.#wanting(now, end) - connecting; more > 0; more--) if (!this.#open(now, { claimed: true, urgent })) break;
    if (depth === 1 || model.dispatch === 'bundled' || this.#connecting() > 0) return undefined;
    return this.#leastLoaded();
  }

  #limit(urgent: boolean): number {
    const { profile, model } = this.#deps;
    return profile.connections + (urgent && model.beyondLimit ? profile.urgentStart : 0);
  }

  /** Whether the first that may be sent is a document. */
  #isUrgent(end: number): boolean {
    const level = this.#waiting.firstLevel(end);
    return level >= 0 && this.#deps.page.documents[this.#waiting.first(level)] === 1;
  }

  /** How many wait that may start. */
  #wanting(now: number, end: number): number {
    if (this.#deps.pacing === undefined) return this.#waiting.count(end);
    let count = 0;
    this.#waiting.find(end, this.#turns(), (request) => {
      if (this.#mayStart(request, now)) count += 1;
      return false;
    });
    return count;
  }

  #busy(): number {
    return this.connections.reduce((sum, { outstanding }) => sum + (outstanding > 0 ? 1 : 0), 0);
  }

  #connecting(): number {
    return this.connections.reduce((sum, { establishedAt }) => sum + (establishedAt === undefined ? 1 : 0), 0);
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
    const { depth, model } = this.#deps;
    if (connection.outstanding === 0) return true;
    if (connection.outstanding >= depth) return false;
    return model.depthScope === 'per-connection' || this.connections.reduce((sum, { outstanding }) => sum + outstanding, 0) < depth;
  }

  /** What waits goes along with the first request onto a freed connection, up to the depth. */
  #bundle(connection: Connection, now: number): void {
    const { depth, model } = this.#deps;
    if (depth === 1 || model.dispatch !== 'bundled') return;
    const end = this.#openLevels();
    for (let level = this.#waiting.firstLevel(end); level >= 0 && this.#hasRoom(connection); level = this.#waiting.firstLevel(end)) {
      this.#assign(connection, this.#waiting.take(level), now);
    }
  }

  /** Style sheets, scripts, data and documents take a token too, and wait for none (nsHttpConnectionMgr: blocking or unblocked requests). */
  #mayStart(request: number, now: number): boolean {
    const { pacing, port, page } = this.#deps;
    if (pacing === undefined) return true;
    const may = pacing.mayStart(request, { now, active: port.active() });
    port.waitForToken(now);
    return may || (page.levels[request] as number) < FIRST_HELD_LEVEL;
  }

  /** `claimed`: a request that may be sent now waits for it; `urgent`: that request is a document. */
  #open(now: number, { claimed, urgent }: { readonly claimed: boolean; readonly urgent: boolean }): boolean {
    const { port, origin, profile, model } = this.#deps;
    const inUse = this.connections.reduce((sum, connection) => sum + (connection.idle ? 0 : 1), 0);
    if (inUse >= this.#limit(urgent)) return false;
    const connection = port.open(origin, now);
    if (connection === undefined) return false;
    this.connections.push(connection);
    const after = profile.backupAfterMs ?? model.backupAfterMs;
    if (claimed && after > 0) port.backupAt(connection, now + after);
    return true;
  }
}
