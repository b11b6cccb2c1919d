import { describe, expect, it } from 'vitest';
import type { FieldLink } from '../../../../src/core/field/field-links.ts';
import { createHistory, findLoads, type HistoryQuery, historyLoad, siteHosts } from '../../../../src/core/field/history.ts';
import type { LoadSummary } from '../../../../src/core/field/load-summary.ts';
import { bytes, kilobitsPerSecond, milliseconds } from '../../../../src/core/units.ts';
import { everydayFigures } from '../../../support/everyday-figures.ts';

const link = (id: number, downKbps?: number): FieldLink => ({
  ...{ id, name: `RTT ${id} ms`, rttMs: milliseconds(id), rttIntervalMs: {}, downIntervalKbps: {}, loads: 2 },
  ...(downKbps !== undefined && { downKbps: kilobitsPerSecond(downKbps) }),
});

function load(startedAt: number, more: Partial<LoadSummary> = {}): LoadSummary {
  return { startedAt, page: 1, site: 1, standing: 'whole', profileId: 'firefox-default', carrier: 'none', ...more };
}

/** Site 1 has the pages 1 and 2, site 2 page 3, whose address is not kept. The links are 20 ms with 8 Mbit/s, and 300 ms; of the last it is unknown. */
const FIGURES: readonly LoadSummary[] = [
  load(10, { loadTimeMs: milliseconds(2_020), bytes: bytes(1_000_000), protocol: 'http/2' }),
  load(20, { page: 2, loadTimeMs: milliseconds(500), protocol: 'http/1.1', profileId: 'c8-d1' }),
  load(30, { page: 3, site: 2, loadTimeMs: milliseconds(900), standing: 'cut-short', cutShort: 'page-left' }),
  load(40, { page: 3, site: 2, standing: 'unmeasurable', excluded: 'no-timing' }),
];
const LINKS = [link(20, 8_000), link(300)];
const history = createHistory({
  figures: FIGURES,
  links: LINKS,
  linkOf: (at) => [0, 1, 1, undefined][at],
  addresses: new Map([
    [1, 'https://news.test/front?~abc'],
    [2, 'https://News.test/a%C3%A4/Story.html'],
  ]),
});
const ALL: HistoryQuery = { search: '', sort: 'startedAt', ascending: true, from: 0, most: 100 };
const find = (more: Partial<HistoryQuery>) => findLoads(history, { ...ALL, ...more });

describe('a search', () => {
  it.each([
    ['', [0, 1, 2, 3]],
    ['  ', [0, 1, 2, 3]],
    ['NEWS', [0, 1]],
    ['story news', [1]],
    ['ää', []],
    ['aä', [1]],
    // Neither the scheme nor a query is searched.
    ['https', []],
    ['abc', []],
  ])('for %j finds %j', (search, expected) => expect(find({ search })).toEqual(expected));
});

describe('a filter', () => {
  it.each<[Partial<HistoryQuery>, readonly number[]]>([
    [{ site: 2 }, [2, 3]],
    [{ network: 300 }, [1, 2]],
    [{ network: 'unknown' }, [3]],
    [{ profile: 'c8-d1' }, [1]],
    [{ protocol: 'http/2' }, [0]],
    [{ protocol: 'unknown' }, [2, 3]],
    [{ excluded: 'none' }, [0, 1]],
    [{ excluded: 'any' }, [2, 3]],
    [{ excluded: 'page-left' }, [2]],
    [{ site: 2, network: 300, excluded: 'no-timing' }, []],
  ])('%j finds %j', (query, expected) => expect(find(query)).toEqual(expected));
});

describe('the order', () => {
  it.each<[HistoryQuery['sort'], readonly number[], readonly number[]]>([
    ['startedAt', [0, 1, 2, 3], [3, 2, 1, 0]],
    ['loadTime', [1, 2, 0, 3], [0, 2, 1, 3]],
    // By address: news.test/aä before news.test/front.
    ['page', [1, 0, 3, 2], [0, 1, 3, 2]],
    ['network', [0, 2, 1, 3], [2, 1, 0, 3]],
    ['profile', [1, 3, 2, 0], [3, 2, 0, 1]],
    ['protocol', [1, 0, 3, 2], [0, 1, 3, 2]],
    // Known of the first alone: 20 ms + 1,000 ms of 2,020 ms.
    ['efficiency', [0, 3, 2, 1], [0, 3, 2, 1]],
  ])('by %s has what is unknown last, and the newest of equal ones first', (sort, up, down) => {
    expect(find({ sort })).toEqual(up);
    expect(find({ sort, ascending: false })).toEqual(down);
  });
});

it('the choices count the loads of each value, the most frequent first', () => {
  expect(history.choices).toEqual({
    sites: [
      { value: 1, loads: 2 },
      { value: 2, loads: 2 },
    ],
    networks: [
      { value: 300, loads: 2 },
      { value: 20, loads: 1 },
      { value: 'unknown', loads: 1 },
    ],
    profiles: [
      { value: 'firefox-default', loads: 3 },
      { value: 'c8-d1', loads: 1 },
    ],
    protocols: [
      { value: 'unknown', loads: 2 },
      { value: 'http/2', loads: 1 },
      { value: 'http/1.1', loads: 1 },
    ],
    excluded: [
      { value: 'page-left', loads: 1 },
      { value: 'no-timing', loads: 1 },
    ],
  });
});

describe('a load of the list', () => {
  it('has its address, link and efficiency', () => {
    expect(historyLoad(history, 0)).toEqual({
      ...{ startedAt: 10, profileId: 'firefox-default', standing: 'whole', site: 1, protocol: 'http/2' },
      ...{ url: 'https://news.test/front?~abc', link: LINKS[0], loadTimeMs: 2_020, efficiency: 1_020 / 2_020 },
    });
  });

  it('has nothing that is not known', () => {
    expect(historyLoad(history, 3)).toEqual({
      startedAt: 40,
      profileId: 'firefox-default',
      standing: 'unmeasurable',
      site: 2,
      excluded: 'no-timing',
    });
    expect(historyLoad(history, 4)).toBeUndefined();
  });
});

it('a site has the host of any of its pages', () => expect(siteHosts(history)).toEqual(new Map([[1, 'news.test']])));

it('thousands of loads are all found, in order', () => {
  const figures = everydayFigures(5_000, 1);
  const many = createHistory({ figures, links: [], linkOf: () => undefined, addresses: new Map([[0, 'https://a.test/']]) });
  const found = findLoads(many, { ...ALL, sort: 'loadTime', ascending: false });
  expect(found).toHaveLength(5_000);
  expect(
    found.every((at, place) => place === 0 || (figures[at]?.loadTimeMs ?? 0) <= (figures[found[place - 1] ?? 0]?.loadTimeMs ?? 0)),
  ).toBe(true);
  expect(findLoads(many, { ...ALL, search: 'a.test' })).toHaveLength(figures.filter(({ page }) => page === 0).length);
});
