import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { opportunitiesBetween, parseTrace, tracedLine, traceMeanKbps, tracePeriodMs } from '../../../../src/lab/link/link-trace.ts';
import { LINKS_TODAY } from '../../../../src/lab/link/links.ts';
import { parseLink } from '../../../../src/lab/link/parse-link.ts';
import { namedTrace, TRACE_NAMES, traceFromModel, traceOf } from '../../../../src/lab/link/traces.ts';

/** A packet may leave at 10, twice at 20, and at 50 ms; then again at 60, 70, 70 and 100. */
const TRACE = parseTrace('10\n20\n20\n50\n', 'test');
const FULL = 1500;

describe('a trace as Mahimahi writes it', () => {
  test('is a line per moment; the last is the period', () => {
    expect(TRACE.opportunitiesMs).toEqual([10, 20, 20, 50]);
    expect(tracePeriodMs(TRACE)).toBe(50);
    // 4 packets x 1460 bytes x 8 bits in 50 ms.
    expect(traceMeanKbps(TRACE)).toBeCloseTo(934.4, 9);
    expect(parseTrace('0\r\n5', 'windows').opportunitiesMs).toEqual([0, 5]);
  });

  test.each([
    ['', /line 1 is not a whole number|must last/],
    ['0\n', /must last for more than 0 ms/],
    ['5\n4\n', /line 2 is earlier/],
    ['5\n\n6\n', /line 2 is not a whole number/],
    ['1.5\n', /line 1 is not a whole number/],
    ['-1\n', /line 1 is not a whole number/],
    ['1e3\n', /line 1 is not a whole number/],
  ])('refused: %j', (text, says) => {
    expect(() => parseTrace(text, 'test')).toThrow(says);
  });

  test('moments are counted after the beginning and until the end of a stretch, through all turns', () => {
    expect(opportunitiesBetween(TRACE, 0, 20)).toBe(3);
    expect(opportunitiesBetween(TRACE, 10, 20)).toBe(2);
    expect(opportunitiesBetween(TRACE, 20, 49)).toBe(0);
    // 50, 60, 70, 70 and 100, 110, 120, 120, 150.
    expect(opportunitiesBetween(TRACE, 20, 150)).toBe(9);
  });
});

describe('a traced line', () => {
  test('lets a full-size packet out at each moment, and begins again after the last', () => {
    const line = tracedLine(TRACE, 1000);
    expect([1, 2, 3, 4, 5, 6].map(() => line.leave(FULL, 1000))).toEqual([1010, 1020, 1020, 1050, 1060, 1070]);
  });

  test('a moment that nobody used is gone', () => {
    const line = tracedLine(TRACE, 0);
    expect(line.leave(FULL, 15)).toBe(20);
    expect(line.leave(FULL, 21)).toBe(50);
    // Three turns later, 150 to 200: at 161 comes 170.
    expect(line.leave(FULL, 161)).toBe(170);
    expect(line.leave(FULL, 161)).toBe(170);
    expect(line.leave(FULL, 161)).toBe(200);
  });

  test('small packets share a moment, what does not fit goes on in the next', () => {
    const line = tracedLine(TRACE, 0);
    // 700 + 700 at 10, 100 of 700 left for it there, 600 at 20; then 900 are left at 20, and a full one needs 600 of the second.
    expect([700, 700, 700, FULL].map((bytes) => line.leave(bytes, 0))).toEqual([10, 10, 20, 20]);
  });

  test('after a flush what has not left yet may leave again', () => {
    const line = tracedLine(TRACE, 0);
    for (let packet = 0; packet < 8; packet++) line.leave(FULL, 0);
    line.flush();
    expect(line.leave(FULL, 12)).toBe(20);
  });
});

describe('traces by name', () => {
  test.each(TRACE_NAMES)('%s never falls, lasts a minute, and is the same each time', (name) => {
    const { opportunitiesMs } = namedTrace(name);
    expect(opportunitiesMs).toEqual(opportunitiesMs.toSorted((a, b) => a - b));
    expect(opportunitiesMs.at(-1)).toBe(60_000);
    expect(opportunitiesMs.every((ms) => Number.isInteger(ms) && ms >= 0)).toBe(true);
    expect(namedTrace(name)).toEqual({ opportunitiesMs });
    expect(traceOf(name)).toBe(traceOf(name));
  });

  test.each(LINKS_TODAY.filter(({ downTrace }) => downTrace !== undefined))(
    'the rate of $name is the mean of its trace',
    ({ downTrace = '', downKbps }) => {
      expect(Math.abs(traceMeanKbps(traceOf(downTrace)) / downKbps - 1)).toBeLessThan(0.001);
    },
  );

  test('a train has outages and swings, within the bounds of its model', () => {
    const trace = namedTrace('train-wifi');
    const perTenth = Array.from({ length: 600 }, (_, slice) => opportunitiesBetween(trace, slice * 100, slice * 100 + 100));
    const outages = perTenth
      .map((packets) => (packets === 0 ? '-' : '+'))
      .join('')
      .match(/-+/g);
    expect(outages?.length).toBeGreaterThanOrEqual(3);
    // At most 1.5 s, and the steps it touches at both ends.
    expect(Math.max(...(outages ?? []).map((each) => each.length))).toBeLessThanOrEqual(16);
    const mean = perTenth.reduce((sum, packets) => sum + packets, 0) / perTenth.length;
    expect(Math.max(...perTenth)).toBeGreaterThan(2 * mean);
  });

  test('a model without shadowing and fades is an even line', () => {
    const model = {
      seed: 1,
      periodMs: 1000,
      shadowing: 0,
      shadowMemoryMs: 1000,
      fadeEveryMs: 1e12,
      fadeMs: [1, 1],
      fadeLeaves: 1,
    } as const;
    // 1168 kbit/s is a packet every 10 ms: at 5, 15, ... and the last moved to the period.
    const { opportunitiesMs } = traceFromModel({ ...model, meanKbps: 1168 });
    expect(opportunitiesMs).toHaveLength(100);
    expect(opportunitiesMs.slice(0, 3)).toEqual([5, 15, 25]);
    expect(opportunitiesMs.slice(-2)).toEqual([985, 1000]);
  });
});

describe('a trace from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trace-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('is named in a link, whose rate is its mean', () => {
    const path = join(folder, 'even.trace');
    writeFileSync(path, '10\n20\n20\n50\n');
    expect(parseLink(`rtt=80,trace=${path},up=500`)).toEqual({
      name: `rtt=80,trace=${path},up=500`,
      rttMs: 80,
      downKbps: 934.4,
      upKbps: 500,
      queue: 100,
      downTrace: path,
    });
    expect(parseLink('trace=train-wifi,rtt=80')).toMatchObject({ rttMs: 80, downTrace: 'train-wifi', downKbps: 4000 });
  });

  test('what cannot be a trace is refused in one line', () => {
    const slow = join(folder, 'slow.trace');
    // One packet in 10 s: 1.2 kbit/s.
    writeFileSync(slow, '10000\n');
    const empty = join(folder, 'empty.trace');
    writeFileSync(empty, '');
    for (const [text, says] of [
      [`rtt=80,trace=${join(folder, 'none')}`, /cannot be read; traces are train-wifi, 4g-car, or a file/],
      [`rtt=80,trace=${folder}`, /is no file/],
      ['rtt=80,trace=', /cannot be read/],
      [`rtt=80,trace=${slow}`, /mean of 1.2 kbit\/s does not lie between 10 and 50000/],
      [`rtt=80,trace=${empty}`, /must last for more than 0 ms/],
      ['rtt=80,trace=train-wifi,down=4000', /gives down and trace/],
      ['rtt=80,trace=train-wifi,trace=4g-car', /gives trace twice/],
      ['trace=train-wifi', /needs rtt/],
    ] as const) {
      expect(() => parseLink(text)).toThrow(says);
    }
  });
});
