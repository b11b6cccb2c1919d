/** Rounds and their limits on a sender whose window is known, because the test is that sender. */
import { describe, expect, it } from 'vitest';
import { analyseCapture } from '../../../../src/lab/capture/capture-analysis.ts';
import { handshake, pcap, type TestPacket } from './pcap-builder.ts';

const SEGMENT = 1000;
const RTT = 100;
/** Before scaling by 4: never full here. */
const WIDE = 60_000;

/** Sends `windows` segments in one round after the other, as acknowledgements come in: a segment is acknowledged a round trip after it was sent. */
function sender(windows: readonly number[], options: { readonly window?: number } = {}): readonly TestPacket[] {
  const window = options.window ?? WIDE;
  const packets: TestPacket[] = handshake(0, RTT).map((packet) => ({ ...packet, window }));
  let sentMs = Array.from({ length: windows[0] ?? 0 }, (_, index) => 200 + index * 0.5);
  let at = 0;
  windows.forEach((_, round) => {
    const next = windows[round + 1] ?? 0;
    const nextMs: number[] = [];
    for (const [index, atMs] of sentMs.entries()) {
      packets.push({ atMs, from: 'server', at, data: SEGMENT });
      at += SEGMENT;
      packets.push({ atMs: atMs + RTT, from: 'client', upTo: at, window });
      while (nextMs.length < Math.floor(((index + 1) * next) / sentMs.length)) nextMs.push(atMs + RTT + 0.1);
    }
    sentMs = nextMs;
  });
  return packets.toSorted((one, other) => one.atMs - other.atMs);
}

const sending = (packets: readonly TestPacket[]) => analyseCapture(pcap(packets)).connections[0]?.down.sending;

describe('the congestion window', () => {
  it('is found round by round while it holds the sender back', () => {
    const rounds = sending(sender([10, 20, 40, 44, 48]))?.rounds ?? [];
    expect(rounds.slice(0, 4).map(({ limit }) => limit)).toEqual(['congestion', 'congestion', 'congestion', 'congestion']);
    // Within a segment of what was sent in each round.
    [10, 20, 40, 44].forEach((segments, at) => {
      expect(Math.abs((rounds[at]?.bytes ?? 0) - segments * SEGMENT)).toBeLessThanOrEqual(SEGMENT);
    });
  });

  it('is not taken for it where there was no more to send', () => {
    const rounds = sending(sender([10, 20, 3]))?.rounds ?? [];
    expect(rounds.slice(0, 2).map(({ limit }) => limit)).toEqual(['congestion', 'congestion']);
    expect(new Set(rounds.slice(2).map(({ limit }) => limit))).toEqual(new Set(['application']));
  });

  it("is not taken for it where the receiver's window is full", () => {
    // 20,000 bytes, scaled by 4.
    const rounds = sending(sender([10, 20, 20, 20], { window: 5000 }))?.rounds ?? [];
    expect(rounds[2]?.limit).toBe('receiver');
  });

  it('is called cut while a loss is being repaired', () => {
    const packets: TestPacket[] = [
      ...handshake(0, RTT),
      ...[0, 1, 2, 3].map((index): TestPacket => ({ atMs: 200 + index, from: 'server', at: index * SEGMENT, data: SEGMENT })),
      { atMs: 301, from: 'client', upTo: 0, selective: [[1000, 2000]] },
      { atMs: 303, from: 'client', upTo: 0, selective: [[1000, 4000]] },
      { atMs: 304, from: 'server', at: 0, data: SEGMENT },
      { atMs: 404, from: 'client', upTo: 4000 },
    ];
    expect(sending(packets)?.rounds.map(({ limit }) => limit)).toContain('recovery');
  });
});

describe('slow start', () => {
  it('is followed while the window doubles', () => {
    const found = sending(sender([10, 20, 40, 44, 48]))?.slowStart;
    expect(found).toMatchObject({ rounds: 3, afterBytes: 0, endedBy: 'steady' });
    expect(found?.fromBytes).toBe(10 * SEGMENT);
    expect(found?.growthPerRound).toBeGreaterThan(1.9);
    expect(found?.growthPerRound).toBeLessThanOrEqual(2.05);
  });

  it('ends where there is no more to send', () => {
    expect(sending(sender([10, 20, 2]))?.slowStart?.endedBy).toBe('no more to send');
  });
});
