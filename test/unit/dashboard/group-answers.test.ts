import { describe, expect, it } from 'vitest';
import { createHistory } from '../../../src/core/field/history.ts';
import type { LoadSummary } from '../../../src/core/field/load-summary.ts';
import { milliseconds } from '../../../src/core/units.ts';
import { groupsAnswer, trendAnswer } from '../../../src/dashboard/group-answers.ts';
import { lastLoad, NOW } from '../controls/sample-state.ts';

const DAY = 86_400_000;
const LINK = lastLoad.link as NonNullable<typeof lastLoad.link>;
const load = (site: number, more: Partial<LoadSummary> = {}): LoadSummary => ({
  ...{ startedAt: NOW, page: site, site, standing: 'whole', profileId: 'firefox-default', carrier: 'none' },
  loadTimeMs: milliseconds(1_000),
  ...more,
});
/** Sites 1 and 2 have an address, 3 and 4 have none; the first load's network is known. */
const history = createHistory({
  figures: [load(1), load(1, { startedAt: NOW + DAY }), load(2), load(3), load(3), load(4)],
  links: [LINK as never],
  linkOf: (at) => (at === 0 ? 0 : undefined),
  addresses: new Map(),
});
const hosts = new Map([
  [1, 'news.test'],
  [2, 'shop.test'],
]);
const answer = (by: 'site' | 'network', most = 10) =>
  groupsAnswer({ history, hosts }, { query: { by, sort: 'loads', ascending: false, most }, versionsOf: () => undefined, pending: false });

describe('the rows', () => {
  it('are the sites that can be named, and the others are counted', () => {
    const { rows, total, unnamed } = answer('site');
    expect(rows.map(({ host, loads }) => [host, loads])).toEqual([
      ['news.test', 2],
      ['shop.test', 1],
    ]);
    expect({ total, unnamed }).toEqual({ total: 2, unnamed: { sites: 2, loads: 3 } });
  });

  it('are the first of all', () => {
    const { rows, total } = answer('site', 1);
    expect([rows.length, total]).toEqual([1, 2]);
  });

  it('are every network, the unknown one among them', () => {
    expect(answer('network').rows.map(({ key, link, loads }) => [key, link?.name, loads])).toEqual([
      ['unknown', undefined, 5],
      [LINK.id, LINK.name, 1],
    ]);
  });
});

it('a trend has a day for each midnight of the clock, and the networks to choose from', () => {
  const { days, networks } = trendAnswer({ history, hosts, isPending: false }, { site: 1 });
  expect(days.map(({ day }) => new Date(day).getHours())).toEqual([0, 0]);
  expect(networks.map(({ link, loads }) => [link.id, loads])).toEqual([[LINK.id, 1]]);
  expect(trendAnswer({ history, hosts, isPending: false }, { site: 1, network: LINK.id }).days).toHaveLength(1);
});
