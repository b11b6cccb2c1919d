/** Everyday loads compared: within a page and a link, and without what cannot be compared. */
import { describe, expect, it } from 'vitest';
import { comparableFigures } from '../../../../src/core/field/comparable-figures.ts';
import { compareField } from '../../../../src/core/field/compare-field.ts';
import { fieldLinks } from '../../../../src/core/field/field-links.ts';
import type { LoadSummary } from '../../../../src/core/field/load-summary.ts';
import { bytes, milliseconds } from '../../../../src/core/units.ts';

const MINUTE = 60_000;
/** 100,000 bytes: ideal over 100 ms and 1 Mbit/s is 100 + 800 = 900 ms. */
const SIZE = 100_000;

interface Network {
  readonly rttMs: number;
  readonly downKbps: number;
}
const SLOW: Network = { rttMs: 100, downKbps: 1000 };
const FAST: Network = { rttMs: 20, downKbps: 10_000 };

const idealOver = ({ rttMs, downKbps }: Network) => rttMs + (SIZE * 8) / downKbps;

function load(
  minute: number,
  { over = SLOW, share = 0.5, ...more }: Partial<LoadSummary> & { over?: Network; share?: number } = {},
): LoadSummary {
  return {
    startedAt: minute * MINUTE,
    page: 11,
    site: 1,
    standing: 'whole',
    profileId: 'firefox-default',
    carrier: 'none',
    loadTimeMs: milliseconds(idealOver(over) / share),
    bytes: bytes(SIZE),
    rttMs: over.rttMs,
    rttLowMs: over.rttMs,
    downKbps: over.downKbps,
    ...more,
  };
}

const many = (count: number, make: (at: number) => LoadSummary) => Array.from({ length: count }, (_, at) => make(at));
/** By turns, so that every block has both; the second profile is a quarter more efficient. */
const turns = (from: number, over: Network) =>
  many(40, (at) => load(from + at, { over, ...(at % 2 === 1 && { profileId: 'c4-d6', share: 0.625 - 0.001 * (at % 7) }) }));

const profileOf = (result: ReturnType<typeof compareField>, id: string) => result.comparison.profiles.find((one) => one.id === id);

describe('everyday loads', () => {
  it('are compared within their link', () => {
    const result = compareField([...turns(0, SLOW), ...turns(1000, FAST)]);
    expect(result.links.map(({ name, loads }) => [name, loads])).toEqual([
      ['RTT 100 ms, 1 Mbit/s', 40],
      ['RTT 20 ms, 10 Mbit/s', 40],
    ]);
    expect(result.comparison.scenarios.map(({ page, link }) => [page, link])).toEqual([
      ['page-1', 'RTT 100 ms, 1 Mbit/s'],
      ['page-1', 'RTT 20 ms, 10 Mbit/s'],
    ]);
    expect(profileOf(result, 'c4-d6')?.versusBaseline).toMatchObject({ ratio: expect.closeTo(1.25, 1) });
  });

  it('of one profile at home and another abroad are not compared at all', () => {
    const result = compareField([
      ...many(20, (at) => load(at, { over: SLOW })),
      ...many(20, (at) => load(1000 + at, { over: FAST, share: 0.9, profileId: 'c4-d6' })),
    ]);
    expect(profileOf(result, 'c4-d6')?.versusBaseline).toMatchObject({ ratio: undefined, verdict: 'no-verdict' });
  });

  it('get figures and no verdict, as the profiles did not take turns at random', () => {
    const { comparison } = compareField(turns(0, SLOW));
    expect(comparison.profiles.map(({ versusBaseline }) => versusBaseline.verdict)).toEqual(['baseline', 'no-verdict']);
    expect(comparison.profiles[1]?.versusBaseline).toMatchObject({
      low: expect.any(Number),
      reason: expect.stringMatching(/^Can't tell yet: /),
    });
    expect(comparison.recommendation).toMatchObject({
      state: 'none',
      profileId: null,
      sentence: expect.stringMatching(/^Can't tell yet: /),
    });
  });

  it('name the networks of the newest trial, by the loads of it that count', () => {
    const inTrial = (slot: number, counts = true) => ({ trial: { slot, counts } });
    const names = [{ id: 1000 * MINUTE, name: 'Home', ...FAST }];
    // An earlier trial at the slow one; the newer begins again at slot 0, and its first load of each slot does not count.
    const earlier = many(12, (at) => load(at, inTrial(at)));
    const newer = many(12, (at) => load(1000 + at, { over: FAST, ...inTrial(Math.floor(at / 3), at % 3 !== 0) }));
    const abroad = many(4, (at) => load(2000 + at, inTrial(4)));
    const since = many(6, (at) => load(3000 + at));
    expect(compareField([...earlier, ...newer, ...abroad, ...since], { names }).trialNetworks).toEqual([
      { name: 'Home', isGiven: true, loads: 8 },
      { name: 'RTT 100 ms, 1 Mbit/s', isGiven: false, loads: 4 },
    ]);
    expect(compareField(turns(0, SLOW)).trialNetworks).toEqual([]);
  });

  it('are in the order of time, whatever order they come in', () => {
    const figures = turns(0, SLOW);
    expect(compareField(figures.toReversed())).toEqual(compareField(figures));
  });

  it('have the efficiency of their class, and the newest its own', () => {
    const { newest, comparison } = compareField([...many(9, (at) => load(at)), load(9, { share: 0.8 })]);
    expect(newest).toMatchObject({ startedAt: 9 * MINUTE, idealTimeMs: 900, efficiency: 0.8, link: { name: 'RTT 100 ms, 1 Mbit/s' } });
    // 800 of 1125 ms.
    expect(newest?.utilisation).toBeCloseTo(0.7111, 4);
    expect(comparison.scenarios[0]?.profiles[0]?.efficiencyMedian).toBe(0.5);
  });
});

describe('what cannot be compared', () => {
  it('is left out where its link cannot be told, unless no link can', () => {
    const unknown = { rttMs: undefined, rttLowMs: undefined, downKbps: undefined } as unknown as Partial<LoadSummary>;
    const { rttMs: _, rttLowMs: __, downKbps: ___, ...silent } = load(500, unknown);
    const result = compareField([...turns(0, SLOW), silent as LoadSummary]);
    expect(result.withoutLink).toBe(1);
    expect(profileOf(result, 'firefox-default')?.loads).toBe(20);
    const alone = compareField([silent as LoadSummary]);
    expect(alone).toMatchObject({ withoutLink: 0, links: [], newest: { startedAt: 500 * MINUTE } });
    expect(alone.comparison.scenarios[0]).toMatchObject({ link: 'unknown' });
  });

  it('is no fault on a page that one profile happened to lose once', () => {
    const lost = load(41, { page: 12, standing: 'cut-short', profileId: 'c4-d6' });
    expect(profileOf(compareField([...turns(0, SLOW), lost]), 'c4-d6')?.versusBaseline.reason).toMatch(/used at different times/);
  });

  it('is a fault where a profile loses more than half of its loads', () => {
    const lost = many(21, (at) => load(41 + at, { standing: 'not-as-intended', excluded: 'not-in-effect', profileId: 'c4-d6' }));
    expect(profileOf(compareField([...turns(0, SLOW), ...lost]), 'c4-d6')?.versusBaseline).toMatchObject({
      verdict: 'no-verdict',
      reason: expect.stringContaining('21 of the 41 loads of c4-d6'),
    });
  });

  it('is excluded and named, but for a load that ran out of time: it enters at its bound', () => {
    const figures = [
      load(0),
      load(1, { standing: 'not-as-intended', excluded: 'not-in-effect' }),
      load(2, { standing: 'cut-short', cutShort: 'time-limit' }),
      load(3, { standing: 'cut-short', cutShort: 'page-left' }),
      load(4, { standing: 'unmeasurable', excluded: 'no-timing' }),
    ];
    const { loads, excluded } = comparableFigures(figures, fieldLinks(figures));
    expect(loads.map(({ valid }) => valid)).toEqual([true, false, true, false, false]);
    expect(loads.map(({ loadTimeMs }) => loadTimeMs)).toEqual([1800, undefined, 60_000, undefined, undefined]);
    // The ideal of the page over its link is 900 ms.
    expect(loads.map(({ efficiency }) => efficiency)).toEqual([0.5, undefined, 0.015, undefined, undefined]);
    expect(loads.map(({ atBound }) => atBound)).toEqual([undefined, undefined, true, undefined, undefined]);
    expect([...excluded]).toEqual([
      ['not-in-effect', 1],
      ['page-left', 1],
      ['no-timing', 1],
    ]);
  });

  it('is never a figure over several protocols', () => {
    const over = (protocol: LoadSummary['protocol'], page: number, from: number) =>
      turns(from, SLOW).map((one) => ({ ...one, page, ...(protocol && { protocol }) }));
    const { comparison } = compareField([...over('http/2', 1, 0), ...over('http/1.1', 2, 100), ...over(undefined, 3, 200)]);
    expect(comparison.protocols?.map(({ protocol, profiles }) => [protocol, ...profiles.map(({ loads }) => loads)])).toEqual([
      ['http/2', 20, 20],
      ['http/1.1', 20, 20],
      ['unknown', 20, 20],
    ]);
  });

  it('is left out when it only washes out what was before', () => {
    const washout = load(40, { excluded: 'washout', trial: { slot: 3, counts: false } });
    expect(profileOf(compareField([...turns(0, SLOW), washout]), 'firefox-default')?.loads).toBe(20);
  });
});

describe('names of links', () => {
  const named = { id: 0, name: 'train', rttMs: 100, downKbps: 1000 };

  it('go by the class they were given to', () => {
    const { links, comparison } = compareField([...turns(0, SLOW), ...turns(1000, FAST)], { names: [named] });
    expect(links.map(({ given }) => given)).toEqual(['train', undefined]);
    expect(comparison.scenarios.map(({ link }) => link)).toEqual(['train', 'RTT 20 ms, 10 Mbit/s']);
  });

  it('find it again by its figures when its first loads are gone, and nothing else', () => {
    const { links } = compareField([...turns(500, SLOW), ...turns(1000, FAST)], { names: [{ ...named, rttMs: 120, downKbps: 900 }] });
    expect(links.map(({ given }) => given)).toEqual(['train', undefined]);
    expect(fieldLinks(turns(1000, FAST), [named]).links.map(({ given }) => given)).toEqual([undefined]);
  });
});
