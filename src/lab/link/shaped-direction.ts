/**
 * One direction of an emulated link, decided packet by packet: a drop-tail queue counted in packets, serialisation at the rate or at the
 * moments of a trace, random loss on the way, then the propagation delay with its jitter. Pure: the clock is passed in, draws are seeded.
 */
import { type Random, seededRandom } from '../../core/random.ts';
import { WIRE_BYTES_PER_PAYLOAD_BYTE } from '../../core/tcp-constants.ts';
import { runningDeviation, varyingDelay } from './jitter.ts';
import type { LinkSpec } from './link-spec.ts';
import { type LinkTrace, type TracedLine, tracedLine, tracePeriodMs } from './link-trace.ts';

export interface DirectionSetting {
  readonly delayMs: number;
  readonly rateKbps: number;
  /** Packets that may wait for the line, the one being sent included. */
  readonly queuePackets: number;
  /** Share of packets lost after they were sent, 0 to 1. Absent: none. */
  readonly lossShare?: number;
  /** Standard deviation of the delay. Absent: it never varies. */
  readonly jitterMs?: number;
  /** In place of the rate: when packets may leave. */
  readonly trace?: LinkTrace;
  /** Draws losses and jitter. Absent: 1. */
  readonly seed?: number;
}

export interface DirectionCounters {
  /** Packets that found room in the queue; those that were lost afterwards are among them. */
  admitted: number;
  /** Packets that found the queue full. */
  dropped: number;
  /** Packets lost at random. */
  lost: number;
  /** IP bytes of the packets admitted. */
  bytes: number;
}

export interface ShapedDirection {
  /** When a packet arriving now leaves the link, never before those that came earlier; `undefined` when it is dropped or lost. */
  admit(packetBytes: number, nowMs: number): number | undefined;
  /** Losses, jitter and trace go on where they were, unless they are other ones now; what `weather` set is over. */
  set(setting: DirectionSetting): void;
  /** Losses and jitter restart from this seed, and the trace at a place drawn from it. */
  weather(seed: number, nowMs: number): void;
  /** Forgets what is on the line and in the queue. */
  flush(): void;
  readonly counters: DirectionCounters;
  /** Standard deviation of the delays given since the counters were reset, where there is jitter. */
  delaySdMs(): number | undefined;
  /** Where in its trace the line is, ms since that began; absent without a trace. */
  traceAtMs(nowMs: number): number | undefined;
  resetCounters(): void;
}

/** Time to put a packet on a line whose rate is requested in TCP payload; 1 kbit/s is 1 bit/ms. */
export const serialisationMs = (packetBytes: number, rateKbps: number): number =>
  (packetBytes * 8) / (rateKbps * WIRE_BYTES_PER_PAYLOAD_BYTE);

/** Draws of one direction are apart from each other, so that jitter changes no loss. */
const LOSS_DRAWS = 0;
const JITTER_DRAWS = 1;
const TRACE_DRAWS = 2;
const PURPOSES = 3;
const seedOf = ({ seed = 1 }: DirectionSetting, purpose: number): number => PURPOSES * seed + purpose;
const drawsOf = (setting: DirectionSetting, purpose: number): Random => seededRandom(seedOf(setting, purpose));

export function shapedDirection(initial: DirectionSetting): ShapedDirection {
  let setting = initial;
  let lossDraws = drawsOf(initial, LOSS_DRAWS);
  let delayAt = delayOf(initial);
  let traced: { readonly line: TracedLine; readonly startMs: number } | undefined;
  /** When the line falls idle, and when the last packet leaves the link. */
  let lineFreeAtMs = 0;
  let lastOutMs = 0;
  const queue = departures();
  const delays = runningDeviation();
  const counters: DirectionCounters = { admitted: 0, dropped: 0, lost: 0, bytes: 0 };
  const traceFrom = (trace: LinkTrace, startMs: number) => {
    traced ??= { line: tracedLine(trace, startMs), startMs };
    return traced;
  };
  return {
    counters,
    delaySdMs: () => ((setting.jitterMs ?? 0) > 0 ? delays.sd() : undefined),
    traceAtMs: (nowMs) => setting.trace && nowMs - traceFrom(setting.trace, nowMs).startMs,
    resetCounters: () => {
      Object.assign(counters, { admitted: 0, dropped: 0, lost: 0, bytes: 0 });
      delays.reset();
    },
    set: (next) => {
      if (next.seed !== setting.seed || next.lossShare !== setting.lossShare) lossDraws = drawsOf(next, LOSS_DRAWS);
      if (next.seed !== setting.seed || next.jitterMs !== setting.jitterMs || next.delayMs !== setting.delayMs) delayAt = delayOf(next);
      if (next.trace !== setting.trace) traced = undefined;
      setting = next;
    },
    weather: (seed, nowMs) => {
      setting = { ...setting, seed };
      lossDraws = drawsOf(setting, LOSS_DRAWS);
      delayAt = delayOf(setting, nowMs);
      traced = undefined;
      const { trace } = setting;
      if (trace) traceFrom(trace, nowMs - drawsOf(setting, TRACE_DRAWS).next() * tracePeriodMs(trace));
    },
    flush: () => {
      queue.flush();
      traced?.line.flush();
      lineFreeAtMs = 0;
      lastOutMs = 0;
    },
    admit: (packetBytes, nowMs) => {
      if (queue.lengthAt(nowMs) >= setting.queuePackets) {
        counters.dropped += 1;
        return undefined;
      }
      lineFreeAtMs = setting.trace
        ? traceFrom(setting.trace, nowMs).line.leave(packetBytes, nowMs)
        : Math.max(lineFreeAtMs, nowMs) + serialisationMs(packetBytes, setting.rateKbps);
      queue.add(lineFreeAtMs);
      counters.admitted += 1;
      counters.bytes += packetBytes;
      lastOutMs = Math.max(lastOutMs, lineFreeAtMs + delayAt(lineFreeAtMs));
      if ((setting.jitterMs ?? 0) > 0) delays.add(lastOutMs - lineFreeAtMs);
      if ((setting.lossShare ?? 0) > 0 && lossDraws.next() < (setting.lossShare ?? 0)) {
        counters.lost += 1;
        return undefined;
      }
      return lastOutMs;
    },
  };
}

/** @param startMs - Absent: it begins with the first packet. */
function delayOf(setting: DirectionSetting, startMs?: number): (atMs: number) => number {
  const { delayMs, jitterMs = 0 } = setting;
  if (jitterMs === 0) return () => delayMs;
  return varyingDelay({ meanMs: delayMs, sdMs: jitterMs, seed: seedOf(setting, JITTER_DRAWS), startMs });
}

/** Departures already passed that are kept before the list is cut, so that cutting costs nothing. */
const KEPT_DEPARTURES = 1024;

/** When the packets still on the line or waiting leave it, oldest first. */
function departures() {
  let times: number[] = [];
  let oldest = 0;
  return {
    add: (leavesMs: number) => {
      times.push(leavesMs);
    },
    /** Packets that have not left yet. Times must not fall. */
    lengthAt: (nowMs: number): number => {
      while (oldest < times.length && (times[oldest] as number) <= nowMs) oldest += 1;
      if (oldest > KEPT_DEPARTURES) {
        times = times.slice(oldest);
        oldest = 0;
      }
      return times.length - oldest;
    },
    flush: () => {
      times = [];
      oldest = 0;
    },
  };
}

/** A TCP SYN with its usual options over IPv4: what a connect time, and so the RTT as it is usually measured, is made of. */
const SYN_BYTES = 60;

interface DirectionsOptions {
  /** What a round trip takes in the emulator itself. */
  readonly overheadMs: number;
  /** The trace that the link names; without it the downlink has its mean rate. */
  readonly downTrace?: LinkTrace | undefined;
}

/** Makes two seeds of one, so that the directions have nothing to do with each other. */
export const seedsOfDirections = (seed: number): readonly [down: number, up: number] => [2 * seed, 2 * seed + 1];

/**
 * The RTT requested is what a small packet sees: the time to put a SYN on the line each way, and what the emulator itself
 * takes, come off the delay. With a trace the wait for the next moment comes on top.
 */
export function linkDirections(
  link: LinkSpec,
  { overheadMs, downTrace }: DirectionsOptions,
): { readonly down: DirectionSetting; readonly up: DirectionSetting } {
  const { rttMs, queue, jitterMs, lossDown, lossUp, seed = 1 } = link;
  const [downSeed, upSeed] = seedsOfDirections(seed);
  const direction = (rateKbps: number): DirectionSetting => ({
    delayMs: Math.max(0, (rttMs - overheadMs) / 2 - serialisationMs(SYN_BYTES, rateKbps)),
    rateKbps,
    queuePackets: queue,
    ...(jitterMs !== undefined && { jitterMs }),
  });
  return {
    down: {
      ...direction(link.downKbps),
      seed: downSeed,
      ...(lossDown !== undefined && { lossShare: lossDown }),
      ...(downTrace && { trace: downTrace }),
    },
    up: { ...direction(link.upKbps), seed: upSeed, ...(lossUp !== undefined && { lossShare: lossUp }) },
  };
}
