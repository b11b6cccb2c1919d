/** From the bytes of a capture file to what every TCP connection in it did. */

import { type SlowStart, slowStart, type WindowRound, windowRounds } from './congestion-window.ts';
import { type ConnectionPackets, connectionPackets, type Endpoint, type Handshake } from './connection-packets.ts';
import {
  type HttpExchange,
  leastUnqueuedMs,
  type OutstandingStep,
  requestsOutstanding,
  timedExchanges,
  withHeadOfLine,
} from './http-exchanges.ts';
import { flightSteps, type InFlightPoint, type ReceiveWindow, receiveWindow } from './in-flight.ts';
import type { PacketFlow } from './packet-flow.ts';
import { readPcap } from './pcap-file.ts';
import { type RoundTrips, roundTrips } from './round-trips.ts';
import { tcpSegments } from './tcp-segment.ts';

/** Where a capture was made: what the server sends is then seen as it is sent, or as it arrives. */
type CapturePoint = 'server' | 'client';

export interface CaptureAnalysis {
  /** When the first packet was taken, ms since 1970; absent: there is none. All other times count from it. */
  readonly startedAtEpochMs?: number;
  readonly endMs: number;
  readonly capturePoint: CapturePoint;
  /** Bytes kept of every packet at most. */
  readonly snapLengthBytes: number;
  readonly packets: number;
  /** Packets that are no TCP in IPv4, and are not looked at. */
  readonly otherPackets: number;
  /** Bytes at the end of the file that are no whole record: the capture was not stopped in good order. 0: it was. */
  readonly brokenOffBytes: number;
  /** In the order of their first packets. */
  readonly connections: readonly ConnectionAnalysis[];
}

export interface ConnectionAnalysis {
  /** From 1, by first packet. */
  readonly number: number;
  readonly client: Endpoint;
  readonly server: Endpoint;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly handshake: Handshake;
  /** Absent: it was still open when the capture ended. */
  readonly closedBy?: 'fin' | 'reset';
  readonly capturePoint: CapturePoint;
  /** From the client to the server. */
  readonly up: FlowAnalysis;
  readonly down: FlowAnalysis;
  /** Empty: no plain HTTP/1.1, or nothing was asked. */
  readonly exchanges: readonly HttpExchange[];
  /** More was asked or answered than could be told apart, because not all of its bytes were kept. */
  readonly exchangesCutOff: boolean;
  /** Counts only exchanges whose end is known, where some were cut off. */
  readonly outstanding: readonly OutstandingStep[];
  /** The packets themselves, for pictures; not in the JSON. */
  readonly flows: { readonly up: PacketFlow; readonly down: PacketFlow };
}

interface AnalyseOptions {
  /** Where the capture was made, for connections whose handshake does not tell. Absent: as most others tell, or at the server. */
  readonly capturePoint?: CapturePoint;
}

/** @throws PlumbfoxError `bad-input` for what is no capture that is read here; the message says why. */
export function analyseCapture(bytes: Uint8Array, options: AnalyseOptions = {}): CaptureAnalysis {
  const file = readPcap(bytes);
  const { segments, otherPackets } = tcpSegments(file);
  const connections = connectionPackets(segments);
  const capturePoint = options.capturePoint ?? usualPoint(connections);
  const { startedAtEpochMs, snapLengthBytes, brokenOffBytes } = file;
  return {
    ...(startedAtEpochMs !== undefined && { startedAtEpochMs }),
    endMs: file.records.at(-1)?.atMs ?? 0,
    capturePoint,
    snapLengthBytes,
    packets: file.records.length,
    otherPackets,
    brokenOffBytes,
    connections: analysed(connections, capturePoint),
  };
}

function analysed(connections: readonly ConnectionPackets[], usual: CapturePoint): readonly ConnectionAnalysis[] {
  const timed = connections.map((packets) => {
    const capturePoint = pointOf(packets.handshake) ?? usual;
    const fromHandshake = packets.handshake.synMs !== undefined || packets.handshake.synAckMs !== undefined;
    const timing = timedExchanges(packets.up, packets.down, { sentHere: capturePoint === 'server', fromHandshake });
    return { packets, capturePoint, ...timing, unqueuedMs: leastUnqueuedMs(timing.exchanges) };
  });
  const leastOfServer = new Map<string, number>();
  for (const { packets, unqueuedMs } of timed) {
    const key = serverKey(packets.server);
    if (unqueuedMs !== undefined) leastOfServer.set(key, Math.min(unqueuedMs, leastOfServer.get(key) ?? unqueuedMs));
  }
  return timed.map(({ packets, capturePoint, exchanges: known, cutOff }, at) => {
    const { client, server, firstMs, lastMs, handshake, closedBy, up, down } = packets;
    const exchanges = known.map((each) => withHeadOfLine(each, leastOfServer.get(serverKey(server))));
    return {
      number: at + 1,
      ...{ client, server, firstMs, lastMs, handshake, capturePoint, exchanges },
      ...(closedBy && { closedBy }),
      exchangesCutOff: cutOff,
      up: flowAnalysis(up, { sentHere: capturePoint === 'client' }),
      down: flowAnalysis(down, { sentHere: capturePoint === 'server' }),
      outstanding: requestsOutstanding(cutOff ? exchanges.filter(({ endMs }) => endMs !== undefined) : exchanges),
      flows: { up, down },
    };
  });
}

const serverKey = ({ address, port }: Endpoint): string => `${address}:${port}`;

/** The half of the handshake that takes the way to the other side is the longer. */
function pointOf({ synMs, synAckMs, completeMs }: Handshake): CapturePoint | undefined {
  if (synMs === undefined || synAckMs === undefined || completeMs === undefined) return undefined;
  const [here, there] = [synAckMs - synMs, completeMs - synAckMs];
  return here === there ? undefined : here < there ? 'server' : 'client';
}

function usualPoint(connections: readonly ConnectionPackets[]): CapturePoint {
  const points = connections.map(({ handshake }) => pointOf(handshake));
  return points.filter((point) => point === 'client').length > points.filter((point) => point === 'server').length ? 'client' : 'server';
}

/** The analysis of one direction of a connection. */
export interface FlowAnalysis {
  readonly packets: number;
  /** Segments with data, those sent again included; likewise the bytes. */
  readonly dataPackets: number;
  readonly dataBytes: number;
  /**
   * Segments of which a byte of data had been seen before, and how many such bytes. Where a stream arrives, what was lost on the way is not among
   * them.
   */
  readonly retransmittedPackets: number;
  readonly retransmittedBytes: number;
  /** From a segment to its acknowledgement, as the capture point sees it: the whole way only where the stream is sent. */
  readonly roundTrips: RoundTrips;
  /** The other side's window for this direction. */
  readonly receiveWindow: ReceiveWindow;
  /** The rest only where the capture was made where the stream is sent, and it has data. */
  readonly sending?: SendingAnalysis;
}

export interface SendingAnalysis {
  readonly mostOutstandingBytes: number;
  /** Every change, in order of time. */
  readonly inFlight: readonly InFlightPoint[];
  /** The congestion window, estimated round by round. */
  readonly rounds: readonly WindowRound[];
  readonly slowStart?: SlowStart;
}

function flowAnalysis(flow: PacketFlow, { sentHere }: { readonly sentHere: boolean }): FlowAnalysis {
  const data = flow.sent.filter(({ dataBytes }) => dataBytes > 0);
  const again = data.filter(({ againBytes }) => againBytes > 0);
  return {
    packets: flow.packets,
    dataPackets: data.length,
    dataBytes: data.reduce((sum, { dataBytes }) => sum + dataBytes, 0),
    retransmittedPackets: again.length,
    retransmittedBytes: again.reduce((sum, { againBytes }) => sum + againBytes, 0),
    roundTrips: roundTrips(flow),
    receiveWindow: receiveWindow(flow),
    ...(sentHere && data.length > 0 && { sending: sendingAnalysis(flow) }),
  };
}

function sendingAnalysis(flow: PacketFlow): SendingAnalysis {
  const steps = flightSteps(flow);
  const segmentBytes = flow.sent.reduce((most, { dataBytes }) => Math.max(most, dataBytes), 0);
  const rounds = windowRounds(steps, segmentBytes);
  const start = slowStart(rounds);
  return {
    mostOutstandingBytes: steps.reduce((most, { outstandingBytes }) => Math.max(most, outstandingBytes), 0),
    inFlight: steps.map(({ atMs, outstandingBytes, flightBytes }) => ({ atMs, outstandingBytes, flightBytes })),
    rounds,
    ...(start && { slowStart: start }),
  };
}

/** Raised when a member changes its meaning or goes. Members may join. */
const CAPTURE_JSON_VERSION = 1;

/** Times in ms after the first packet, sizes in bytes. What is not known is absent. The members are described where they are declared. */
export interface CaptureJson extends Omit<CaptureAnalysis, 'connections'> {
  readonly kind: 'plumbfox-capture';
  readonly version: typeof CAPTURE_JSON_VERSION;
  readonly connections: readonly ConnectionJson[];
}

/** Without the packets of its two directions. */
type ConnectionJson = Omit<ConnectionAnalysis, 'flows'>;

/** The analysis without its packets. */
export function captureJson({ connections, ...facts }: CaptureAnalysis): CaptureJson {
  return {
    kind: 'plumbfox-capture',
    version: CAPTURE_JSON_VERSION,
    ...facts,
    connections: connections.map(({ flows: _packets, ...connection }) => connection),
  };
}
