import { describe, expect, it } from 'vitest';
import { analyseCapture } from '../../../../src/lab/capture/capture-analysis.ts';
import { readPcap } from '../../../../src/lab/capture/pcap-file.ts';
import { handshake, pcap } from './pcap-builder.ts';

const PACKETS = handshake(0, 80);

describe('a pcap file', () => {
  it.each([
    { name: 'little-endian, microseconds', look: {} },
    { name: 'big-endian, microseconds', look: { bigEndian: true } },
    { name: 'little-endian, nanoseconds', look: { nanoseconds: true } },
    { name: 'big-endian, nanoseconds', look: { bigEndian: true, nanoseconds: true } },
  ])('is read: $name', ({ look }) => {
    const file = readPcap(pcap(PACKETS, look));
    expect(file.records.map(({ atMs }) => atMs)).toEqual([0, 0.1, 80]);
    expect(file).toMatchObject({ linkType: 101, snapLengthBytes: 65_535, startedAtEpochMs: 1_700_000_000_000, brokenOffBytes: 0 });
    // 20 bytes of IP, 20 of TCP, 4 of options in the SYNs.
    expect(file.records.map(({ bytes }) => bytes.byteLength)).toEqual([44, 44, 40]);
  });

  it('keeps nanoseconds apart that no number since 1970 could', () => {
    const file = readPcap(
      pcap(
        [
          { atMs: 0, from: 'client' },
          { atMs: 0.000_001, from: 'client' },
        ],
        { nanoseconds: true },
      ),
    );
    expect(file.records[1]?.atMs).toBe(0.000_001);
  });

  it.each([
    { name: 'raw IP', linkType: 101, linkHeader: [] },
    { name: 'IPv4', linkType: 228, linkHeader: [] },
    { name: 'Ethernet', linkType: 1, linkHeader: [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 8, 0] },
    { name: 'Linux cooked', linkType: 113, linkHeader: [0, 0, 0, 1, 0, 6, 1, 1, 1, 1, 1, 1, 0, 0, 8, 0] },
    { name: 'Linux cooked, 2', linkType: 276, linkHeader: [8, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 6, 1, 1, 1, 1, 1, 1, 0, 0] },
  ])('may be of $name', ({ linkType, linkHeader }) => {
    const { connections, otherPackets } = analyseCapture(pcap(PACKETS, { linkType, linkHeader }));
    expect(connections).toHaveLength(1);
    expect(connections[0]?.client).toEqual({ address: '198.18.0.1', port: 40_000 });
    expect(otherPackets).toBe(0);
  });

  it('counts what is no TCP in IPv4 and goes on', () => {
    const arp = [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 8, 6];
    expect(analyseCapture(pcap(PACKETS, { linkType: 1, linkHeader: arp }))).toMatchObject({ packets: 3, otherPackets: 3, connections: [] });
  });

  it('that breaks off in its last record is read up to there, and says so', () => {
    const whole = pcap(PACKETS);
    const { packets, brokenOffBytes } = analyseCapture(whole.subarray(0, whole.byteLength - 7));
    // The last record has 16 + 40 bytes.
    expect({ packets, brokenOffBytes }).toEqual({ packets: 2, brokenOffBytes: 49 });
  });

  it('without a packet is an empty capture', () => {
    expect(analyseCapture(pcap([]))).toMatchObject({ packets: 0, endMs: 0, connections: [] });
  });

  it.each([
    { name: 'nothing', bytes: new Uint8Array(0), says: /shorter/ },
    { name: 'text', bytes: new TextEncoder().encode('x'.repeat(100)), says: /does not begin as/ },
    { name: 'pcapng', bytes: Uint8Array.of(0x0a, 0x0d, 0x0d, 0x0a, ...new Uint8Array(40)), says: /editcap -F pcap/ },
    { name: 'a link type not known', bytes: pcap(PACKETS, { linkType: 105 }), says: /link type 105/ },
    {
      name: 'a length that no record has',
      bytes: Uint8Array.of(...pcap([]), ...new Uint8Array(8).fill(0), ...new Uint8Array(8).fill(255)),
      says: /byte 24/,
    },
  ])('is refused: $name', ({ bytes, says }) => {
    expect(() => analyseCapture(bytes)).toThrow(expect.objectContaining({ kind: 'bad-input', message: expect.stringMatching(says) }));
  });
});
