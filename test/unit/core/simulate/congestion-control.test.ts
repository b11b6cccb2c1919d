import { describe, expect, it } from 'vitest';
import { CongestionControl, RateReduction } from '../../../../src/core/simulate/congestion-control.ts';
import { completeLink } from '../../../../src/core/simulate/link.ts';
import { RttEstimator } from '../../../../src/core/simulate/rtt-estimator.ts';

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

describe('the slow start of CUBIC', () => {
  // A path of 100 ms: a queue shows where the least of a round is longer by an eighth, 12.5 ms; a train where it lasts (100 + 1) / 2 ms.
  const started = (window: number) => {
    const control = new CongestionControl('cubic', 10);
    control.window = window;
    control.sampled({ now: 100, rttMs: 100, newRound: true });
    return control;
  };
  const round = (control: CongestionControl, { rttMs, gapMs, count }: { rttMs: number; gapMs: number; count: number }) => {
    for (let ack = 0; ack < count; ack++) control.sampled({ now: 200 + ack * gapMs, rttMs, newRound: ack === 0 });
    return control.inSlowStart;
  };

  it('ends where the ninth round trip of a round is the first that may be judged, and all are longer by more than an eighth', () => {
    expect(round(started(20), { rttMs: 113, gapMs: 3, count: 8 })).toBe(true);
    expect(round(started(20), { rttMs: 113, gapMs: 3, count: 9 })).toBe(false);
    expect(round(started(20), { rttMs: 112, gapMs: 3, count: 9 })).toBe(true);
  });

  it('ends where acknowledgements a millisecond apart go on for more than half a round trip', () => {
    expect(round(started(20), { rttMs: 100, gapMs: 1, count: 51 })).toBe(true);
    expect(round(started(20), { rttMs: 100, gapMs: 1, count: 52 })).toBe(false);
    expect(round(started(20), { rttMs: 100, gapMs: 3, count: 52 })).toBe(true);
  });

  it('goes on below 16 segments, and in Reno', () => {
    expect(round(started(15), { rttMs: 150, gapMs: 1, count: 60 })).toBe(true);
    const reno = new CongestionControl('reno', 20);
    reno.sampled({ now: 100, rttMs: 100, newRound: true });
    expect(round(reno, { rttMs: 150, gapMs: 1, count: 60 })).toBe(true);
  });

  it('without a loss is followed by a segment for twenty at least', () => {
    const control = started(40);
    control.ssthresh = 40;
    control.acknowledged(20, { now: 300, rttMs: 100 });
    // Cubic growth would be 0.4 x 0.1^3; Reno's friend 0.53 of a segment for 40.
    expect(control.window).toBe(41);
  });
});

it('a link is of CUBIC unless it says Reno', () => {
  const link = { rttMs: 100, downKbps: 1000 };
  expect([completeLink(link).congestionControl, completeLink({ ...link, congestionControl: 'reno' }).congestionControl]).toEqual([
    'cubic',
    'reno',
  ]);
  expect(() => completeLink({ ...link, congestionControl: 'bbr' as 'reno' })).toThrow(
    'Link: congestionControl must be reno or cubic, not bbr',
  );
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
    const clock = new RttEstimator(20);
    expect(clock.timeoutMs).toBe(220);
    const far = new RttEstimator(600);
    expect(far.timeoutMs).toBe(600 + 4 * 300);
    for (let at = 0; at < 100; at++) far.sample(600);
    expect(far.timeoutMs).toBeCloseTo(800, 6);
  });

  it('probes after two round trips, a lone segment 200 ms later', () => {
    const clock = new RttEstimator(50);
    expect([clock.probeMs(2), clock.probeMs(1)]).toEqual([100, 250]);
  });
});
