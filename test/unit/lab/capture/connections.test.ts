/** Packets, retransmissions, round trips and windows, on connections small enough to be counted by hand. */
import { describe, expect, it } from 'vitest';
import { analyseCapture, type ConnectionAnalysis } from '../../../../src/lab/capture/capture-analysis.ts';
import { get, handshake, pcap, type TestPacket } from './pcap-builder.ts';

const only = (packets: readonly TestPacket[]): ConnectionAnalysis => {
  const { connections } = analyseCapture(pcap(packets));
  expect(connections).toHaveLength(1);
  return connections[0] as ConnectionAnalysis;
};

/** Three segments of which the second is lost once, seen at the server; the sequence numbers wrap around in the first. */
const LOSSY: readonly TestPacket[] = [
  ...handshake(0, 80),
  { atMs: 90, from: 'server', at: 0, data: 1000 },
  { atMs: 91, from: 'server', at: 1000, data: 1000 },
  { atMs: 92, from: 'server', at: 2000, data: 500 },
  { atMs: 175, from: 'client', upTo: 1000 },
  { atMs: 180, from: 'client', upTo: 1000, selective: [[2000, 2500]] },
  { atMs: 181, from: 'server', at: 1000, data: 1000 },
  { atMs: 265, from: 'client', upTo: 2500, window: 0 },
];

describe('a connection', () => {
  it('counts packets, data and what was sent again', () => {
    expect(only(LOSSY).down).toMatchObject({
      packets: 5,
      dataPackets: 4,
      dataBytes: 3500,
      retransmittedPackets: 1,
      retransmittedBytes: 1000,
    });
    expect(only(LOSSY).up).toMatchObject({ packets: 5, dataPackets: 0, dataBytes: 0 });
  });

  it('counts of a segment sent again in other pieces only the bytes that are the same', () => {
    const { down } = only([
      ...handshake(0, 80),
      { atMs: 90, from: 'server', data: 600 },
      { atMs: 300, from: 'server', at: 400, data: 600 },
    ]);
    expect(down).toMatchObject({ retransmittedPackets: 1, retransmittedBytes: 200 });
  });

  it('takes round trips from what was sent once and is acknowledged by itself', () => {
    // The SYN-ACK: 80 - 0.1. The first segment: 175 - 90. The second was sent twice (Karn); the third was acknowledged after the second was sent again.
    const { samples, minMs, maxMs, meanMs } = only(LOSSY).down.roundTrips;
    expect(samples).toBe(2);
    expect(minMs).toBeCloseTo(79.9, 6);
    expect(maxMs).toBeCloseTo(85, 6);
    expect(meanMs).toBeCloseTo(82.45, 6);
  });

  it('has the windows scaled, but for those of the SYNs, and counts closed ones', () => {
    // 1000 in the SYN as it stands, 1000 x 2^2 after it, and 0 at last.
    expect(only(LOSSY).down.receiveWindow).toEqual({
      leastBytes: 0,
      mostBytes: 4000,
      zeroWindows: 1,
      steps: [
        { atMs: 80, bytes: 4000 },
        { atMs: 265, bytes: 0 },
      ],
    });
  });

  it('does not know windows whose scale it has not seen', () => {
    const { down } = only(LOSSY.slice(3));
    expect(down.receiveWindow).toEqual({ zeroWindows: 0, steps: [] });
  });

  it('has no scale where only one side offers it (RFC 7323, section 2.2)', () => {
    const [syn, answer, rest] = handshake(0, 80) as [TestPacket, TestPacket, TestPacket];
    const { scale: _none, ...unscaled } = answer;
    expect(only([syn, unscaled, rest]).down.receiveWindow.mostBytes).toBe(1000);
  });

  it('tells what was outstanding, and what of it could be in the network', () => {
    const { inFlight, mostOutstandingBytes } = only(LOSSY).down.sending ?? {};
    expect(mostOutstandingBytes).toBe(2500);
    // The selective acknowledgement takes the hole below it and what it confirms out of the flight; the repetition enters it.
    expect(inFlight?.map(({ atMs, outstandingBytes, flightBytes }) => [atMs, outstandingBytes, flightBytes])).toEqual([
      [80, 0, 0],
      [90, 1000, 1000],
      [91, 2000, 2000],
      [92, 2500, 2500],
      [175, 1500, 1500],
      [180, 1500, 0],
      [181, 1500, 1000],
      [265, 0, 0],
    ]);
  });

  it('is told from the next between the same ports', () => {
    const again = handshake(500, 80).map((packet) => ({ ...packet, at: (packet.at ?? 0) + 7 }));
    const { connections } = analyseCapture(pcap([...handshake(0, 80), { atMs: 90, from: 'client', flags: 'RA' }, ...again]));
    expect(connections.map(({ firstMs, closedBy }) => ({ firstMs, closedBy }))).toEqual([
      { firstMs: 0, closedBy: 'reset' },
      { firstMs: 500, closedBy: undefined },
    ]);
  });

  it('keeps a SYN that was sent again', () => {
    const [syn, ...rest] = handshake(1000, 80) as [TestPacket, ...TestPacket[]];
    const { handshake: seen, up } = only([{ ...syn, atMs: 0 }, syn, ...rest]);
    expect(seen).toEqual({ synMs: 0, synAckMs: 1000.1, completeMs: 1080 });
    expect(up).toMatchObject({ packets: 3, retransmittedPackets: 0 });
  });

  it('knows by the handshake on which side it was captured', () => {
    expect(only(handshake(0, 80)).capturePoint).toBe('server');
    const [syn, answer, rest] = handshake(0, 80) as [TestPacket, TestPacket, TestPacket];
    const atClient = only([syn, { ...answer, atMs: 80 }, { ...rest, atMs: 80.1 }, { atMs: 200, from: 'server', data: 100 }]);
    expect(atClient.capturePoint).toBe('client');
    expect(atClient.down.sending).toBeUndefined();
  });

  it('takes the lower port for the server where it saw no handshake', () => {
    const { client, server } = only([{ atMs: 0, from: 'server', data: 10 }]);
    expect([client.port, server.port]).toEqual([40_000, 80]);
  });

  it('counts of a segment cut off by the snap length all its data', () => {
    const packets: readonly TestPacket[] = [
      ...handshake(0, 80),
      { atMs: 90, from: 'client', data: get('/a') },
      { atMs: 91, from: 'server', data: 1400 },
    ];
    const { connections } = analyseCapture(pcap(packets, { snapLength: 60 }));
    expect(connections[0]?.down.dataBytes).toBe(1400);
  });
});
