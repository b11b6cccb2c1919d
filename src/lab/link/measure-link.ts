/** Measures a link from the browser's end with plain TCP: connect times for the RTT, an endless response for the rate. */
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { PlumbfoxError } from '../../core/errors.ts';
import type { LinkMeasurement } from './link-check.ts';

const CONNECTS = 9;
/** Segments a new connection sends at once (RFC 6928). */
const INITIAL_WINDOW = 10;
const SEGMENT_BYTES = 1460;
const TIMEOUT_MS = 60_000;

/**
 * The last connection's own packets must have left a slow uplink, or the next connect queues behind them: 1.5 ms at 384 kbit/s,
 * which is 3 % of an RTT of 50 ms.
 */
const BETWEEN_CONNECTS_MS = 40;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export interface LinkTarget {
  readonly host: string;
  readonly port: number;
  readonly expectedRttMs: number;
  readonly expectedDownKbps: number;
  /** `request`: through a relay that connects at once, the round trip of a small request on an open connection tells the RTT. */
  readonly rttBy?: 'connect' | 'request';
}

export async function measureLink(target: LinkTarget): Promise<LinkMeasurement> {
  const rttMs = target.rttBy === 'request' ? await requestRtt(target) : await measureRtt(target);
  return { rttMs, downKbps: await downloadRate(target) };
}

/** Median of some connect times. */
export async function measureRtt(target: { host: string; port: number }): Promise<number> {
  const connects: number[] = [];
  for (let attempt = 0; attempt < CONNECTS; attempt++) {
    await pause(BETWEEN_CONNECTS_MS);
    connects.push(await connectTime(target));
  }
  connects.sort((a, b) => a - b);
  return connects[Math.floor(CONNECTS / 2)] as number;
}

function connectTime({ host, port }: { host: string; port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    const startMs = performance.now();
    const socket = connect({ host, port, timeout: TIMEOUT_MS });
    socket.once('connect', () => {
      resolve(performance.now() - startMs);
      socket.destroy();
    });
    const fail = (why: string) => {
      socket.destroy();
      reject(new PlumbfoxError('environment', `The emulated link to ${host} carries nothing: ${why}`));
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
  const sorted = times.slice(1).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

function requestTime(options: { host: string; port: number; agent: Agent }): Promise<number> {
  return new Promise((resolve, reject) => {
    const startMs = performance.now();
    const request = get({ ...options, path: '/', timeout: TIMEOUT_MS }, (response) => {
      response.once('end', () => resolve(performance.now() - startMs));
      response.resume();
    });
    request.once('timeout', () => request.destroy(new Error('no answer in 60 s')));
    request.once('error', (error) => reject(new PlumbfoxError('environment', `The emulated link carries nothing: ${error.message}`)));
  });
}

/** Round trips until slow start has filled the link, and one to be sure. */
function slowStartMs({ expectedRttMs, expectedDownKbps }: LinkTarget): number {
  const segmentsInFlight = (expectedDownKbps * expectedRttMs) / 8 / SEGMENT_BYTES;
  return expectedRttMs * (Math.ceil(Math.log2(Math.max(1, segmentsInFlight / INITIAL_WINDOW))) + 1);
}

/** Rate of a response once it is under way: slow start is left out, then one and a half seconds are counted. */
function downloadRate(target: LinkTarget): Promise<number> {
  const { host, port } = target;
  const warmUpMs = 200 + slowStartMs(target);
  const countMs = 1500;
  return new Promise((resolve, reject) => {
    const request = get({ host, port, path: '/bulk', agent: false, timeout: TIMEOUT_MS }, (response) => {
      const startMs = performance.now();
      let counted = 0;
      let firstMs: number | undefined;
      response.on('data', (chunk: Buffer) => {
        const nowMs = performance.now();
        if (nowMs - startMs < warmUpMs) return;
        if (firstMs === undefined) {
          firstMs = nowMs;
          return;
        }
        counted += chunk.length;
        if (nowMs - firstMs < countMs) return;
        resolve((counted * 8) / (nowMs - firstMs));
        request.destroy();
      });
      response.on('error', reject);
    });
    request.once('timeout', () => request.destroy(new Error('no data in 60 s')));
    request.once('error', (error) => reject(new PlumbfoxError('environment', `The emulated link to ${host} broke: ${error.message}`)));
  });
}
