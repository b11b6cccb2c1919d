import { describe, expect, it } from 'vitest';
import {
  bestGoodput,
  downlinkOf,
  estimateLink,
  linkSample,
  roundTripSample,
  sustainedWindow,
} from '../../../../../src/core/measure/links/estimate-link.ts';
import { kilobitsPerSecond, milliseconds } from '../../../../../src/core/units.ts';
import { requestOf, waterfall } from '../../../../fixtures/waterfall.ts';

describe('round-trip samples', () => {
  it.each([
    ['the TCP handshake', 'a.test/ image fetch=0 connect=2-302 send=302 first=700 end=900 bytes=1', 300],
    ['without TLS', 'https://a.test/ image fetch=0 connect=2-602 tls=302 send=602 first=902 end=903 h2', 300],
    ['the QUIC handshake, which holds TLS', 'https://a.test/ image fetch=0 connect=2-302 tls=2 send=302 first=902 end=903 h3', 300],
    ['the first byte on an open connection', 'a.test/ image fetch=0 reused send=10 first=330 end=900', 320],
    ['not a handshake that may have begun before the request', 'a.test/ image fetch=5 connect=5-200 send=200 first=500 end=900', undefined],
    ['a step of the clock at the least', 'a.test/ image fetch=0 reused send=10 first=11 end=11', 1],
    ['not less than a step of the clock', 'a.test/ image fetch=0 reused send=10 first=10 end=11', undefined],
    ['without wire facts', 'a.test/ image fetch=0 connect=2-302 send=302 first=700 end=900 no-wire', 300],
    ['not without timing', 'a.test/ image', undefined],
    ['not the way to a proxy', 'a.test/ image fetch=0 connect=2-9 send=9 first=330 end=900 proxied', undefined],
    ['not a cache', 'a.test/ image fetch=0 reused send=10 first=330 end=900 cached', undefined],
    ['not the unknown', 'a.test/ image fetch=0 end=900', undefined],
  ])('%s', (_, line, expected) => {
    expect(roundTripSample(requestOf(line))).toBe(expected);
  });
});

describe('best goodput', () => {
  const best = (window: number, ...lines: string[]) => bestGoodput(lines.map(requestOf), milliseconds(window));

  it('is bytes x 8 over the time they took', () => {
    // 100 000 bytes in 400 ms: 2000 kbit/s.
    expect(best(250, 'a.test/ image fetch=0 first=100 end=500 bytes=100000')).toBe(2000);
  });
  it('adds up responses that arrive side by side', () => {
    // From 0 to 400: 100 000 + half of 100 000 (which takes to 800): 150 000 x 8 / 400 = 3000; from 0 to 800 it is 2000.
    expect(best(250, 'a.test/1 image fetch=0 first=0 end=400 bytes=100000', 'a.test/2 image fetch=0 first=0 end=800 bytes=100000')).toBe(
      3000,
    );
    expect(best(800, 'a.test/1 image fetch=0 first=0 end=400 bytes=100000', 'a.test/2 image fetch=0 first=0 end=800 bytes=100000')).toBe(
      2000,
    );
    // From 100 to 500: 40,000 and half of 80,000.
    expect(best(250, 'a.test/1 image fetch=0 first=100 end=900 bytes=80000', 'a.test/2 image fetch=0 first=100 end=500 bytes=40000')).toBe(
      1600,
    );
  });
  it('is over the window at least, and over 43,800 bytes', () => {
    expect(best(250, 'a.test/ image fetch=0 first=0 end=250 bytes=100000')).toBe(3200);
    expect(best(250, 'a.test/ image fetch=0 first=0 end=300 bytes=43800')).toBe(1168);
  });
  it('does not count what comes later, nor what ended before it began; what came at once does', () => {
    // 50,000 bytes in 250 ms.
    expect(best(250, 'a.test/1 image fetch=0 first=0 end=250 bytes=50000', 'a.test/2 image fetch=0 first=500 end=900 bytes=50000')).toBe(
      1600,
    );
    const first = 'a.test/1 image fetch=0 first=0 end=400 bytes=50000';
    expect(best(250, first, 'a.test/2 image fetch=0 first=500 end=300 bytes=100000')).toBe(1000);
    expect(best(250, first, 'a.test/2 image fetch=0 end=300 bytes=100000')).toBe(1000);
    expect(best(250, first, 'a.test/2 image fetch=0 first=0 end=300 no-wire')).toBe(1000);
    expect(best(250, first, 'a.test/2 image fetch=0 first=400 end=400 bytes=50000')).toBe(2000);
  });
  it('is not taken in by a burst or by a handful of bytes', () => {
    expect(best(250, 'a.test/ image fetch=0 first=0 end=1 bytes=100000')).toBeUndefined();
    expect(best(250, 'a.test/ image fetch=0 first=1000 end=1001 bytes=100000', 'a.test/2 image bytes=100000')).toBeUndefined();
    expect(best(250, 'a.test/ image fetch=0 first=0 end=300 bytes=43799')).toBeUndefined();
    expect(best(250, 'a.test/ image fetch=0 first=0 end=300 bytes=100000 cached')).toBeUndefined();
    expect(best(250, 'a.test/ image fetch=0 first=0 end=300')).toBeUndefined();
  });
});

describe('what a single load tells of its link', () => {
  const load = (end: number) =>
    waterfall(`
      load event=5000
      a.test/  main_frame fetch=0   connect=1-301 send=301 first=650 end=${end} bytes=91000
      a.test/1 image      fetch=700 reused send=700 first=1010 end=1100 bytes=1000
      a.test/2 image      fetch=700 reused send=700 first=1099 end=1100 bytes=1000`);

  it('is its round trip, with the least it is as likely as not, and its rate', () => {
    // 300, 310 and 399: 10 below the lowest. 93,000 bytes in 1550 ms: 480 kbit/s; the window is 1200 ms.
    expect(linkSample(load(2200))).toStrictEqual({ rttMs: 300, rttLowMs: 290, downKbps: 480 });
  });
  it('is no rate where nothing kept the link busy, and nothing without a round trip', () => {
    expect(linkSample(load(1100))).toStrictEqual({ rttMs: 300, rttLowMs: 290 });
    expect(linkSample(waterfall('load event=9\n a.test/ main_frame fetch=0 first=650 end=2250 bytes=100000'))).toStrictEqual({});
  });
});

describe('the estimated link', () => {
  /** RTT 300 ms to a.test, 40 ms to the nearer cdn.test; 100 000 bytes in 1600 ms: 500 kbit/s. */
  const load = (slower = 0) =>
    waterfall(`
      load event=5000
      a.test/   main_frame fetch=0   connect=1-301 send=301 first=${650 + slower} end=700 bytes=4000
      a.test/1  image      fetch=700 reused send=700 first=${1000 + slower} end=1010 bytes=1000
      a.test/2  image      fetch=700 connect=702-${1009 + slower} send=1009 first=1320 end=2920 bytes=100000
      cdn.test/ image      fetch=700 connect=702-742 send=742 first=790 end=800 bytes=1000`);

  it('takes the least of the documents origin, and the best sustained rate', () => {
    // Samples of a.test: 300, 300, 307. The window is 1200 ms: from 1320 to 2920, 100 000 bytes.
    expect(estimateLink([load()])).toEqual({
      basis: 'estimated',
      rttMs: 300,
      rttSamples: 3,
      rttSpreadMs: { low: 300, high: 300 },
      // The lowest two are the same: the floor is there.
      rttIntervalMs: { low: 300, high: 300 },
      rttLikelyLowMs: 300,
      downKbps: 500,
      downSamples: 1,
      downSpreadKbps: { low: 500, high: 500 },
      // One load exceeds the rank of 0.9 by a chance of 0.1, so it is a lower bound at 90 %; it is no upper bound.
      downIntervalKbps: { low: 500 },
    });
  });
  it('may be less by the gap of its two lowest samples, as likely as not', () => {
    const origin = (first: number) =>
      waterfall(`
      load event=5000
      a.test/  main_frame fetch=0   connect=1-301 send=301 first=650 end=2250 bytes=100000
      a.test/1 image      fetch=700 reused send=700 first=${first} end=1100 bytes=1000
      b.test/  image      fetch=700 connect=702-742 send=742 first=790 end=800 bytes=1000
      a.test/2 image      fetch=700 reused send=700 first=1099 end=1100 bytes=1000`);
    // 300, 310 and 399; 10 below the lowest, and 9 x 10 at 90 %. b.test has one sample, which bounds nothing.
    expect(estimateLink([origin(1010)])).toMatchObject({ rttMs: 300, rttLikelyLowMs: 290, rttIntervalMs: { low: expect.closeTo(210, 9) } });
    // Never below 0.
    expect(estimateLink([origin(1098)])).toMatchObject({ rttLikelyLowMs: 202, rttIntervalMs: { low: 0 } });
  });
  it('has to be kept up for four round trips, and for 250 ms', () => {
    expect([300, 63, 62, 1].map((rtt) => sustainedWindow(milliseconds(rtt)))).toEqual([1200, 252, 250, 250]);
  });
  it('does not go by the order in which samples and rates came', () => {
    const at = (first: number, end: number) => `fetch=700 reused send=700 first=${first} end=${end}`;
    const one = (...samples: readonly number[]) =>
      waterfall(`
      load event=5000
      a.test/  main_frame fetch=0 reused send=0 first=420 end=2020 bytes=100000
      ${samples.map((sample, at_) => `a.test/${at_} image ${at(700 + sample, 2700)} bytes=100`).join('\n')}`);
    // 420, 410, 400, 300, 310: the lowest two are 300 and 310.
    const expected = { rttMs: 300, rttLikelyLowMs: 290, rttSpreadMs: { low: 300, high: 400 } };
    expect(estimateLink([one(410, 400, 300, 310)])).toMatchObject(expected);
    expect(estimateLink([one(310, 300, 400, 410)])).toMatchObject(expected);
    const rate = (bytes: number) => waterfall(`load event=9\n a.test/ main_frame fetch=0 reused send=0 first=400 end=2000 bytes=${bytes}`);
    // 160,000 bytes in 1600 ms: 800 kbit/s; twice and three times that.
    const rates = [320_000, 480_000, 160_000].map(rate);
    expect(estimateLink(rates)).toMatchObject({ downKbps: 2400, downSpreadKbps: { low: 1600, high: 2400 } });
  });
  it('is bounded from both sides by the rates of 22 loads', () => {
    // The twentieth is nine tenths up. Of 22, all lie below that rank with a chance of 0.9^22 = 0.098, 18 or more with one of 0.94.
    const rates = Array.from({ length: 22 }, (_, at) => kilobitsPerSecond(at + 1));
    expect(downlinkOf(rates)).toMatchObject({ downKbps: 20, downIntervalKbps: { low: 18, high: 22 } });
    // 0.9^21 = 0.109.
    expect(downlinkOf(rates.slice(0, 21))?.downIntervalKbps).not.toHaveProperty('high');
    expect(downlinkOf([])).toBeUndefined();
  });
  it('takes its bound from the origins that have one', () => {
    const page = (origin: string, ...samples: readonly number[]) =>
      waterfall(`
      load event=5000
      ${samples.map((sample, at) => `${origin}/${at} ${at === 0 ? 'main_frame' : 'image'} fetch=0 reused send=0 first=${sample} end=${sample + 1600} bytes=100000`).join('\n')}`);
    // Floors: 300 and 310 allow for 290, 100 and 104 for 96, 200 alone for anything: the middle of two is 193, of three it would be 96.
    expect(estimateLink([page('a.test', 300, 310), page('b.test', 200), page('c.test', 104, 100)])).toMatchObject({
      ...{ rttMs: 200, rttLikelyLowMs: 193 },
    });
  });
  it('is not raised by a slow server', () => {
    expect(estimateLink([load(50), load(90)])).toMatchObject({ rttMs: 300, rttSpreadMs: { low: 300 }, rttSamples: 6 });
  });
  it('leaves out the fastest of ten', () => {
    const fast = waterfall('load event=9\n a.test/ main_frame fetch=0 send=1 first=2 end=1602 bytes=900000');
    const loads = [...Array.from({ length: 9 }, () => load()), fast];
    expect(estimateLink(loads)).toMatchObject({ downKbps: 500, downSamples: 10, downSpreadKbps: { low: 500, high: 4500 } });
  });
  it('takes other origins where the documents tell too little', () => {
    const proxied = waterfall(`
      load event=5000
      a.test/    main_frame fetch=0 send=1 first=650 end=2700 bytes=100000
      b.test/    image fetch=700 connect=702-742 send=742 first=790 end=800 bytes=1000
      b.test/2   image fetch=700 connect=702-743 send=742 first=790 end=800 bytes=1000
      cdn.test/  image fetch=700 connect=702-762 send=742 first=790 end=800 bytes=1000`);
    // b.test 40, cdn.test 60: the middle is 50.
    expect(estimateLink([proxied])?.rttMs).toBe(50);
  });
  it('is unknown where there is not enough', () => {
    expect(estimateLink([])).toBeUndefined();
    expect(
      estimateLink([waterfall('load event=9\n a.test/ main_frame fetch=0 connect=1-301 send=301 first=602 end=9000 bytes=900000')]),
    ).toBeUndefined();
    const small = waterfall(`
      load event=9
      a.test/  main_frame fetch=0 connect=1-301 send=301 first=602 end=603 bytes=900
      a.test/1 image fetch=603 reused send=603 first=904 end=905 bytes=900
      a.test/2 image fetch=603 reused send=603 first=904 end=905 bytes=900`);
    expect(estimateLink([small])).toBeUndefined();
  });
});
