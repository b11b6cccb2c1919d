import { describe, expect, test } from 'vitest';
import { WIRE_BYTES_PER_PAYLOAD_BYTE } from '../../../../src/core/tcp-constants.ts';
import { linkDirections, serialisationMs, shapedDirection } from '../../../../src/lab/link/shaped-direction.ts';

/** A rate at which 1500 bytes of packet take 10 ms: 1460 payload bytes x 8 / 1168 kbit/s = 10 ms. */
const RATE_KBPS = 1168;
const PACKET = 1500;

describe('one direction', () => {
  test('a full-size packet takes payload x 8 / rate to send', () => {
    expect(WIRE_BYTES_PER_PAYLOAD_BYTE).toBeCloseTo(1.0274, 4);
    expect(serialisationMs(PACKET, RATE_KBPS)).toBeCloseTo(10, 9);
    expect(serialisationMs(750, RATE_KBPS)).toBeCloseTo(5, 9);
  });

  test('packets are sent one after another, and each leaves after the delay', () => {
    const line = shapedDirection({ delayMs: 100, rateKbps: RATE_KBPS, queuePackets: 10 });
    expect(line.admit(PACKET, 0)).toBeCloseTo(110, 9);
    // Waits for the first: 10 + 10 + 100.
    expect(line.admit(PACKET, 0)).toBeCloseTo(120, 9);
    expect(line.admit(PACKET, 15)).toBeCloseTo(130, 9);
    // The line was idle from 30 on.
    expect(line.admit(PACKET, 50)).toBeCloseTo(160, 9);
    expect(line.counters).toEqual({ admitted: 4, dropped: 0, lost: 0, bytes: 6000 });
  });

  test('the queue counts the packet being sent, and drops what comes when it is full', () => {
    const line = shapedDirection({ delayMs: 0, rateKbps: RATE_KBPS, queuePackets: 2 });
    expect([line.admit(PACKET, 0), line.admit(PACKET, 0), line.admit(PACKET, 0)].map((at) => at && Math.round(at))).toEqual([
      10,
      20,
      undefined,
    ]);
    // At 9.9 the first is still being sent; after 10 there is room again, and the line is busy until 20.
    expect(line.admit(PACKET, 9.9)).toBeUndefined();
    expect(line.admit(PACKET, 10.1)).toBeCloseTo(30, 9);
    expect(line.counters).toEqual({ admitted: 3, dropped: 2, lost: 0, bytes: 4500 });
  });

  test('flush forgets the line and the queue; new settings hold for what comes after', () => {
    const line = shapedDirection({ delayMs: 0, rateKbps: RATE_KBPS, queuePackets: 1 });
    line.admit(PACKET, 0);
    line.flush();
    expect(line.admit(PACKET, 0)).toBeCloseTo(10, 9);
    line.flush();
    line.set({ delayMs: 7, rateKbps: 2 * RATE_KBPS, queuePackets: 1 });
    expect(line.admit(PACKET, 0)).toBeCloseTo(12, 9);
  });
});

describe('a link has two directions', () => {
  const link = { name: 'x', rttMs: 100, downKbps: RATE_KBPS, upKbps: RATE_KBPS / 2, queue: 7 };

  test('the delay is half the RTT without the emulator and without sending a SYN of 60 bytes', () => {
    const { down, up } = linkDirections(link, { overheadMs: 4 });
    // (100 - 4) / 2 - 60/1500 x 10 ms = 47.6; at half the rate sending takes 0.8 ms.
    expect(down.delayMs).toBeCloseTo(47.6, 9);
    expect(up.delayMs).toBeCloseTo(47.2, 9);
    expect([down.rateKbps, up.rateKbps, down.queuePackets, up.queuePackets]).toEqual([RATE_KBPS, RATE_KBPS / 2, 7, 7]);
  });

  test('a SYN there and back takes what was asked', () => {
    const { down, up } = linkDirections(link, { overheadMs: 0 });
    expect(shapedDirection(up).admit(60, 0)).toBeCloseTo(50, 9);
    expect(shapedDirection(down).admit(60, 0)).toBeCloseTo(50, 9);
  });

  test('a delay is never negative', () => {
    expect(linkDirections({ ...link, rttMs: 1 }, { overheadMs: 5 }).down.delayMs).toBe(0);
  });
});
