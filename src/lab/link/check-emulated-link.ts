/**
 * Checks a link emulated per packet: RTT and both rates by plain TCP, with a queue so deep that slow start meets no loss and without the
 * link's own loss, jitter and trace; then those by what the relay counts of datagrams sent through the link as it is asked.
 */

import * as v from 'valibot';
import { PACKET_BYTES } from '../../core/tcp-constants.ts';
import type { RpcClient } from '../process/rpc.ts';
import { CLIENT_ADDRESS, type EmulatedLink } from './emulated-link.ts';
import { type LinkMeasurement, plainLink } from './link-check.ts';
import { DELIVERED_SLICE_MS, type LinkCounters } from './link-counters.ts';
import type { LinkSpec } from './link-spec.ts';
import { type LinkTrace, opportunitiesBetween } from './link-trace.ts';
import type { LinkTarget, UploadTarget } from './measure-link.ts';
import type { FloodOrder } from './probe-datagrams.ts';
import { traceOf } from './traces.ts';

/** Deep enough that slow start meets no loss while the rate is measured. */
const QUEUE_FOR_CHECK = 100_000;

/**
 * The sender is an instrument here, whatever the link's own is: the slow start of Reno goes on until the line is full. CUBIC leaves it
 * where delays rise (HyStart, RFC 9406), and then takes 11 s to fill 19 Mbit/s over 660 ms; BBR paces below the rate.
 */
const SENDER_FOR_CHECK = 'reno';

const checkedAs = (asked: LinkSpec): LinkSpec => ({ ...plainLink(asked), queue: QUEUE_FOR_CHECK, congestionControl: SENDER_FOR_CHECK });

/** What the processes at the ends do. */
interface CheckEnds {
  /** Connects and downloads. */
  download(expected: LinkSpec): Promise<{ readonly rttMs: number; readonly downKbps: number }>;
  /** @returns kbit/s. */
  upload(expected: LinkSpec): Promise<number>;
  /** Datagrams of the client to the server, or back. */
  flood(direction: 'down' | 'up', order: Omit<FloodOrder, 'address'>): Promise<void>;
}

/** Leaves the link in place as asked. */
export async function checkEmulatedLink(link: EmulatedLink, asked: LinkSpec, ends: CheckEnds): Promise<LinkMeasurement> {
  await link.setLink(checkedAs(asked));
  const down = await ends.download(asked);
  // What the sender has still on its way must not hold up the acknowledgements of the next transfer.
  await link.flush();
  const upKbps = await ends.upload(asked);
  await link.flush();
  const varied = isVaried(asked) ? await variedFigures(link, asked, ends) : {};
  const traced = asked.downTrace === undefined ? {} : await tracedFigure(link, { ...asked, downTrace: asked.downTrace }, ends);
  await link.setLink(asked);
  return { ...down, upKbps, ...varied, ...traced };
}

const isVaried = ({ lossDown = 0, lossUp = 0, jitterMs = 0 }: LinkSpec): boolean => lossDown > 0 || lossUp > 0 || jitterMs > 0;

/** Long enough for a hundred delays that do not remember each other. */
const FLOOD_MS = 2500;
/** Binomial bounds of 2,000 packets at 1 % are 0.1 to 1.9 %. */
const MAX_PROBES = 2000;
/** A small datagram, so that a slow uplink carries many. */
const PROBE_BYTES = 60;
/** Share of the line that probes take. */
const PROBE_LOAD = 0.8;

async function variedFigures(link: EmulatedLink, asked: LinkSpec, ends: CheckEnds): Promise<Partial<LinkMeasurement>> {
  const { downTrace: _downTrace, ...steady } = asked;
  await link.setLink({ ...steady, queue: QUEUE_FOR_CHECK });
  await link.resetCounters();
  const probes = (rateKbps: number) => ({
    packets: Math.max(1, Math.min(MAX_PROBES, Math.floor((PROBE_LOAD * rateKbps * FLOOD_MS) / (PROBE_BYTES * 8)))),
    packetBytes: PROBE_BYTES,
    durationMs: FLOOD_MS,
  });
  await Promise.all([ends.flood('down', probes(asked.downKbps)), ends.flood('up', probes(asked.upKbps))]);
  const counters = await link.counters();
  await link.flush();
  return { ...lossFigures(asked, counters), ...jitterFigure(asked, counters) };
}

function lossFigures({ lossDown = 0, lossUp = 0 }: LinkSpec, { down, up }: LinkCounters): Partial<LinkMeasurement> {
  if ((lossDown === 0 && lossUp === 0) || down.admitted === 0 || up.admitted === 0) return {};
  return {
    lossDown: down.lost / down.admitted,
    lossUp: up.lost / up.admitted,
    packetsDown: down.admitted,
    packetsUp: up.admitted,
  };
}

function jitterFigure({ jitterMs = 0 }: LinkSpec, { down, up }: LinkCounters): Partial<LinkMeasurement> {
  if (jitterMs === 0 || down.delaySdMs === undefined || up.delaySdMs === undefined) return {};
  return { jitterMs: Math.sqrt((down.delaySdMs ** 2 + up.delaySdMs ** 2) / 2) };
}

/** How long a traced line is kept busy: twenty tenths of a second, which the trace makes unlike each other. */
const BUSY_MS = 2000;
/** More than the trace's best tenth of a second, so that the line never waits. */
const BUSY_LOAD = 1.1;

/** What a traced line lets through, without loss and jitter, against what the trace has room for. */
async function tracedFigure(
  link: EmulatedLink,
  asked: LinkSpec & { readonly downTrace: string },
  ends: CheckEnds,
): Promise<Partial<LinkMeasurement>> {
  const trace = traceOf(asked.downTrace);
  await link.setLink({ ...checkedAs(asked), downTrace: asked.downTrace });
  // Begins the trace.
  await link.resetCounters();
  await ends.flood('down', busyFlood(trace));
  const { deliveredBytes, traceAtResetMs = 0 } = await link.counters();
  await link.flush();
  // The first tenths, in which the link fills, are left out, and the last, which are not over yet when the flood is.
  const first = Math.ceil(asked.rttMs / 2 / DELIVERED_SLICE_MS) + 1;
  const last = BUSY_MS / DELIVERED_SLICE_MS - 2;
  const arrived = deliveredBytes.slice(first, last).reduce((sum, bytes) => sum + bytes, 0);
  const leftAtMs = (slice: number) => traceAtResetMs + slice * DELIVERED_SLICE_MS - asked.rttMs / 2;
  const room = opportunitiesBetween(trace, leftAtMs(first), leftAtMs(last)) * PACKET_BYTES;
  return room === 0 ? {} : { traceShare: arrived / room };
}

function busyFlood(trace: LinkTrace): Omit<FloodOrder, 'address'> {
  const slices = Array.from({ length: BUSY_MS / DELIVERED_SLICE_MS }, (_, slice) =>
    opportunitiesBetween(trace, slice * DELIVERED_SLICE_MS, (slice + 1) * DELIVERED_SLICE_MS),
  );
  return { packets: Math.ceil(BUSY_LOAD * Math.max(1, ...slices) * slices.length), packetBytes: PACKET_BYTES, durationMs: BUSY_MS };
}

const positive = v.pipe(v.number(), v.finite(), v.gtValue(0));
const downloadAnswer = v.object({ rttMs: positive, downKbps: positive });

interface CheckEndsOptions {
  readonly client: RpcClient;
  readonly server: RpcClient;
  readonly target: { readonly host: string; readonly port: number };
  /** Longest that any of it may take. */
  readonly timeoutMs: number;
}

/** Has the processes at the two ends of a link do what its check needs, over their own connections to the command. */
export function checkEnds({ client, server, target, timeoutMs }: CheckEndsOptions): CheckEnds {
  return {
    download: ({ rttMs, downKbps }) => {
      const wanted: LinkTarget = { ...target, expectedRttMs: rttMs, expectedDownKbps: downKbps };
      return client.ask('measure-link', wanted, { answer: downloadAnswer, timeoutMs });
    },
    upload: ({ rttMs, upKbps }) => {
      const wanted: UploadTarget = { ...target, expectedRttMs: rttMs, expectedUpKbps: upKbps };
      return client.ask('measure-upload', wanted, { answer: positive, timeoutMs });
    },
    flood: async (direction, order) => {
      const [sender, address] = direction === 'down' ? [server, CLIENT_ADDRESS] : [client, target.host];
      await sender.call('flood', { ...order, address }, { timeoutMs });
    },
  };
}
