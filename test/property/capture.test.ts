/** Laws of reading captures: whatever the bytes, an analysis or a plain refusal; and what is counted does not depend on how it was cut up. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../src/core/errors.ts';
import { analyseCapture, captureJson } from '../../src/lab/capture/capture-analysis.ts';
import { connectionRowsSvg } from '../../src/lab/capture/connection-rows-svg.ts';
import { byteRanges } from '../../src/lab/capture/packet-flow.ts';
import { timeSequenceSvg } from '../../src/lab/capture/time-sequence-svg.ts';
import { xmlFault } from '../support/well-formed.ts';
import { get, handshake, ok, pcap, type TestPacket } from '../unit/lab/capture/pcap-builder.ts';

const WHOLE = pcap([
  ...handshake(0, 80),
  { atMs: 100, from: 'client', data: get('/a') + get('/b') },
  { atMs: 104, from: 'server', data: `${ok(1400)}${'x'.repeat(1300)}` },
  { atMs: 105, from: 'server', at: 1341, data: `${'x'.repeat(100)}${ok(5)}12345` },
  { atMs: 190, from: 'client', at: 74, upTo: 1341, selective: [[1341, 1487]] },
  { atMs: 300, from: 'server', at: 0, data: 500 },
  { atMs: 380, from: 'client', at: 74, upTo: 1487, flags: 'FA' },
]);

/** Everything that is made of a capture, or a refusal that says what is wrong with the file. */
function analysedOrRefused(bytes: Uint8Array): void {
  try {
    const analysis = analyseCapture(bytes);
    JSON.stringify(captureJson(analysis));
    expect(xmlFault(connectionRowsSvg(analysis))).toBeUndefined();
    for (const connection of analysis.connections.slice(0, 3)) expect(xmlFault(timeSequenceSvg(connection))).toBeUndefined();
  } catch (error) {
    if (!(error instanceof PlumbfoxError)) throw error;
    expect(error.kind).toBe('bad-input');
  }
}

describe('a capture', () => {
  it('of any bytes is analysed or refused', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), analysedOrRefused));
  });

  it('whose header is right and whose rest is any bytes is analysed or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (rest) => analysedOrRefused(Uint8Array.of(...WHOLE.subarray(0, 24), ...rest))),
    );
  });

  it('with some bytes changed is analysed or refused', () => {
    const change = fc.record({ at: fc.nat(WHOLE.byteLength - 1), to: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), (changes) => {
        const bytes = WHOLE.slice();
        for (const { at, to } of changes) bytes[at] = to;
        analysedOrRefused(bytes);
      }),
      { numRuns: 400 },
    );
  });

  it('cut off anywhere behind its header is read up to there', () => {
    fc.assert(
      fc.property(fc.integer({ min: 24, max: WHOLE.byteLength }), (length) => {
        const { packets, brokenOffBytes } = analyseCapture(WHOLE.subarray(0, length));
        expect(packets).toBeLessThanOrEqual(analyseCapture(WHOLE).packets);
        expect(brokenOffBytes).toBeLessThan(length - 23);
        analysedOrRefused(WHOLE.subarray(0, length));
      }),
    );
  });

  it('tells the same requests and sizes however the responses are cut into segments', () => {
    const stream = `${ok(300)}${'a'.repeat(300)}${ok(0)}${ok(700)}${'b'.repeat(700)}`;
    const asked: TestPacket = { atMs: 100, from: 'client', data: get('/1') + get('/2') + get('/3') };
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: stream.length - 1 }), { maxLength: 30 }), (cuts) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), stream.length];
        const segments = edges
          .slice(0, -1)
          .map((at, index): TestPacket => ({ atMs: 101 + index, from: 'server', at, data: stream.slice(at, edges[index + 1]) }));
        const [connection] = analyseCapture(pcap([...handshake(0, 80), asked, ...segments])).connections;
        expect(connection?.exchanges.map(({ responseBytes }) => responseBytes)).toEqual([
          ok(300).length + 300,
          ok(0).length,
          ok(700).length + 700,
        ]);
        const times = (connection?.exchanges ?? []).flatMap(({ firstByteMs, endMs }) => [firstByteMs ?? Number.NaN, endMs ?? Number.NaN]);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(connection?.down).toMatchObject({ dataBytes: stream.length, retransmittedBytes: 0 });
      }),
    );
  });
});

describe('bytes seen', () => {
  it('are those that a set of single bytes would have', () => {
    const range = fc.tuple(fc.nat(60), fc.nat(12)).map(([start, length]) => [start, start + length] as const);
    fc.assert(
      fc.property(fc.array(range, { maxLength: 30 }), fc.nat(60), (added, from) => {
        const ranges = byteRanges();
        const bytes = new Set<number>();
        for (const [start, end] of added) {
          const own = Array.from({ length: end - start }, (_, at) => start + at);
          expect(ranges.add(start, end)).toBe(own.filter((byte) => bytes.has(byte)).length);
          for (const byte of own) bytes.add(byte);
        }
        let hole = from;
        while (bytes.has(hole)) hole += 1;
        expect(ranges.contiguousFrom(from)).toBe(hole);
      }),
    );
  });
});
