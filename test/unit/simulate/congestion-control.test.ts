import { describe, expect, it } from 'vitest';
import { CongestionControl } from '../../../src/core/simulate/congestion-control.ts';
import { RateReduction } from '../../../src/core/simulate/rate-reduction.ts';
import { RoundTripClock } from '../../../src/core/simulate/round-trip-clock.ts';

const AT = { now: 0, rttMs: 100 };

describe('Reno', () => {
  it('doubles in a round trip, then adds one', () => {
    const control = new CongestionControl('reno', 10);
    for (let segment = 0; segment < 10; segment++) control.acknowledged(1, AT);
    expect(control.window).toBe(20);
    control.ssthresh = 20;
    for (let segment = 0; segment < 20; segment++) control.acknowledged(1, AT);
    // 20 x 1 / window, the window growing meanwhile: a little less than one.
    expect(control.window).toBeGreaterThan(20.95);
    expect(control.window).toBeLessThanOrEqual(21);
  });

  it('halves what was outstanding, and begins with one segment after a timeout', () => {
    const control = new CongestionControl('reno', 10);
    control.window = 40;
    expect(control.lost(31)).toBe(15);
    expect(new CongestionControl('reno', 10).lost(1)).toBe(2);
    control.timedOut(31);
    expect([control.window, control.ssthresh]).toEqual([1, 15]);
  });

  it('halves for each timeout of idling, down to the initial window', () => {
    const control = new CongestionControl('reno', 10);
    control.window = 64;
    control.idleFor(1);
    expect(control.window).toBe(32);
    control.idleFor(5);
    expect(control.window).toBe(10);
  });
});

describe('CUBIC', () => {
  it('keeps 0.7, and is back at its former window after K = cbrt(W x 0.3 / 0.4) seconds', () => {
    const control = new CongestionControl('cubic', 10);
    control.window = 100;
    control.ssthresh = 100;
    control.window = control.lost(100);
    expect(control.window).toBe(70);
    const plateauMs = 1000 * Math.cbrt((100 * 0.3) / 0.4);
    let now = 0;
    for (; now < plateauMs - 100; now += 10) control.acknowledged(10, { now, rttMs: 100 });
    expect(control.window).toBeGreaterThan(97);
    expect(control.window).toBeLessThanOrEqual(101);
    // Slow around the plateau, then faster and faster.
    const before = control.window;
    for (; now < plateauMs + 400; now += 10) control.acknowledged(10, { now, rttMs: 100 });
    const near = control.window - before;
    for (; now < plateauMs + 3000; now += 10) control.acknowledged(10, { now, rttMs: 100 });
    expect(control.window - before).toBeGreaterThan(near + 5);
  });
});

describe('rate reduction', () => {
  it('sends one for two arrivals while more is outstanding than the target, the first at once', () => {
    const reduction = new RateReduction(50, 100);
    const sent = Array.from({ length: 10 }, (_, at) => {
      const quota = reduction.quota({ delivered: 1, outstanding: 99 - at, clean: false });
      for (let k = 0; k < quota; k++) reduction.sent();
      return quota;
    });
    expect(sent).toEqual([1, 0, 1, 0, 1, 0, 1, 0, 1, 0]);
  });

  it('sends for what arrives below the target, and one more where nothing else is lost', () => {
    const reduction = new RateReduction(50, 100);
    reduction.quota({ delivered: 1, outstanding: 40, clean: false });
    reduction.sent();
    expect(reduction.quota({ delivered: 3, outstanding: 40, clean: false })).toBe(3);
    expect(reduction.quota({ delivered: 3, outstanding: 40, clean: true })).toBe(7);
    expect(reduction.quota({ delivered: 30, outstanding: 48, clean: true })).toBe(2);
  });
});

describe('the clock of a sender', () => {
  it('waits a round trip and 200 ms at least, and more where round trips vary', () => {
    const clock = new RoundTripClock(20);
    expect(clock.timeoutMs).toBe(220);
    const far = new RoundTripClock(600);
    expect(far.timeoutMs).toBe(600 + 4 * 300);
    for (let at = 0; at < 100; at++) far.sample(600);
    expect(far.timeoutMs).toBeCloseTo(800, 6);
  });

  it('probes after two round trips, a lone segment 200 ms later', () => {
    const clock = new RoundTripClock(50);
    expect([clock.probeMs(2), clock.probeMs(1)]).toEqual([100, 250]);
  });
});
