/**
 * The emulator for machines without namespaces: a TCP relay in front of every server. It delays the connection by a round
 * trip and every byte by half of one, and sends at the link's rate, all connections sharing the line; it knows no packets,
 * so there is no loss, no slow start and no queue. Labelled `relay` wherever its figures are shown.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { PlumbfoxError } from '../../core/errors.ts';
import { SEGMENT_BYTES } from '../../core/tcp-constants.ts';
import { serveRpc } from '../process/rpc.ts';
import type { LinkSpec } from './link-spec.ts';
import { orderedTimers } from './relay-timers.ts';
import { linkDirections, type ShapedDirection, seedsOfDirections, shapedDirection } from './shaped-direction.ts';
import { traceOf } from './traces.ts';

/** Bytes are put on the line in pieces of a full-size packet's payload, so that connections share it fairly. */
const PIECE_BYTES = SEGMENT_BYTES;
const HEADER_BYTES = 40;
/** Bytes of one connection on their way before its sender is made to wait; above any bandwidth-delay product of the lab. */
const MAX_IN_FLIGHT_BYTES = 4 << 20;

/** What Node's timers and two sockets add to a round trip. Measured on a busy 2-core machine: 1.5 ms. */
const OVERHEAD_MS = 1.5;

const NEVER_FULL = Number.MAX_SAFE_INTEGER;
const down = shapedDirection({ delayMs: 0, rateKbps: 1_000_000, queuePackets: NEVER_FULL });
const up = shapedDirection({ delayMs: 0, rateKbps: 1_000_000, queuePackets: NEVER_FULL });
let rttMs = 0;
const servers: Server[] = [];
const sockets = new Set<Socket>();

/** @param notBeforeMs - Nothing is passed on earlier: the connection is not up yet. */
function pass(direction: ShapedDirection, { from, to, notBeforeMs }: { from: Socket; to: Socket; notBeforeMs: number }): void {
  let inFlight = 0;
  let lastDueMs = notBeforeMs;
  const at = orderedTimers(
    () => performance.now(),
    (action, delayMs) => {
      setTimeout(action, delayMs);
    },
  );
  from.on('data', (chunk: Buffer) => {
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      const piece = chunk.subarray(start, start + PIECE_BYTES);
      const dueMs = direction.admit(piece.length + HEADER_BYTES, Math.max(performance.now(), notBeforeMs)) ?? lastDueMs;
      lastDueMs = Math.max(lastDueMs, dueMs);
      inFlight += piece.length;
      at(lastDueMs, () => {
        inFlight -= piece.length;
        if (!to.destroyed) to.write(piece);
        if (from.isPaused() && inFlight < MAX_IN_FLIGHT_BYTES) from.resume();
      });
    }
    if (inFlight >= MAX_IN_FLIGHT_BYTES) from.pause();
  });
  from.on('end', () => at(lastDueMs, () => to.end()));
  from.on('error', () => to.destroy());
  from.on('close', () => at(lastDueMs, () => to.destroy()));
}

/** What would not be emulated must not be shown as if it were. @throws PlumbfoxError `environment` */
function refuseWhatNeedsPackets({ name, lossDown = 0, lossUp = 0, initialWindow, receiveBufferBytes, congestionControl }: LinkSpec): void {
  const asksOfEnds = [initialWindow, receiveBufferBytes, congestionControl].some((each) => each !== undefined);
  if (lossDown === 0 && lossUp === 0 && !asksOfEnds) return;
  throw new PlumbfoxError(
    'environment',
    `Link ${name} has loss, an initial window, a receive buffer or a congestion control of its own, which the relay emulator does not know: namespaces are needed`,
  );
}

async function relayTo(port: number): Promise<number> {
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    const upstream = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    const upAtMs = performance.now() + rttMs;
    pass(up, { from: client, to: upstream, notBeforeMs: upAtMs });
    pass(down, { from: upstream, to: client, notBeforeMs: upAtMs });
  });
  server.listen(0, '127.0.0.1', 1024);
  await once(server, 'listening');
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

serveRpc(
  {
    relay: (ports: readonly number[]) => Promise.all(ports.map(relayTo)),
    /** Drops what is in flight: a download that was broken off must not fill the line. */
    flush: () => {
      for (const socket of sockets) socket.destroy();
      down.flush();
      up.flush();
    },
    weather: (seed: number) => {
      const [downSeed, upSeed] = seedsOfDirections(seed);
      down.weather(downSeed, performance.now());
      up.weather(upSeed, performance.now());
    },
    'set-link': (link: LinkSpec) => {
      refuseWhatNeedsPackets(link);
      rttMs = link.rttMs;
      const downTrace = link.downTrace === undefined ? undefined : traceOf(link.downTrace);
      const directions = linkDirections(link, { overheadMs: OVERHEAD_MS, downTrace });
      down.set({ ...directions.down, queuePackets: NEVER_FULL });
      up.set({ ...directions.up, queuePackets: NEVER_FULL });
    },
  },
  async () => {
    for (const server of servers) server.close();
    for (const socket of sockets) socket.destroy();
  },
);
