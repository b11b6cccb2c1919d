/** The browser of a simulated load: discovers requests, holds some back, and gives them to the pools of their servers. */
import type { BrowserModel } from './browser-model.ts';
import { BrowserPool } from './browser-pool.ts';
import type { Connection } from './connection.ts';
import { MultiplexedPool, type Pool, type PoolPort } from './connection-pool.ts';
import { GatewayPool } from './gateway-pool.ts';
import type { LoadRecord } from './load-record.ts';
import { FIRST_HELD_LEVEL, type OriginColumns, type PageColumns } from './page-columns.ts';
import { RequestPacing } from './request-pacing.ts';
import { HTTP3_STREAM_WINDOW, type SimulatedProfile } from './simulated-profile.ts';
import { OWNER_KINDS, type Transport, type TransportOwner } from './transport.ts';

const DISCOVER = OWNER_KINDS;
const TOKEN = OWNER_KINDS + 1;
const BACKUP = OWNER_KINDS + 2;
const SUBMIT = OWNER_KINDS + 3;
const REST = OWNER_KINDS + 4;

/** `record` is filled as the load goes on; the rest is only read. */
interface BrowserInput {
  readonly page: PageColumns;
  readonly profile: SimulatedProfile;
  readonly model: BrowserModel;
  readonly record: LoadRecord;
  /** How much later the requests named in each response are sent, ms, still in the order of the page. `undefined`: no later. */
  readonly phases: Float64Array | undefined;
}

export class Browser implements TransportOwner, PoolPort {
  readonly #deps: BrowserInput;
  #transport: Transport | undefined;
  readonly #pools: Pool[];
  readonly #missing: Int32Array;
  readonly #eligibleAt: Float64Array;
  readonly #nextDependent: Int32Array;
  readonly #unallowed: Int32Array;
  /** Held back here, for pools that do not hold back themselves. */
  #held: number[] = [];
  #blocking = 0;
  readonly #pacing: RequestPacing | undefined;
  /** See `active`. */
  #active = 0;
  #connecting = 0;
  #starved = false;
  #processorFreeAt = 0;
  /** When a request that waits for its token is looked at. */
  #tokenAt = Number.POSITIVE_INFINITY;
  /** The last blocking request has just ended. */
  #released = false;
  #left: number;

  constructor(deps: BrowserInput) {
    const { page, profile } = deps;
    this.#deps = deps;
    this.#missing = page.conditions.slice();
    this.#eligibleAt = new Float64Array(page.count);
    this.#nextDependent = page.dependentsFrom.slice();
    this.#unallowed = new Int32Array(page.count);
    this.#left = page.count;
    // Where the gateway carries anything, Firefox is told not to pace (see `preferencesFor`).
    const paced = deps.model.paces && !(deps.model.carrier === 'gateway' && profile.gateway);
    this.#pacing = paced && profile.pacing !== undefined ? new RequestPacing(profile.pacing) : undefined;
    this.#pools = page.origins.map((origin, at) => this.#poolOf(origin, at));
  }

  get done(): boolean {
    return this.#left === 0;
  }

  start(transport: Transport): void {
    this.#transport = transport;
    for (const request of this.#deps.page.roots) this.#discover(request, 0);
  }

  // Notifications of the transport.

  established(connection: Connection, now: number): void {
    const { waiting } = connection;
    connection.waiting = [];
    this.#connecting -= 1;
    if (connection.outstanding === 0 || !this.#isHttp1(connection)) this.#active -= 1;
    for (const request of waiting) this.#send(connection, request, now);
    if (!this.#pool(connection).connected(connection, now)) this.#tryOthers(now);
    // What it was opened for is held back, or went elsewhere: another server may have its place.
    if (this.#starved && connection.idle) this.#retryAll(now);
  }

  received(connection: Connection, request: number, bytes: number, now: number): void {
    const { page, record, profile } = this.#deps;
    const before = record.received[request] as number;
    if (before === 0) record.firstByte[request] = now;
    const there = before + bytes;
    record.received[request] = there;
    const whole = there >= (page.sizes[request] as number);
    const protocol = page.origins[connection.origin]?.protocol;
    if (whole) this.#completed(connection, request, now);
    else if (protocol !== 'http/1.1') {
      const window = protocol === 'http/3' ? HTTP3_STREAM_WINDOW : profile.streamWindow;
      this.#allow(connection, request, { bytes, window, now });
    }
    this.#ask(connection, request, there, now);
    if (whole) this.#freed(connection, now);
  }

  timer(kind: number, subject: number, now: number): void {
    if (kind === DISCOVER) this.#discover(subject, now);
    else if (kind === SUBMIT) this.#submit(subject, now);
    else if (kind === TOKEN) this.#admit(now);
    else if (kind === BACKUP || kind === REST) {
      const connection = this.#transport?.connections[subject] as Connection;
      if (kind === BACKUP) this.#pool(connection).backup(connection, now);
      else this.#pool(connection).rested(connection, now);
    }
  }

  // What a pool asks for.

  open(origin: number, now: number): Connection | undefined {
    const transport = this.#transport as Transport;
    const { totalConnections } = this.#deps.profile;
    if (transport.connections.length >= totalConnections && !this.#makeRoom(transport, totalConnections)) {
      this.#starved = true;
      return undefined;
    }
    this.#active += 1;
    this.#connecting += 1;
    return transport.open(origin, now);
  }

  assign(connection: Connection, request: number, now: number): void {
    if (connection.outstanding === 0 && connection.establishedAt !== undefined && this.#isHttp1(connection)) this.#active += 1;
    connection.outstanding += 1;
    if (connection.establishedAt === undefined) connection.waiting.push(request);
    else this.#send(connection, request, now);
  }

  takeBack(connection: Connection): number {
    connection.outstanding -= 1;
    return connection.waiting.pop() as number;
  }

  waitForToken(now: number): void {
    const at = this.#tokenAt === Number.POSITIVE_INFINITY ? this.#pacing?.nextAt(now) : undefined;
    if (at === undefined) return;
    this.#tokenAt = at;
    this.#transport?.after(TOKEN, 0, at);
  }

  restUntil({ id }: Connection, at: number): void {
    this.#transport?.after(REST, id, at);
  }

  backupAt({ id }: Connection, at: number): void {
    this.#transport?.after(BACKUP, id, at);
  }

  heldBack(): boolean {
    return this.#blocking > 0;
  }

  active(): number {
    return this.#active;
  }

  connecting(): number {
    return this.#connecting;
  }

  #poolOf({ protocol, secure, maxStreams }: OriginColumns, origin: number): Pool {
    const { page, profile, model } = this.#deps;
    const shared = { port: this, origin, page };
    if (protocol !== 'http/1.1') return new MultiplexedPool({ ...shared, streams: maxStreams ?? profile.streams });
    const { connections, depth } = profile;
    if (model.carrier === 'gateway' && profile.gateway && !secure) {
      const { dispatch, backupAfterMs, gatewayVisit: visit } = model;
      return new GatewayPool({ ...shared, connections, depth, dispatch, backupAfterMs, visit });
    }
    return new BrowserPool({ ...shared, profile, model, depth: model.carrier === 'legacy' ? depth : 1, pacing: this.#pacing });
  }

  #isHttp1({ origin }: Connection): boolean {
    return this.#deps.page.origins[origin]?.protocol === 'http/1.1';
  }

  #pool({ origin }: Connection): Pool {
    return this.#pools[origin] as Pool;
  }

  #discover(request: number, now: number): void {
    const { page, record, model } = this.#deps;
    record.discovered[request] = now;
    const pool = this.#pools[page.originOf[request] as number] as Pool;
    const workMs = model.requestWorkMs + (pool.holds ? 0 : model.gatewayWorkMs);
    if (workMs === 0) {
      this.#submit(request, now);
      return;
    }
    this.#processorFreeAt = Math.max(this.#processorFreeAt, now) + workMs;
    this.#transport?.after(SUBMIT, request, this.#processorFreeAt);
  }

  #submit(request: number, now: number): void {
    const { page, model } = this.#deps;
    const pool = this.#pools[page.originOf[request] as number] as Pool;
    if (page.blocking[request] === 1) this.#blocking += 1;
    pool.discovered(request, now);
    const held = model.holdsBack && this.#blocking > 0 && !pool.holds && (page.levels[request] as number) >= FIRST_HELD_LEVEL;
    if (held) this.#held.push(request);
    else pool.submit(request, now);
  }

  #send(connection: Connection, request: number, now: number): void {
    const { record } = this.#deps;
    const transport = this.#transport as Transport;
    record.started[request] = now;
    record.connection[request] = connection.id;
    record.openedAt[request] = connection.openedAt;
    record.establishedAt[request] = connection.establishedAt as number;
    record.startBusy[request] = transport.busyMs(now);
    record.startStall[request] = connection.stalledMs(now);
    transport.send(connection, request, now);
  }

  #completed(connection: Connection, request: number, now: number): void {
    const { page, record } = this.#deps;
    record.ended[request] = now;
    record.endBusy[request] = this.#transport?.busyMs(now) ?? 0;
    record.endStall[request] = connection.stalledMs(now);
    connection.outstanding -= 1;
    if (connection.outstanding === 0 && this.#isHttp1(connection)) this.#active -= 1;
    this.#pool(connection).answered(connection, request, now);
    this.#left -= 1;
    if (page.blocking[request] !== 1) return;
    this.#blocking -= 1;
    this.#released = this.#blocking === 0;
  }

  /** Requests what waited for these bytes of the response. */
  #ask(connection: Connection, request: number, there: number, now: number): void {
    const { page, record } = this.#deps;
    const end = page.dependentsFrom[request + 1] as number;
    const phaseMs = this.#deps.phases?.[request] ?? 0;
    let at = this.#nextDependent[request] as number;
    for (; at < end && (page.dependentBytes[at] as number) <= there; at++) {
      const child = page.dependents[at] as number;
      const from = now + phaseMs + (page.dependentDelays[at] as number);
      if (from >= (this.#eligibleAt[child] as number)) {
        this.#eligibleAt[child] = from;
        record.causedBy[child] = request;
        record.causeAt[child] = now;
        record.causeBusy[child] = this.#transport?.busyMs(now) ?? 0;
        record.causeStall[child] = connection.stalledMs(now);
      }
      this.#missing[child] = (this.#missing[child] as number) - 1;
      if (this.#missing[child] === 0) this.#discoverAt(child, now);
    }
    this.#nextDependent[request] = at;
  }

  #discoverAt(request: number, now: number): void {
    const at = this.#eligibleAt[request] as number;
    if (at > now) this.#transport?.after(DISCOVER, request, at);
    else this.#discover(request, now);
  }

  #freed(connection: Connection, now: number): void {
    if (this.#blocking === 0 && this.#held.length > 0) {
      const held = this.#held;
      this.#held = [];
      for (const request of held) this.#pools[this.#deps.page.originOf[request] as number]?.submit(request, now);
    }
    if (!this.#pool(connection).retry(now)) this.#tryOthers(now);
    if (this.#released || this.#starved) this.#retryAll(now);
  }

  /** Fewer connections are active, and their own server has nothing to send: another may (OnMsgProcessPendingQ walks until one does). */
  #tryOthers(now: number): void {
    if (this.#pacing?.isLifted(this.#active)) this.#pools.some((pool) => this.#starved || pool.retry(now));
  }

  #admit(now: number): void {
    this.#tokenAt = Number.POSITIVE_INFINITY;
    for (const request of this.#pacing?.admit(now) ?? []) {
      if (!this.#pools[this.#deps.page.originOf[request] as number]?.retry(now)) this.#tryOthers(now);
    }
    this.waitForToken(now);
  }

  /** Until there is no room again: one more connection at the limit is all that another attempt could find. */
  #retryAll(now: number): void {
    const released = this.#released;
    this.#released = false;
    this.#starved = false;
    for (const pool of this.#pools) {
      pool.retry(now);
      if (this.#starved && !released) return;
    }
  }

  /** Closes an unused connection, whichever server it leads to. @returns whether there is room. */
  #makeRoom(transport: Transport, most: number): boolean {
    const open = transport.connections.filter(({ closed }) => !closed);
    if (open.length < most) return true;
    const idle = open.find((connection) => connection.idle);
    if (idle === undefined) return false;
    idle.closed = true;
    const { connections } = this.#pool(idle);
    connections.splice(connections.indexOf(idle), 1);
    return true;
  }

  #allow(connection: Connection, request: number, { bytes, window, now }: { bytes: number; window: number; now: number }): void {
    const unallowed = (this.#unallowed[request] as number) + bytes;
    const half = window >> 1;
    this.#unallowed[request] = unallowed >= half ? unallowed - half : unallowed;
    if (unallowed >= half) this.#transport?.allow(connection, request, now);
  }
}
