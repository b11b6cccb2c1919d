/** Recorded loads by site or by network: how many, how fast, and what of their requests connection settings reach. A hundred thousand in one pass. */
import * as v from 'valibot';
import type { VersionCounts } from '../measure/requests.ts';
import { count, finite, type Shape } from '../schema.ts';
import { median, medianInterval } from '../stats/quantile.ts';
import { asLink } from './field-links.ts';
import { exclusionOf, type History } from './history.ts';
import { comparableLoadTime, summaryEfficiency } from './load-summary.ts';

/** What loads are grouped by. */
export const GROUPINGS = ['site', 'network'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const GROUP_SORTS = ['name', 'loads', 'loadTime', 'efficiency', 'requests', 'reached'] as const;
export type GroupSort = (typeof GROUP_SORTS)[number];

const UNKNOWN = 'unknown';

/** What is wanted of the table. */
export const groupQuerySchema = v.object({
  by: v.picklist(GROUPINGS),
  sort: v.picklist(GROUP_SORTS),
  ascending: v.boolean(),
  /** Rows, from the first. */
  most: v.pipe(count, v.maxValue(1_000)),
});
export type GroupQuery = Shape<typeof groupQuerySchema>;

export const medianFigureSchema = v.object({
  median: finite,
  /** The median's 95 % interval; absent: fewer than six loads. */
  low: v.exactOptional(finite),
  high: v.exactOptional(finite),
  /** What it is the median of. */
  loads: count,
});
/** A median over loads. */
export type MedianFigure = Shape<typeof medianFigureSchema>;

export const loadGroupSchema = v.object({
  /** The number of the site, or the id of the network. */
  key: v.union([finite, v.literal(UNKNOWN)]),
  loads: count,
  /** Loads that are not compared; they are in none of the medians. */
  excluded: count,
  loadTimeMs: v.exactOptional(medianFigureSchema),
  efficiency: v.exactOptional(medianFigureSchema),
  /** Requests of a load, over the loads that still have their requests. */
  requests: v.exactOptional(medianFigureSchema),
  /** The requests of those loads whose HTTP version is known; connection settings act on those over HTTP/1. */
  versions: v.exactOptional(v.object({ http1: count, http2: count, http3: count })),
});
/** The loads of one site, or over one network. Unknown is absent. */
export type LoadGroup = Shape<typeof loadGroupSchema>;

interface GroupInput {
  readonly by: Grouping;
  /** The requests of a load, by its position; `undefined`: they are no longer kept, or not counted yet. */
  readonly versionsOf: (load: number) => VersionCounts | undefined;
}

/** In no particular order; see `sortedGroups`. */
export function loadGroups(history: History, { by, versionsOf }: GroupInput): readonly LoadGroup[] {
  const { figures, links, linkOf } = history;
  const over = links.map(asLink);
  const groups = new Map<LoadGroup['key'], Gathered>();
  for (const [at, load] of figures.entries()) {
    const link = linkOf(at);
    const key = by === 'site' ? load.site : ((link === undefined ? undefined : links[link]?.id) ?? UNKNOWN);
    let group = groups.get(key);
    if (group === undefined) {
      group = { loads: 0, excluded: 0, times: [], efficiencies: [], requests: [], http1: 0, http2: 0, http3: 0 };
      groups.set(key, group);
    }
    group.loads += 1;
    const versions = versionsOf(at);
    if (versions !== undefined) {
      group.requests.push(versions.requests);
      group.http1 += versions.http1;
      group.http2 += versions.http2;
      group.http3 += versions.http3;
    }
    const time = exclusionOf(load) === undefined ? comparableLoadTime(load) : undefined;
    if (time === undefined) {
      group.excluded += 1;
      continue;
    }
    group.times.push(time);
    const efficiency = link === undefined ? undefined : summaryEfficiency(load, over[link]);
    if (efficiency !== undefined) group.efficiencies.push(efficiency);
  }
  return [...groups].map(([key, group]) => groupOf(key, group));
}

interface Gathered {
  loads: number;
  excluded: number;
  readonly times: number[];
  readonly efficiencies: number[];
  readonly requests: number[];
  http1: number;
  http2: number;
  http3: number;
}

function groupOf(key: LoadGroup['key'], { loads, excluded, times, efficiencies, requests, http1, http2, http3 }: Gathered): LoadGroup {
  const [loadTimeMs, efficiency, perLoad] = [times, efficiencies, requests].map(medianFigure);
  return {
    key,
    loads,
    excluded,
    ...(loadTimeMs && { loadTimeMs }),
    ...(efficiency && { efficiency }),
    ...(perLoad && { requests: perLoad }),
    ...(http1 + http2 + http3 > 0 && { versions: { http1, http2, http3 } }),
  };
}

/** `undefined`: of no values. */
export function medianFigure(values: readonly number[]): MedianFigure | undefined {
  const sorted = Float64Array.from(values).sort();
  const middle = median(sorted);
  return middle === undefined ? undefined : { median: middle, ...medianInterval(sorted), loads: values.length };
}

/** The share of a group's requests that connection settings reach: those over HTTP/1. `undefined`: no request's version is known. */
export function reachedShare({ versions }: Pick<LoadGroup, 'versions'>): number | undefined {
  return versions && versions.http1 / (versions.http1 + versions.http2 + versions.http3);
}

interface GroupOrder extends Pick<GroupQuery, 'sort' | 'ascending'> {
  /** `undefined`: the group has no name to be shown. */
  readonly nameOf: (key: LoadGroup['key']) => string | undefined;
}

/** Equal ones have the most loads first; what is unknown comes last either way. */
export function sortedGroups(groups: readonly LoadGroup[], { sort, ascending, nameOf }: GroupOrder): readonly LoadGroup[] {
  const direction = ascending ? 1 : -1;
  const keyed = groups.map((group) => ({ group, key: sortKey(group, sort, nameOf) }));
  return keyed
    .sort((a, b) => {
      const unknown = Number(a.key === undefined) - Number(b.key === undefined);
      if (unknown !== 0 || a.key === undefined || b.key === undefined) return unknown || b.group.loads - a.group.loads;
      return direction * (a.key < b.key ? -1 : a.key > b.key ? 1 : 0) || b.group.loads - a.group.loads;
    })
    .map(({ group }) => group);
}

function sortKey(group: LoadGroup, sort: GroupSort, nameOf: GroupOrder['nameOf']): number | string | undefined {
  switch (sort) {
    case 'name':
      return nameOf(group.key);
    case 'loads':
      return group.loads;
    case 'loadTime':
      return group.loadTimeMs?.median;
    case 'efficiency':
      return group.efficiency?.median;
    case 'requests':
      return group.requests?.median;
    case 'reached':
      return reachedShare(group);
  }
}
