/** Requests, responses and head-of-line waiting, with times that can be worked out by hand. */
import { describe, expect, it } from 'vitest';
import { analyseCapture, type ConnectionAnalysis } from '../../../../src/lab/capture/capture-analysis.ts';
import { mostOutstanding } from '../../../../src/lab/capture/http-exchanges.ts';
import { get, handshake, ok, pcap, type TestPacket } from './pcap-builder.ts';

const connections = (packets: readonly TestPacket[], snapLength = 65_535): readonly ConnectionAnalysis[] =>
  analyseCapture(pcap(packets, { snapLength })).connections;
const only = (packets: readonly TestPacket[], snapLength?: number) => connections(packets, snapLength)[0] as ConnectionAnalysis;

/** Segments of one side, one per piece of text, from a position on. */
const stream = (from: TestPacket['from'], pieces: readonly (readonly [number, string])[]): readonly TestPacket[] => {
  let at = 0;
  return pieces.map(([atMs, data]) => {
    const packet: TestPacket = { atMs, from, at, data };
    at += data.length;
    return packet;
  });
};

const body = (bytes: number): string => 'x'.repeat(bytes);
const byTime = (packets: readonly TestPacket[]): readonly TestPacket[] => packets.toSorted((one, other) => one.atMs - other.atMs);

/** /a alone, then /b and /c in one segment; the response to /c begins in the middle of a segment. */
const PIPELINED = byTime([
  ...handshake(0, 80),
  ...stream('client', [
    [100, get('/a')],
    [200, get('/b') + get('/c')],
  ]),
  ...stream('server', [
    [103, ok(5) + body(5)],
    [204, ok(3000) + body(1000)],
    [290, body(1000)],
    [370, body(1000) + ok(4) + body(2)],
    [460, body(2)],
  ]),
  { atMs: 540, from: 'client', upTo: 10_000 },
]);

describe('requests and responses', () => {
  it('are paired in order, pipelined too', () => {
    expect(
      only(PIPELINED).exchanges.map(({ target, status, requestMs, firstByteMs, endMs }) => [target, status, requestMs, firstByteMs, endMs]),
    ).toEqual([
      ['/a', 200, 100, 103, 103],
      ['/b', 200, 200, 204, 370],
      ['/c', 200, 200, 370, 460],
    ]);
  });

  it('have sizes of head and body', () => {
    // The head of ok(5) has 17 + 19 + 2 = 38 bytes.
    expect(ok(5)).toHaveLength(38);
    expect(only(PIPELINED).exchanges.map(({ responseBytes }) => responseBytes)).toEqual([43, 3041, 42]);
  });

  it('wait behind the response before them, less what they would have waited anyway', () => {
    // /a found nothing before it and waited 3 ms. /c: 370 - (200 + 3). /b was sent when nothing was outstanding.
    expect(only(PIPELINED).exchanges.map(({ headOfLineMs, queuedBehind }) => [headOfLineMs, queuedBehind])).toEqual([
      [0, 0],
      [0, 0],
      [167, 1],
    ]);
  });

  it('count from the last time that a byte was sent, where they are sent', () => {
    const again = PIPELINED.map((packet) => (packet.atMs === 290 ? { ...packet, atMs: 450 } : packet));
    // What follows in the stream cannot be used before it.
    const lost = byTime([...PIPELINED.filter(({ atMs }) => atMs < 540), ...again.filter(({ atMs }) => atMs === 450)]);
    expect(only(lost).exchanges.map(({ firstByteMs, endMs }) => [firstByteMs, endMs])).toEqual([
      [103, 103],
      [204, 450],
      [450, 460],
    ]);
  });

  it('count as outstanding from when they were asked until the end of the response', () => {
    expect(only(PIPELINED).outstanding).toEqual([
      { atMs: 100, requests: 1 },
      { atMs: 103, requests: 0 },
      { atMs: 200, requests: 2 },
      { atMs: 370, requests: 1 },
      { atMs: 460, requests: 0 },
    ]);
    expect(mostOutstanding(only(PIPELINED).outstanding)).toBe(2);
  });

  it('may be chunked, without a body, or preceded by an interim response', () => {
    const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n';
    const head = 'HEAD /h HTTP/1.1\r\nHost: a\r\n\r\n';
    const answers = `${chunked + ok(999)}HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 304 Not Modified\r\n\r\n${ok(2)}xx`;
    const { exchanges, exchangesCutOff } = only([
      ...handshake(0, 80),
      { atMs: 100, from: 'client', data: get('/chunked') + head + get('/304') + get('/last') },
      { atMs: 105, from: 'server', data: answers },
    ]);
    expect(exchanges.map(({ method, target, status }) => [method, target, status])).toEqual([
      ['GET', '/chunked', 200],
      ['HEAD', '/h', 200],
      ['GET', '/304', 304],
      ['GET', '/last', 200],
    ]);
    expect(exchanges.at(-1)?.endMs).toBe(105);
    expect(exchangesCutOff).toBe(false);
  });

  it('with a body are asked when all of it has passed', () => {
    const { exchanges } = only([
      ...handshake(0, 80),
      ...stream('client', [
        [100, 'POST /p HTTP/1.1\r\nContent-Length: 6\r\n\r\nabc'],
        [150, `def${get('/next')}`],
      ]),
    ]);
    expect(exchanges.map(({ target, requestMs }) => [target, requestMs])).toEqual([
      ['/p', 150],
      ['/next', 150],
    ]);
  });

  it('that were not answered have no times of a response', () => {
    const { exchanges } = only([...handshake(0, 80), { atMs: 100, from: 'client', data: get('/a') }]);
    expect(exchanges).toEqual([{ method: 'GET', target: '/a', requestMs: 100, queuedBehind: 0, headOfLineMs: 0 }]);
  });

  it('are left out, and that is said, behind a head that was not kept', () => {
    // 120 bytes of every packet: 80 of data. The head of /c stands behind 1,000 bytes in its segment.
    const { exchanges, exchangesCutOff } = only(PIPELINED, 120);
    expect(exchangesCutOff).toBe(true);
    expect(exchanges.map(({ status, firstByteMs, endMs }) => [status, firstByteMs, endMs])).toEqual([
      [200, 103, 103],
      [200, 204, 370],
      [undefined, 370, undefined],
    ]);
  });

  it('are none where the stream is no HTTP/1.1', () => {
    const { exchanges, exchangesCutOff } = only([
      ...handshake(0, 80),
      { atMs: 100, from: 'client', data: '\x16\x03\x01\x02\x00\x01' },
      { atMs: 105, from: 'server', data: '\x16\x03\x03\x00\x10' },
    ]);
    expect({ exchanges, exchangesCutOff }).toEqual({ exchanges: [], exchangesCutOff: false });
  });

  it('are found on a connection that was there before the capture', () => {
    const later = PIPELINED.filter(({ atMs }) => atMs >= 200);
    expect(only(later).exchanges.map(({ target, status }) => [target, status])).toEqual([
      ['/b', 200],
      ['/c', 200],
    ]);
  });

  it('are not paired where an earlier response was still under way', () => {
    const later = byTime([...PIPELINED.filter(({ atMs }) => atMs >= 204), { atMs: 206, from: 'client', at: 200, data: get('/d') }]);
    expect(only(later).exchanges.map(({ target, status }) => [target, status])).toEqual([['/d', undefined]]);
  });
});

describe('what a request would have waited anyway', () => {
  it('is the least of all connections to the server', () => {
    const quicker = byTime([
      ...handshake(1000, 80, 40_001),
      { atMs: 1100, from: 'client', port: 40_001, data: get('/q') },
      { atMs: 1101, from: 'server', port: 40_001, data: ok(1) + body(1) },
    ]);
    // 370 - (200 + 1).
    expect(connections([...PIPELINED, ...quicker])[0]?.exchanges.at(-1)?.headOfLineMs).toBe(169);
  });
});
