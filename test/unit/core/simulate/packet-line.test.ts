import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/core/random.ts';
import { type LineFigures, PacketLine } from '../../../../src/core/simulate/packet-line.ts';

/** 1,500 bytes on the line carry 1,460 of payload: at 1,168 kbit/s they take 10 ms. */
const PLAIN: LineFigures = { delayMs: 100, rateKbps: 1168, queuePackets: 1000, loss: 0, jitterMs: 0 };
const line = (figures: Partial<LineFigures> = {}) => new PacketLine({ ...PLAIN, ...figures }, seededRandom(1));

describe('a line', () => {
  it('sends one packet after another, and each takes the way besides', () => {
    const plain = line();
    for (let at = 0; at < 3; at++) plain.send(0, 1500, 0, at, 0);
    plain.send(500, 750, 0, 3, 0);
    expect([plain.take(), plain.take(), plain.take(), plain.take()]).toEqual([110, 120, 130, 605].map((time) => expect.closeTo(time, 9)));
    expect(plain.nextTime).toBe(Number.POSITIVE_INFINITY);
  });

  it('tells which packet it was, for as many as there are', () => {
    const plain = line();
    for (let at = 0; at < 1000; at++) plain.send(0, 15, at % 7, at, 2 * at);
    for (let at = 0; at < 1000; at++) {
      plain.take();
      expect([plain.kind, plain.subject, plain.detail]).toEqual([at % 7, at, 2 * at]);
    }
  });

  it('drops what finds the queue full, the one being sent included', () => {
    const short = line({ queuePackets: 3 });
    expect([1, 2, 3, 4].map((at) => short.send(0, 1500, 0, at, 0))).toEqual([true, true, true, false]);
    // After 10 ms the first has left the line.
    expect(short.send(9.9, 1500, 0, 5, 0)).toBe(false);
    expect(short.send(10.1, 1500, 0, 6, 0)).toBe(true);
  });

  it('loses the share it is told to, and lets none overtake another', () => {
    const bad = line({ loss: 0.2, jitterMs: 50, rateKbps: 1_000_000 });
    let arrived = 0;
    for (let at = 0; at < 5000; at++) if (bad.send(at, 100, 0, at, 0)) arrived += 1;
    expect(arrived / 5000).toBeCloseTo(0.8, 1);
    let before = { time: 0, packet: -1 };
    for (let at = 0; at < arrived; at++) {
      const time = bad.take();
      expect(time).toBeGreaterThanOrEqual(before.time);
      expect(bad.subject).toBeGreaterThan(before.packet);
      expect(time - bad.subject).toBeGreaterThanOrEqual(100);
      before = { time, packet: bad.subject };
    }
  });

  it('knows how long it was busy', () => {
    const plain = line();
    plain.send(0, 1500, 0, 0, 0);
    plain.send(50, 3000, 0, 1, 0);
    expect(plain.busyUntil(60)).toBeCloseTo(20, 9);
    expect(plain.busyUntil(100)).toBeCloseTo(30, 9);
  });
});
