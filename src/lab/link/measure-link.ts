/**
 * Measures a link from the browser's end with plain TCP: handshakes for the RTT, an endless response for the rate down, an endless
 * request, counted by the server, for the rate up.
 */
import { spawn } from 'node:child_process';
import { Agent, get, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import { median } from '../../core/stats/quantile.ts';
import { INITIAL_WINDOW, SEGMENT_BYTES } from '../../core/tcp-constants.ts';
import { runCommand } from '../process/run-command.ts';
import type { LinkMeasurement } from './link-check.ts';

/** Their median is within half a millisecond on a quiet machine; a check that another program disturbs is made again. */
const CONNECTS = 5;
const TIMEOUT_MS = 60_000;

/**
 * Connections are begun one after another without waiting for each other, so far apart that the SYNs of a slow uplink do not meet: 8 ms
 * each at 64 kbit/s.
 */
const BETWEEN_CONNECTS_MS = 40;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export interface LinkTarget {
  readonly host: string;
  readonly port: number;
  readonly expectedRttMs: number;
  readonly expectedDownKbps: number;
  /** `request`: through a relay that connects at once, the RTT is the round trip of a small request on an open connection. */
  readonly rttBy?: 'connect' | 'request';
}

export async function measureLink(target: LinkTarget): Promise<LinkMeasurement> {
  const rttMs = target.rttBy === 'request' ? await requestRtt(target) : await measureRtt(target);
  return { rttMs, downKbps: await downloadRate(target) };
}

/**
 * Median RTT of some handshakes as the kernel timed them, from SYN to SYN-ACK (tcpi_rtt, tcp(7)): what this process takes to hear of it is not the
 * link's. With the processors kept awake, as they are while a page loads.
 */
export function measureRtt(target: { host: string; port: number }): Promise<number> {
  return processorsAwake(async () => {
    const connections: Promise<Socket>[] = [];
    for (let attempt = 0; attempt < CONNECTS; attempt++) {
      await pause(BETWEEN_CONNECTS_MS);
      connections.push(connected(target));
    }
    const ends = await Promise.allSettled(connections);
    const sockets = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    try {
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
      return median(await handshakesMs(target, sockets)) as number;
    } finally {
      // When no other is being connected any more: its last packets would be in the way.
      for (const socket of sockets) socket.destroy();
    }
  });
}

/** Ends what would go on should this process be killed. */
const LONGEST_AWAKE_S = 10;

/**
 * One loop for each processor, which gives way to anything else that wants it (SCHED_IDLE, sched(7)): a processor that sleeps takes a moment to wake
 * for a packet, and one on which a page loads does not sleep. Where the kernel refuses, they sleep as ever.
 */
const AWAKE_LOOP = ['timeout', String(LONGEST_AWAKE_S), 'chrt', '--idle', '0', 'sh', '-c', 'while :; do :; done'] as const;

/** Does something with all processors awake, for 10 s at most. */
export async function processorsAwake<T>(action: () => Promise<T>): Promise<T> {
  const [program, ...rest] = AWAKE_LOOP;
  const loops = Array.from({ length: availableParallelism() }, () => spawn(program, rest, { stdio: 'ignore' }).on('error', () => {}));
  try {
    return await action();
  } finally {
    for (const loop of loops) loop.kill();
  }
}

/** A line of `ss -tinHO`: addresses, then the state of the connection, its smoothed RTT (ms) and that one's variation among it. */
const SS_LINE = /^\s*\d+\s+\d+\s+\S+:(?<localPort>\d+)\s.*\brtt:(?<rttMs>[\d.]+)\//;

/** Nothing was sent over them yet, so that the smoothed RTT is the handshake's. */
async function handshakesMs({ host, port }: { host: string; port: number }, sockets: readonly Socket[]): Promise<readonly number[]> {
  const ours = new Set(sockets.map(({ localPort }) => String(localPort)));
  const listed = await runCommand(['ss', '-tinHO', 'state', 'established', 'dst', host, 'dport', '=', `:${port}`]);
  const times = listed.split('\n').flatMap((line) => {
    const { localPort = '', rttMs } = SS_LINE.exec(line)?.groups ?? {};
    return ours.has(localPort) ? [Number(rttMs)] : [];
  });
  if (times.length < sockets.length)
    throw new PlumbfoxError('internal', `ss knows the RTT of ${times.length} of ${sockets.length} connections`);
  return times;
}

function connected({ host, port }: { host: string; port: number }): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: TIMEOUT_MS });
    socket.once('connect', () => resolve(socket));
    const fail = (why: string) => {
      socket.destroy();
      reject(new PlumbfoxError('environment', `The emulated link to ${host} lets nothing through: ${why}`));
    };
    socket.once('timeout', () => fail('no answer in 60 s'));
    socket.once('error', (error) => fail(error.message));
  });
}

/** Median time of small requests on one open connection. */
async function requestRtt({ host, port }: { host: string; port: number }): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  // The first pays for the connection.
  for (let attempt = 0; attempt <= CONNECTS; attempt++) times.push(await requestTime({ host, port, agent }));
  agent.destroy();
  return median(times.slice(1)) as number;
}

function requestTime(options: { host: string; port: number; agent: Agent }): Promise<number> {
  return new Promise((resolve, reject) => {
    const startMs = performance.now();
    const request = get({ ...options, path: '/', timeout: TIMEOUT_MS }, (response) => {
      response.once('end', () => resolve(performance.now() - startMs));
      response.resume();
    });
    request.once('timeout', () => request.destroy(new Error('no answer in 60 s')));
    request.once('error', (error) => reject(new PlumbfoxError('environment', `The emulated link lets nothing through: ${error.message}`)));
  });
}

/** Round trips until slow start has filled the link, and one to be sure. */
function slowStartMs(expectedKbps: number, expectedRttMs: number): number {
  const segmentsInFlight = (expectedKbps * expectedRttMs) / 8 / SEGMENT_BYTES;
  return expectedRttMs * (Math.ceil(Math.log2(Math.max(1, segmentsInFlight / INITIAL_WINDOW))) + 1);
}

const warmUpMsOf = (expectedKbps: number, expectedRttMs: number): number => 200 + slowStartMs(expectedKbps, expectedRttMs);

/** Rate of a response once it is in progress: slow start is left out. */
function downloadRate(target: LinkTarget): Promise<number> {
  const { host, port } = target;
  const warmUpMs = warmUpMsOf(target.expectedDownKbps, target.expectedRttMs);
  return new Promise((resolve, reject) => {
    const request = get({ host, port, path: '/bulk', agent: false, timeout: TIMEOUT_MS }, (response) => {
      const meter = rateMeter({ startMs: performance.now(), warmUpMs });
      response.on('data', (chunk: Buffer) => {
        const kbps = meter.add(chunk.length, performance.now());
        if (kbps === undefined) return;
        resolve(kbps);
        request.destroy();
      });
      response.on('error', reject);
    });
    request.once('timeout', () => request.destroy(new Error('no data in 60 s')));
    request.once('error', (error) => reject(new PlumbfoxError('environment', `The emulated link to ${host} broke: ${error.message}`)));
  });
}

/** The expected figures only decide how long slow start is waited for. */
export interface UploadTarget {
  readonly host: string;
  readonly port: number;
  readonly expectedRttMs: number;
  readonly expectedUpKbps: number;
}

const sinkAnswer = v.pipe(v.string(), v.parseJson(), v.object({ kbps: v.pipe(v.number(), v.finite(), v.minValue(0)) }));
const UPLOAD_CHUNK = Buffer.alloc(16_384);

/** Rate at which an endless request arrives, kbit/s, once it is in progress. */
export function measureUpload({ host, port, expectedRttMs, expectedUpKbps }: UploadTarget): Promise<number> {
  const path = `/sink?warm-up=${warmUpMsOf(expectedUpKbps, expectedRttMs)}`;
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new PlumbfoxError('environment', `The emulated link to ${host} broke: ${why}`));
    // Kept alive: the server would close after its answer, and its reset could overtake the answer.
    const agent = new Agent({ keepAlive: true });
    const upload = httpRequest({ host, port, path, method: 'POST', agent, timeout: TIMEOUT_MS }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('end', () => {
        // What the kernel still holds is not to be sent.
        upload.socket?.resetAndDestroy();
        const answer = v.safeParse(sinkAnswer, text);
        if (answer.success) resolve(answer.output.kbps);
        else fail('the server counted nothing');
      });
    });
    const write = () => {
      while (!upload.destroyed && upload.write(UPLOAD_CHUNK)) {
        // Until the kernel's buffer is full; `drain` goes on.
      }
    };
    upload.on('drain', write);
    upload.once('timeout', () => upload.destroy(new Error('no answer in 60 s')));
    upload.once('error', (error) => fail(error.message));
    write();
  });
}

/** Windows that the median is taken of: one that another program held up, or the one after, does not count. */
const WINDOWS = 5;
/** Ten packets at 500 kbit/s; a window ends with the first bytes after it, so that slow links have whole packets in it too. */
const WINDOW_MS = 250;

/** Measures the rate of a stream of bytes as it comes in. Pure: the clock is passed in. */
interface RateMeter {
  /** Bytes have come in. @returns the rate in kbit/s when it is known, at about 1.3 s after the warm-up. */
  add(bytes: number, nowMs: number): number | undefined;
}

/** @param warmUpMs - What comes in this time after the start is left out. */
export function rateMeter({ startMs, warmUpMs }: { startMs: number; warmUpMs: number }): RateMeter {
  const rates: number[] = [];
  let sinceMs: number | undefined;
  let counted = 0;
  return {
    add: (bytes, nowMs) => {
      if (nowMs - startMs < warmUpMs) return undefined;
      if (sinceMs === undefined) {
        sinceMs = nowMs;
        return undefined;
      }
      counted += bytes;
      if (nowMs - sinceMs < WINDOW_MS) return undefined;
      rates.push((counted * 8) / (nowMs - sinceMs));
      sinceMs = nowMs;
      counted = 0;
      return rates.length < WINDOWS ? undefined : median(rates);
    },
  };
}
