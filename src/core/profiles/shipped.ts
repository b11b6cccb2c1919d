/** Firefox's own values. Each is read from the catalogue, which has its source; nothing else in `src` states one. */
import {
  BACKUP_AFTER,
  findKnob,
  HTTP2_CONCURRENT,
  HTTP2_PULL_ALLOWANCE,
  HTTP2_PUSH_ALLOWANCE,
  HTTP3_MAX_STREAM_DATA,
  KEEP_ALIVE,
  PACING_BURST,
  PACING_MIN_PARALLELISM,
  PACING_PER_SECOND,
  PER_PROXY,
  PER_SERVER,
  READ_COUNT,
  READ_SIZE,
  SPECULATIVE_CONNECTIONS,
  TOTAL_CONNECTIONS,
  URGENT_START,
} from './catalogue.ts';

/** Firefox's own values on the desktop: what holds where a profile sets nothing. */
export const SHIPPED = {
  /** HTTP/1.1 connections per server. */
  perServer: shipped(PER_SERVER),
  /** Connections to a proxy, and so requests at once through the gateway. */
  perProxy: shipped(PER_PROXY),
  totalConnections: shipped(TOTAL_CONNECTIONS),
  /** Connections beyond the limit that a document's own request may open. */
  urgentStart: shipped(URGENT_START),
  /** Connections being opened, to all servers together, from which on none is opened ahead of need. */
  speculativeConnections: shipped(SPECULATIVE_CONNECTIONS),
  /** A handshake unanswered for this long gets a second, backup connection, ms. */
  backupAfterMs: shipped(BACKUP_AFTER),
  /** An unused connection is closed after so long, ms; the preference is in seconds. */
  keepAliveMs: shipped(KEEP_ALIVE) * 1000,
  /** Active connections up to which no request is paced. */
  pacedAbove: shipped(PACING_MIN_PARALLELISM),
  pacedPerSecond: shipped(PACING_PER_SECOND),
  pacedBurst: shipped(PACING_BURST),
  /** HTTP/2 streams where the server sets no limit. */
  http2Streams: shipped(HTTP2_CONCURRENT),
  http2PullAllowance: shipped(HTTP2_PULL_ALLOWANCE),
  http2PushAllowance: shipped(HTTP2_PUSH_ALLOWANCE),
  http3StreamData: shipped(HTTP3_MAX_STREAM_DATA),
  /** Bytes read from a socket at a time, and how many such reads may wait. */
  readSize: shipped(READ_SIZE),
  readCount: shipped(READ_COUNT),
} as const;

function shipped(preference: string): number {
  const value = findKnob(preference)?.defaults.desktop;
  if (typeof value !== 'number') throw new RangeError(`${preference} has no number as its default in the catalogue`);
  return value;
}
