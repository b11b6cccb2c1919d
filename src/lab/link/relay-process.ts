/**
 * The packet relay, a separate process so that nothing else delays its timers: takes IP packets as UDP datagrams from
 * the two TUN devices, and passes each on when the shaped link lets it out.
 */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isMainThread } from 'node:worker_threads';
import { serveRpc } from '../process/rpc.ts';
import { connectionCounts } from './connection-counts.ts';
import { type DirectionCount, deliveredBytes, type LinkCounters } from './link-counters.ts';
import type { LinkSpec } from './link-spec.ts';
import { alarm, overloadWatch, runAlarmThread, sharedNowMs } from './relay-timers.ts';
import { type DirectionSetting, linkDirections, type ShapedDirection, seedsOfDirections, shapedDirection } from './shaped-direction.ts';
import { traceOf } from './traces.ts';

/** A packet due within this time goes at once: waking up costs about as much. Measured: 0.1-0.2 ms. */
const EARLY_MS = 0.1;

interface End {
  readonly socket: Socket;
  send(packet: Buffer): void;
}

interface OpenEnd extends End {
  readonly port: number;
  /** Settles with the first packet of its TUN device; from then on it listens to that sender only. */
  readonly joined: Promise<void>;
}

async function openEnd(): Promise<OpenEnd> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4 << 20, sendBufferSize: 4 << 20 });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  // A datagram that the TUN side refuses for a moment is a lost packet, as on any link.
  socket.on('error', () => {});
  const joined = once(socket, 'message').then(async ([, sender]) => {
    socket.connect((sender as RemoteInfo).port, '127.0.0.1');
    await once(socket, 'connect');
  });
  return { socket, port: socket.address().port, joined, send: (packet) => socket.send(packet, () => {}) };
}

interface Relay {
  /** Drops what is in flight. */
  flush(): void;
  close(): Promise<void>;
}

interface Way {
  readonly from: Socket;
  readonly to: End;
  /** A packet has come to the link; `dueMs`: when it leaves it, `undefined` where it is dropped or lost. */
  readonly arrived: (packet: Buffer, times: { readonly atMs: number; readonly dueMs: number | undefined }) => void;
  /** A packet has left it, when it was due. */
  readonly left: (packetBytes: number, dueMs: number) => void;
}

function relay(direction: ShapedDirection, { from, to, arrived, left }: Way): Relay {
  let inFlight: { packet: Buffer; dueMs: number }[] = [];
  const release = () => {
    const nowMs = sharedNowMs();
    let next = inFlight[0];
    while (next && next.dueMs <= nowMs + EARLY_MS) {
      to.send(next.packet);
      left(next.packet.length, next.dueMs);
      inFlight.shift();
      next = inFlight[0];
    }
    if (next) clock.set(next.dueMs);
  };
  const clock = alarm(new URL(import.meta.url), release);
  from.on('message', (packet) => {
    const atMs = sharedNowMs();
    const dueMs = direction.admit(packet.length, atMs);
    arrived(packet, { atMs, dueMs });
    if (dueMs === undefined) return;
    inFlight.push({ packet, dueMs });
    if (inFlight.length === 1) clock.set(dueMs);
  });
  return {
    flush: () => {
      inFlight = [];
      direction.flush();
    },
    close: () => clock.close(),
  };
}

function countOf(direction: ShapedDirection): DirectionCount {
  const delaySdMs = direction.delaySdMs();
  return { ...direction.counters, ...(delaySdMs !== undefined && { delaySdMs }) };
}

/** Usage of the thread that carries the packets: the others may have their own processors. */
const usageNow = () => ({ busyMs: performance.eventLoopUtilization().active, nowMs: performance.now() });

/** Ends the process, and with it the lane, rather than emulate something else than was asked; prints what kept it busy. */
function endWhenOverloaded(ways: { readonly down: ShapedDirection; readonly up: ShapedDirection }): void {
  const watch = overloadWatch(usageNow());
  const packets = (direction: ShapedDirection) => direction.counters.admitted + direction.counters.dropped;
  // Many turns and few packets: it does not carry, it waits without rest.
  const counts = () => ({ down: packets(ways.down), up: packets(ways.up), turns: performance.nodeTiming.uvMetricsInfo.loopCount });
  let before = counts();
  setInterval(() => {
    const now = counts();
    const share = watch.look(usageNow());
    if (share !== undefined) {
      const carried = `${now.down - before.down} packets down and ${now.up - before.up} up in the last second, ${now.turns - before.turns} turns of its loop`;
      const why = `It cannot keep up: it was busy ${Math.round(share * 100)} % of the time, for seconds on end; ${carried}`;
      process.stderr.write(`${why}\n`, () => process.exit(1));
    }
    before = now;
  }, 1000).unref();
}

async function main(): Promise<void> {
  const OPEN: DirectionSetting = { delayMs: 0, rateKbps: 1_000_000, queuePackets: 1000 };
  const down = shapedDirection(OPEN);
  const up = shapedDirection(OPEN);
  endWhenOverloaded({ down, up });
  const client = await openEnd();
  const server = await openEnd();
  const relays: Relay[] = [];
  const connections = connectionCounts();
  const delivered = deliveredBytes(sharedNowMs());
  let traceAtResetMs: number | undefined;
  const joined = Promise.all([client.joined, server.joined]).then(() => {
    relays.push(
      relay(up, { from: client.socket, to: server, arrived: (packet, { atMs }) => connections.up(packet, atMs), left: () => {} }),
      relay(down, {
        from: server.socket,
        to: client,
        arrived: (packet, { dueMs }) => connections.down(packet, dueMs),
        left: delivered.add,
      }),
    );
  });

  serveRpc(
    {
      ports: () => ({ client: client.port, server: server.port }),
      /** Settles when both ends have sent something. */
      joined: () => joined,
      /** `overheadMs`: what a round trip takes through an open link, TUN devices and sockets; it counts towards the RTT requested. */
      'set-link': ({ link, overheadMs }: { link: LinkSpec; overheadMs: number }) => {
        const downTrace = link.downTrace === undefined ? undefined : traceOf(link.downTrace);
        const directions = linkDirections(link, { overheadMs, downTrace });
        down.set(directions.down);
        up.set(directions.up);
      },
      weather: (seed: number) => {
        const nowMs = sharedNowMs();
        const [downSeed, upSeed] = seedsOfDirections(seed);
        down.weather(downSeed, nowMs);
        up.weather(upSeed, nowMs);
      },
      flush: () => {
        for (const each of relays) each.flush();
      },
      counters: (): LinkCounters => ({
        down: countOf(down),
        up: countOf(up),
        deliveredBytes: delivered.read(),
        connections: connections.read(),
        ...(traceAtResetMs !== undefined && { traceAtResetMs }),
      }),
      'counters-reset': () => {
        const nowMs = sharedNowMs();
        for (const each of [down, up]) each.resetCounters();
        connections.reset();
        delivered.reset(nowMs);
        traceAtResetMs = down.traceAtMs(nowMs);
      },
    },
    async () => {
      client.socket.close();
      server.socket.close();
      await Promise.all(relays.map((each) => each.close()));
    },
  );
}

if (isMainThread) await main();
else runAlarmThread();
