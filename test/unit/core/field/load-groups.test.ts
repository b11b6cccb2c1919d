/** Recorded loads by site and by network, with medians that can be worked out by hand. */
import { describe, expect, it } from 'vitest';
import type { FieldLink } from '../../../../src/core/field/field-links.ts';
import { createHistory } from '../../../../src/core/field/history.ts';
import { type GroupQuery, type LoadGroup, loadGroups, reachedShare, sortedGroups } from '../../../../src/core/field/load-groups.ts';
import type { LoadSummary } from '../../../../src/core/field/load-summary.ts';
import { bytes, kilobitsPerSecond, milliseconds } from '../../../../src/core/units.ts';

const load = (site: number, seconds: number, more: Partial<LoadSummary> = {}): LoadSummary => ({
  ...{ startedAt: 0, page: site, site, standing: 'whole', profileId: 'firefox-default', carrier: 'none' },
  loadTimeMs: milliseconds(seconds * 1_000),
  ...more,
});
/** 100 ms and 8 Mbit/s: 100,000 bytes take 100 + 100 = 200 ms. */
const LINK: FieldLink = {
  ...{ id: 7, name: 'RTT 100 ms', rttMs: milliseconds(100), rttIntervalMs: {}, downIntervalKbps: {}, loads: 1 },
  downKbps: kilobitsPerSecond(8_000),
};

/** Site 1: 1 to 6 s, and two that are not compared. Site 2: one load of 0.4 s over the link. */
const FIGURES = [
  ...[6, 1, 4, 3, 5, 2].map((seconds) => load(1, seconds)),
  load(1, 60, { standing: 'cut-short', cutShort: 'page-left' }),
  load(1, 9, { excluded: 'washout' }),
  load(2, 0.4, { bytes: bytes(100_000) }),
];
const history = createHistory({
  figures: FIGURES,
  links: [LINK],
  linkOf: (at) => (at === 8 ? 0 : undefined),
  addresses: new Map(),
});
const counts = new Map([
  [0, { requests: 10, http1: 2, http2: 8, http3: 0 }],
  [1, { requests: 20, http1: 0, http2: 8, http3: 2 }],
]);
const groups = (by: GroupQuery['by']) => loadGroups(history, { by, versionsOf: (at) => counts.get(at) });

describe('the loads of a site', () => {
  it('have a median of those that are compared, with its interval from six on', () => {
    const [first, second] = groups('site');
    // Six values: from the lowest to the highest. Ten and twenty requests: 15. Two of twenty over HTTP/1.1, as ten are of an unknown version.
    expect(first).toEqual({
      key: 1,
      loads: 8,
      excluded: 2,
      loadTimeMs: { median: 3_500, low: 1_000, high: 6_000, loads: 6 },
      requests: { median: 15, loads: 2 },
      versions: { http1: 2, http2: 16, http3: 2 },
    });
    expect(second).toEqual({
      key: 2,
      loads: 1,
      excluded: 0,
      loadTimeMs: { median: 400, loads: 1 },
      // 200 of 400 ms.
      efficiency: { median: 0.5, loads: 1 },
    });
    expect([first, second].map((group) => group && reachedShare(group))).toEqual([0.1, undefined]);
  });

  it('are those of a network, or of an unknown one', () => {
    expect(groups('network').map(({ key, loads }) => [key, loads])).toEqual([
      ['unknown', 8],
      [7, 1],
    ]);
  });
});

describe('the order', () => {
  const group = (key: number, more: Partial<LoadGroup>): LoadGroup => ({ key, loads: key, excluded: 0, ...more });
  const time = (median: number) => ({ loadTimeMs: { median, loads: 1 } });
  const some = [group(1, time(50)), group(2, {}), group(3, time(20)), group(4, time(50))];
  const names = new Map([
    [1, 'b.test'],
    [3, 'a.test'],
    [4, 'c.test'],
  ]);
  const order = (sort: GroupQuery['sort'], ascending: boolean) =>
    sortedGroups(some, { sort, ascending, nameOf: (key) => names.get(Number(key)) }).map(({ key }) => key);

  it.each<[GroupQuery['sort'], readonly number[], readonly number[]]>([
    ['loads', [1, 2, 3, 4], [4, 3, 2, 1]],
    ['name', [3, 1, 4, 2], [4, 1, 3, 2]],
    ['loadTime', [3, 4, 1, 2], [4, 1, 3, 2]],
    // Known of none: the most loads first.
    ['reached', [4, 3, 2, 1], [4, 3, 2, 1]],
  ])('by %s has what is unknown last, and the most loads first of equal ones', (sort, up, down) => {
    expect(order(sort, true)).toEqual(up);
    expect(order(sort, false)).toEqual(down);
  });
});
