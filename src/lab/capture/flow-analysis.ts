/** What one direction of a connection did. */
import { type WindowRound, windowRounds } from './congestion-window.ts';
import { flightSteps, type InFlightPoint } from './in-flight.ts';
import type { PacketFlow } from './packet-flow.ts';
import { type ReceiveWindow, receiveWindow } from './receive-window.ts';
import { type RoundTrips, roundTrips } from './round-trips.ts';
import { type SlowStart, slowStart } from './slow-start.ts';

export interface FlowAnalysis {
  readonly packets: number;
  /** Segments with data, those sent again included; likewise the bytes. */
  readonly dataPackets: number;
  readonly dataBytes: number;
  /** Segments of which a byte of data had been seen before, and how many such bytes. Where a stream arrives, what was lost on the way is not among them. */
  readonly retransmittedPackets: number;
  readonly retransmittedBytes: number;
  /** From a segment to its acknowledgement, as the capture point sees it: the whole way only where the stream is sent. */
  readonly roundTrips: RoundTrips;
  /** Of the other side, for this direction. */
  readonly receiveWindow: ReceiveWindow;
  /** The rest only where the capture was made where the stream is sent, and it has data. */
  readonly sending?: SendingAnalysis;
}

export interface SendingAnalysis {
  readonly mostOutstandingBytes: number;
  /** By time, every change. */
  readonly inFlight: readonly InFlightPoint[];
  /** The congestion window, estimated round by round. */
  readonly rounds: readonly WindowRound[];
  readonly slowStart?: SlowStart;
}

export function flowAnalysis(flow: PacketFlow, { sentHere }: { readonly sentHere: boolean }): FlowAnalysis {
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
