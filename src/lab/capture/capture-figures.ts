/** A load in one line of figures, to set beside another's. */
import type { CaptureAnalysis } from './capture-analysis.ts';
import { mostOutstanding, requestsOutstanding } from './http-exchanges.ts';
import { type CaptureWindow, connectionsInWindow } from './load-window.ts';

export interface CaptureFigures {
  /** From the window's beginning to its end, ms: see `captureWindow`. */
  readonly durationMs: number;
  /** That asked something; and how many of them were opened in the window. */
  readonly connections: number;
  readonly opened: number;
  readonly requests: number;
  /** At the same moment, on all connections. */
  readonly mostOutstandingRequests: number;
  /** Of the requests whose waiting is known; see `HttpExchange.headOfLineMs`. */
  readonly headOfLineMs: { readonly requests: number; readonly sum: number; readonly most: number };
  /** Sent by the server, on these connections, in the window. */
  readonly dataPackets: number;
  readonly retransmittedPackets: number;
  /** The largest congestion window estimated on any of them, bytes; absent: captured at the client. */
  readonly mostWindowBytes?: number;
}

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
