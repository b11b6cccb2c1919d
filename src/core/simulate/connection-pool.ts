/** Who decides which connection of a server carries a request: one kind per way to a server. */
import type { Connection } from './connection.ts';

/** What a pool may do. */
export interface PoolPort {
  /** Opens a connection. `undefined`: the limit of connections in all is reached; it is asked again when one is free. */
  open(origin: number, now: number): Connection | undefined;
  /** Puts a request on a connection: at once where it stands, else as soon as it does. */
  assign(connection: Connection, request: number, now: number): void;
  /** Takes back the request that was last given to a connection that does not stand yet. */
  takeBack(connection: Connection): number;
  /** Wants `retry` to be called when the first request that waits for its token has it. */
  waitForToken(now: number): void;
  /** Wants `backup` to be called. */
  backupAt(connection: Connection, at: number): void;
  /** Whether requests that can be held back are. */
  heldBack(): boolean;
  /** As Firefox counts for its pacing: connections of HTTP/1.1 with requests outstanding, and all that are being opened. */
  active(): number;
}

export interface Pool {
  readonly connections: Connection[];
  /** Whether the pool is the browser's own, which holds requests back itself; the gateway's gets them when they may be sent. */
  readonly holds: boolean;
  /** The page needs a request; it may be held back until `submit`. */
  discovered(request: number, now: number): void;
  submit(request: number, now: number): void;
  /** A connection stands, and what was given to it is on its way. @returns whether a request was sent. */
  connected(connection: Connection, now: number): boolean;
  /** A connection has become free, or what held requests back is gone. @returns whether a request was sent. */
  retry(now: number): boolean;
  /** The time has come for a second one, should this one not stand yet. */
  backup(connection: Connection, now: number): void;
}
