import { describe, expect, test } from 'vitest';
import { opportunitiesBetween } from '../../../../src/lab/link/link-trace.ts';
import { parseLink } from '../../../../src/lab/link/parse-link.ts';
import { shapedDirection } from '../../../../src/lab/link/shaped-direction.ts';
import { traceOf } from '../../../../src/lab/link/traces.ts';
import { weatherBefore, weatherOf, weatherSeed } from '../../../../src/lab/link/weather.ts';

const LOAD = { page: 'news', link: 'lossy', block: 0 };

describe('the seed of a load', () => {
  test('is one of 2^32, the same for the same run, page, link and block, and another for any other', () => {
    const seeds = [1, 2].flatMap((seed) =>
      ['news', 'shop'].flatMap((page) =>
        ['lossy', 'far'].flatMap((link) => Array.from({ length: 50 }, (_, block) => weatherSeed(seed, { page, link, block }))),
      ),
    );
    expect(weatherSeed(7, LOAD)).toBe(weatherSeed(7, { ...LOAD }));
    // 400 of 2^32 meet with a chance of 2 in 100,000; these do not.
    expect(new Set(seeds).size).toBe(400);
    expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32)).toBe(true);
    expect(weatherBefore(seeds[0] ?? 0)).not.toBe(seeds[0]);
  });

  test('the report says how chance was drawn where links leave it anything', () => {
    expect(weatherOf([parseLink('far-2m')])).toEqual({});
    for (const figures of ['loss=0.01', 'jitter=5'])
      expect(weatherOf([parseLink(`rtt=50,down=2000,${figures}`)])).toEqual({ weather: 'by-block' });
    expect(weatherOf([parseLink('far-2m'), parseLink('rtt=50,trace=4g-car')])).toEqual({ weather: 'by-block' });
  });
});

describe('one direction', () => {
  const line = (more: object) => shapedDirection({ delayMs: 50, rateKbps: 10_000, queuePackets: 1000, ...more });
  const passage = (direction: ReturnType<typeof line>, fromMs: number, seed: number) => {
    direction.flush();
    direction.weather(seed, fromMs);
    return Array.from({ length: 200 }, (_, index) => {
      const leftMs = direction.admit(1500, fromMs + 10 * index);
      return leftMs && Number((leftMs - fromMs).toFixed(6));
    });
  };

  test('a load meets the losses and the delays of its seed, whatever came before it', () => {
    const direction = line({ lossShare: 0.1, jitterMs: 10 });
    const first = passage(direction, 1000, 5);
    expect(passage(direction, 50_000, 6)).not.toEqual(first);
    expect(passage(direction, 90_000, 5)).toEqual(first);
  });

  test('packets of one moment have the same delay, whatever other packets a load sends', () => {
    const delays = (more: readonly number[], fromMs: number) => {
      const direction = line({ rateKbps: 1_000_000, jitterMs: 10 });
      direction.weather(5, fromMs);
      // Far enough apart that none waits for one before it: the delay is below 150 ms.
      const common = Array.from({ length: 40 }, (_, index) => 200 * index + 150);
      return [...common, ...more]
        .toSorted((a, b) => a - b)
        .flatMap((atMs) => {
          const outMs = direction.admit(1500, fromMs + atMs) ?? Number.NaN;
          return common.includes(atMs) ? [outMs - fromMs - atMs] : [];
        });
    };
    const alone = delays([], 1000);
    expect(new Set(alone.map((ms) => ms.toFixed(3))).size).toBeGreaterThan(30);
    // Another packet before the first, more in between, and a load that begins at another time.
    const others = [0, ...Array.from({ length: 30 }, (_, index) => 200 * index + 10)];
    for (const [index, ms] of delays(others, 70_000).entries()) expect(ms).toBeCloseTo(alone[index] ?? Number.NaN, 4);
  });

  test('a trace goes on from the place that the seed draws, at whatever time the load begins', () => {
    const trace = traceOf('train-wifi');
    const direction = line({ trace });
    const first = passage(direction, 1000, 5);
    expect(passage(direction, 77_777, 5)).toEqual(first);
    const at = (seed: number) => {
      direction.weather(seed, 0);
      return direction.traceAtMs(0) ?? 0;
    };
    const places = [1, 2, 3, 4, 5, 6, 7, 8].map(at);
    expect(places.every((ms) => ms >= 0 && ms < 60_000)).toBe(true);
    expect(Math.max(...places) - Math.min(...places)).toBeGreaterThan(10_000);
    expect(opportunitiesBetween(trace, places[0] ?? 0, (places[0] ?? 0) + 60_000)).toBe(trace.opportunitiesMs.length);
  });
});
