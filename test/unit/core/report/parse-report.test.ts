import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { parseReport, upgradeReport } from '../../../../src/protocol/parse-report.ts';
import { sampleReport } from '../../../golden/sample-report.ts';

const json = (): Record<string, unknown> => JSON.parse(JSON.stringify(sampleReport()));

function messageOf(report: unknown): string {
  try {
    parseReport(report);
  } catch (error) {
    if (error instanceof PlumbfoxError && error.kind === 'bad-input') return error.message;
    throw error;
  }
  throw new Error('was accepted');
}

describe('parseReport', () => {
  it('gives back what was written', () => {
    expect(parseReport(json())).toEqual(sampleReport());
  });

  const withGraph = (graph: unknown) => {
    const report = json();
    return { ...report, pages: [{ name: 'wiki', graph, inferred: [{ field: 'sizes', requests: 1, rule: 'Taken for empty.' }] }] };
  };
  const first = { id: 'r0', bytes: 24_300, class: 'document', serverMs: 40 };

  it.each([
    [{ requests: [first] }],
    [{ requests: [first, { id: 'r1', bytes: 0, origin: 'origin-2', blocking: true, after: { id: 'r0', bytes: 0, delayMs: 2.5 } }] }],
    [
      {
        requests: [first, { id: 'r1', bytes: 3, requestBytes: 400, after: [{ id: 'r0' }] }],
        origins: { o: { maxStreams: 'none', tls: '1.3' } },
      },
    ],
    [{ requests: [first], origins: { o: { protocol: 'http/2', maxStreams: 100, dnsMs: 20, resumed: true } } }],
  ])('keeps the page %j', (graph) => {
    expect(parseReport(withGraph(graph)).pages[0]?.graph).toEqual(graph);
  });

  it.each([
    [{ requests: [] }, /graph\.requests: /],
    [{ requests: [{ id: 'r0' }] }, /graph\.requests\.0\.bytes: /],
    [{ requests: [{ ...first, bytes: -1 }] }, /graph\.requests\.0\.bytes: /],
    [{ requests: [{ ...first, class: 'picture' }] }, /graph\.requests\.0\.class: /],
    [{ requests: [{ ...first, after: [{ id: 1 }] }] }, /graph\.requests\.0\.after/],
    [{ requests: [first], origins: { o: { protocol: 'http/1.0' } } }, /graph\.origins\.o\.protocol: /],
    ['many', /graph: /],
  ])('refuses the page %j', (graph, where) => {
    const message = messageOf(withGraph(graph));
    expect(message).toMatch(/^The report is damaged at pages\.0\./);
    expect(message).toMatch(where);
  });

  it('has the keys that JSON leaves out', () => {
    const report = parseReport(json());
    expect('loadsNeeded' in (report.comparison.profiles[1]?.versusBaseline ?? {})).toBe(true);
  });

  it.each([[null], [[]], ['{}'], [7], [{}], [{ format: 'har', version: 1 }], [undefined]])('refuses %j as not a report', (value) => {
    expect(messageOf(value)).toMatch(/^This is not a Plumbfox report/);
  });

  it('refuses a newer version', () => {
    expect(messageOf({ ...json(), version: 7 })).toBe('The report is version 7, this Plumbfox reads up to 4: update Plumbfox');
  });

  it('compares a report of version 1 again, with the same figures, by the rule of today', async () => {
    const old = JSON.parse(await readFile(new URL('../../../fixtures/report-v1.json', import.meta.url), 'utf8'));
    const { version, comparison, loads } = parseReport(old);
    expect(version).toBe(4);
    expect(loads).toHaveLength(old.loads.length);
    const [, deep] = old.comparison.profiles;
    expect(comparison.profiles[1]?.versusBaseline).toMatchObject({
      ratio: expect.closeTo(deep.versusBaseline.ratio, 12),
      // Five pairs: it was called better with fewer than six.
      verdict: 'need-more-loads',
    });
    expect(comparison.recommendation).toMatchObject({ state: 'need-more-loads' });
    expect(comparison.method).toEqual({ estimate: 'paired', looks: 'any', alpha: 0.05, intervals: 1 });
    expect(messageOf({ ...old, loads: [{ ...old.loads[0], block: 'x' }] })).toMatch(/^The report is damaged/);
  });

  it('measures the loads of a report of version 2 again: the gateway wins nothing by hiding its connections', async () => {
    // RTT 100 ms, 33,000 bytes over 10 Mbit/s: 126.4 ms, of 400 direct and 401 through the gateway. Version 1 of the measures: .316 and .564.
    const old = JSON.parse(await readFile(new URL('../../../fixtures/report-v2.json', import.meta.url), 'utf8'));
    expect(old.comparison.control).toMatchObject({ ratio: expect.closeTo(1.79, 2), used: true });
    const { metricVersion, loads, comparison } = parseReport(old);
    expect(metricVersion).toBe(2);
    expect(loads.map(({ measures }) => measures?.idealTimeMs)).toEqual(Array.from({ length: 12 }, () => 126.4));
    expect(loads[0]?.measures?.efficiency).toBeCloseTo(0.316, 9);
    expect(loads[1]?.measures?.efficiency).toBeCloseTo(126.4 / 401, 9);
    // 400, 404, 398, 402 against 401, 403, 400, 399.
    expect(comparison.control).toMatchObject({ ratio: expect.closeTo(1.0006, 3), used: true });
    const without = { ...old, links: [{ ...old.links[0], asked: undefined, measured: undefined }] };
    expect(parseReport(JSON.parse(JSON.stringify(without))).loads[0]?.measures).not.toHaveProperty('efficiency');
  });

  it('gives a report of version 3, which held medians, the geometric means that it is shown with', async () => {
    const old = JSON.parse(await readFile(new URL('../../../fixtures/report-v3.json', import.meta.url), 'utf8'));
    const { loads, comparison } = parseReport(old);
    const logsOf = (profileId: string, link: string) =>
      loads.flatMap((load) =>
        load.profileId === profileId && load.link === link && load.validity.state === 'valid' && load.measures
          ? [Math.log(load.measures.loadTimeMs)]
          : [],
      );
    const mean = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
    for (const [at, { id, loadTimeMs }] of comparison.profiles.entries()) {
      const expected = Math.exp(mean(['slow', 'dsl'].map((link) => mean(logsOf(id, link)))));
      expect(loadTimeMs.median).toBeCloseTo(expected, 6);
      expect(Math.abs(old.comparison.profiles[at].loadTimeMs.median - expected)).toBeGreaterThan(0.01);
    }
  });

  describe.each([1, 2])('of version %i, whose loads would be measured again by figures that cannot be', (version) => {
    const read = async () => JSON.parse(await readFile(new URL(`../../../fixtures/report-v${version}.json`, import.meta.url), 'utf8'));

    it.each([
      { rttMs: 50, downKbps: -1 },
      { rttMs: 50, downKbps: 5e-324 },
    ])('is refused with a link of %j', async (asked) => {
      const old = await read();
      const links = old.links.map((link: object) => ({ ...link, asked }));
      expect(messageOf({ ...old, links })).toMatch(/^The report is damaged at loads\.\d+: .*is not a number of/);
    });

    it('is refused with more bytes than a load can have', async () => {
      const old = await read();
      for (const load of old.loads) if (load.measures) load.measures.bytes = 1.7e308;
      expect(messageOf(old)).toMatch(/^The report is damaged at loads\.0: Infinity is not a number of/);
    });
  });

  it.each([0, -1, 1.5, '1', null, Number.NaN])('refuses version %j', (version) => {
    expect(messageOf({ ...json(), version })).toMatch(/no version number/);
  });

  describe('of a load of version 2 that was lost without a cause', () => {
    const upgraded = async (reason: string) => {
      const old = JSON.parse(await readFile(new URL('../../../fixtures/report-v2.json', import.meta.url), 'utf8'));
      old.loads[0].validity = { state: 'void', reason };
      return parseReport(old);
    };

    it.each([
      'the page takes longer than the 60 s that are recorded: take a smaller page or a quicker link',
      'the page was not finished within the time that is recorded, 60 s: take a smaller page or a quicker link',
      'the page was not finished when the time was up',
    ])('gives it its bound: %s', async (reason) => {
      const { loads, comparison } = await upgraded(reason);
      expect(loads[0]?.validity).toMatchObject({ cause: 'time-limit', atLeastMs: 60_000 });
      expect(comparison.profiles.find(({ id }) => id === loads[0]?.profileId)?.voidLoads).toBe(0);
    });

    it('lasts to its cut where it counts as it is, as everyday loads do', async () => {
      const old = JSON.parse(await readFile(new URL('../../../fixtures/report-v2.json', import.meta.url), 'utf8'));
      old.loads[0].measures.cutShort = 'time-limit';
      old.loads[1].measures.cutShort = 'page-left';
      const { loads } = parseReport(old);
      expect(loads[0]?.measures?.loadTimeMs).toBe(60_000);
      expect(loads[1]?.measures?.loadTimeMs).toBe(old.loads[1].measures.loadTimeMs);
    });

    it('gives it none where a request timed out: when is not known', async () => {
      const { loads } = await upgraded('a request failed: NS_ERROR_NET_TIMEOUT (image http://a/)');
      expect(loads[0]?.validity).toMatchObject({ cause: 'request-failed' });
      expect(loads[0]?.validity).not.toHaveProperty('atLeastMs');
    });
  });

  it('names the first damaged field in one line', () => {
    const damaged = json();
    damaged.seed = 1;
    damaged.links = [{ name: 'slow', kind: 'wire', basis: 'configured' }];
    expect(messageOf(damaged)).toMatch(/^The report is damaged at links\.0\.kind: /);
    expect(messageOf({ ...json(), createdAt: `x\n${'y'.repeat(5000)}` })).toMatch(/^The report is damaged at createdAt: .{1,200}$/);
  });

  it('is not led astray by names of JavaScript’s own', () => {
    const text = JSON.stringify(json()).replace('"intended":{}', '"intended":{"__proto__":{"polluted":1},"constructor":2}');
    const report = (() => {
      try {
        return parseReport(JSON.parse(text));
      } catch (error) {
        expect(error).toBeInstanceOf(PlumbfoxError);
        return undefined;
      }
    })();
    expect(report === undefined || !('polluted' in (report.profiles[0]?.intended ?? {}))).toBe(true);
    expect('polluted' in {}).toBe(false);
  });

  it('answers anything with a report or a typed error', () => {
    const broken = fc.tuple(fc.constantFrom(...Object.keys(json())), fc.jsonValue()).map(([key, value]) => ({ ...json(), [key]: value }));
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), broken), (value) => {
        try {
          parseReport(value);
        } catch (error) {
          expect(error).toBeInstanceOf(PlumbfoxError);
          expect((error as Error).message).not.toContain('\n');
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('upgradeReport', () => {
  const upgrades = {
    1: (old: Readonly<Record<string, unknown>>) => ({ ...old, colour: 'red' }),
    2: ({ colour, ...rest }: Readonly<Record<string, unknown>>) => ({ ...rest, paint: colour }),
  };

  it('takes every step from the version found to the present one', () => {
    const format = 'plumbfox-report';
    expect(upgradeReport({ format, version: 1 }, { current: 3, upgrades })).toEqual({ format, version: 3, paint: 'red' });
    expect(upgradeReport({ format, version: 2, colour: 'blue' }, { current: 3, upgrades })).toEqual({ format, version: 3, paint: 'blue' });
    expect(upgradeReport({ format, version: 3 }, { current: 3, upgrades })).toEqual({ format, version: 3 });
  });

  it('says which step is missing', () => {
    const missing = (() => {
      try {
        return upgradeReport({ format: 'plumbfox-report', version: 1 }, { current: 2, upgrades: {} });
      } catch (error) {
        return error;
      }
    })();
    // A fault of ours, not of the file.
    expect(missing).toMatchObject({ kind: 'internal', message: 'There is no step from report version 1 to 2' });
  });

  it('leaves the old report as it was', () => {
    const old = Object.freeze({ format: 'plumbfox-report', version: 1 });
    upgradeReport(old, { current: 3, upgrades });
    expect(old).toEqual({ format: 'plumbfox-report', version: 1 });
  });
});
