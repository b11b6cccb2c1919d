/** Which part of a capture is one load, and that load in one line of figures. */
import type { CaptureAnalysis, ConnectionAnalysis } from './capture-analysis.ts';
import { type HttpExchange, mostOutstanding, requestsOutstanding } from './http-exchanges.ts';

/** The stretch of a capture that is one load, ms of the capture. */
export interface CaptureWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * From when the load began to the end of its last response, ms of the capture. It begins with the first request of which `isOfLoad` holds, or with the
 * SYN of that request's connection where it is the first on it. It ends when the client had all: seen from the server with its acknowledgement,
 * so that both ends are half a round trip late and the time between is the client's. Absent `isOfLoad`: all requests of the capture.
 * `undefined`: none was answered.
 */
export function captureWindow(analysis: CaptureAnalysis, isOfLoad: (target: string) => boolean = () => true): CaptureWindow | undefined {
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  for (const { exchanges, handshake, capturePoint } of analysis.connections) {
    for (const [at, { target, requestMs, endMs, acknowledgedMs }] of exchanges.entries()) {
      if (!isOfLoad(target)) continue;
      fromMs = Math.min(fromMs, (at === 0 ? handshake.synMs : undefined) ?? requestMs);
      if (endMs !== undefined) toMs = Math.max(toMs, (capturePoint === 'server' ? acknowledgedMs : undefined) ?? endMs);
    }
  }
  return toMs >= fromMs ? { fromMs, toMs } : undefined;
}

export interface ConnectionInWindow {
  readonly connection: ConnectionAnalysis;
  /** Asked in the window, with their place on the connection, from 0. */
  readonly exchanges: readonly { readonly exchange: HttpExchange; readonly place: number }[];
  /** When the last before each ended: where head-of-line waiting ends. */
  readonly previousEndMs: (place: number) => number | undefined;
}

/** Those that were opened in the window or asked something in it, by first packet. */
export function connectionsInWindow({ connections }: CaptureAnalysis, { fromMs, toMs }: CaptureWindow): readonly ConnectionInWindow[] {
  const within = (ms: number | undefined): boolean => ms !== undefined && ms >= fromMs && ms <= toMs;
  return connections.flatMap((connection) => {
    const exchanges = connection.exchanges
      .map((exchange, place) => ({ exchange, place }))
      .filter(({ exchange }) => within(exchange.requestMs));
    if (exchanges.length === 0 && !within(connection.handshake.synMs)) return [];
    return [{ connection, exchanges, previousEndMs: (place: number) => connection.exchanges[place - 1]?.endMs }];
  });
}

interface CaptureFigures {
  /** From the window's beginning to its end, ms: see `captureWindow`. */
  readonly durationMs: number;
  /** That asked something; and how many of them were opened in the window. */
  readonly connections: number;
  readonly opened: number;
  readonly requests: number;
  /** At the same moment, on all connections. */
  readonly mostOutstandingRequests: number;
  /** Sums over the requests whose waiting is known; see `HttpExchange.headOfLineMs`. */
  readonly headOfLineMs: { readonly requests: number; readonly sum: number; readonly most: number };
  /** Sent by the server, on these connections, in the window. */
  readonly dataPackets: number;
  readonly retransmittedPackets: number;
  /** The largest congestion window estimated on any of them, bytes; absent: captured at the client. */
  readonly mostWindowBytes?: number;
}

/** Sums up a load in one line of figures, to set beside another's. */
export function captureFigures(analysis: CaptureAnalysis, window: CaptureWindow): CaptureFigures {
  const within = (ms: number): boolean => ms >= window.fromMs && ms <= window.toMs;
  const used = connectionsInWindow(analysis, window).filter(({ exchanges }) => exchanges.length > 0);
  const exchanges = used.flatMap((each) => each.exchanges.map(({ exchange }) => exchange));
  const waits = exchanges.flatMap(({ headOfLineMs }) => headOfLineMs ?? []);
  const data = used.flatMap(({ connection }) => connection.flows.down.sent.filter(({ dataBytes, atMs }) => dataBytes > 0 && within(atMs)));
  const windows = used.flatMap(({ connection }) =>
    (connection.down.sending?.rounds ?? []).filter(({ fromMs, toMs }) => toMs >= window.fromMs && fromMs <= window.toMs),
  );
  return {
    durationMs: window.toMs - window.fromMs,
    connections: used.length,
    opened: used.filter(({ connection: { handshake } }) => handshake.synMs !== undefined && within(handshake.synMs)).length,
    requests: exchanges.length,
    mostOutstandingRequests: mostOutstanding(requestsOutstanding(exchanges)),
    headOfLineMs: {
      requests: waits.filter((wait) => wait > 0).length,
      sum: waits.reduce((sum, wait) => sum + wait, 0),
      most: waits.reduce((most, wait) => Math.max(most, wait), 0),
    },
    dataPackets: data.length,
    retransmittedPackets: data.filter(({ againBytes }) => againBytes > 0).length,
    ...(windows.length > 0 && { mostWindowBytes: windows.reduce((most, { bytes }) => Math.max(most, bytes), 0) }),
  };
}
