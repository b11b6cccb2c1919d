/** What the history worker answers of sites and networks: the rows of their table, and the load times of a site over the days of the reader's clock. */
import { shownName } from '../core/field/field-links.ts';
import type { History } from '../core/field/history.ts';
import { type GroupQuery, type LoadGroup, loadGroups, sortedGroups } from '../core/field/load-groups.ts';
import { loadTrend } from '../core/field/load-trend.ts';
import type { VersionCounts } from '../core/measure/requests.ts';
import type { GroupsAnswer, TrendAnswer } from '../protocol/history-messages.ts';

interface Known {
  readonly history: History;
  /** Hosts by the number of their site, where an address of it is kept. */
  readonly hosts: ReadonlyMap<number, string>;
  readonly isPending: boolean;
}

interface GroupsInput {
  readonly query: GroupQuery;
  readonly versionsOf: (load: number) => VersionCounts | undefined;
  readonly pending: boolean;
}

/** A site whose address is no longer kept has no row: it could not be named. */
export function groupsAnswer({ history, hosts }: Omit<Known, 'isPending'>, { query, versionsOf, pending }: GroupsInput): GroupsAnswer {
  const { by, sort, ascending, most } = query;
  const links = new Map(history.links.map((link) => [link.id, link]));
  const hostOf = (key: LoadGroup['key']) => (by === 'site' && key !== 'unknown' ? hosts.get(key) : undefined);
  const linkOf = (key: LoadGroup['key']) => (by === 'network' && key !== 'unknown' ? links.get(key) : undefined);
  const nameOf = (key: LoadGroup['key']) => {
    const link = linkOf(key);
    return link === undefined ? hostOf(key) : shownName(link);
  };
  const groups = loadGroups(history, { by, versionsOf });
  const isShown = ({ key }: LoadGroup) => by === 'network' || hostOf(key) !== undefined;
  const shown = groups.filter(isShown);
  const others = groups.filter((group) => !isShown(group));
  return {
    rows: sortedGroups(shown, { sort, ascending, nameOf })
      .slice(0, most)
      .map((group) => {
        const [host, link] = [hostOf(group.key), linkOf(group.key)];
        return { ...group, ...(host !== undefined && { host }), ...(link && { link }) };
      }),
    total: shown.length,
    unnamed: { sites: others.length, loads: others.reduce((sum, { loads }) => sum + loads, 0) },
    pending,
  };
}

/** Days begin at midnight of the clock that the person reads. */
const dayOf = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

export function trendAnswer(
  { history, isPending }: Known,
  { site, network }: { readonly site: number; readonly network?: number },
): TrendAnswer {
  const loads = new Map<number, number>();
  for (const [at, load] of history.figures.entries()) {
    const link = load.site === site ? history.linkOf(at) : undefined;
    if (link !== undefined) loads.set(link, (loads.get(link) ?? 0) + 1);
  }
  const networks = [...loads].flatMap(([at, own]) => {
    const link = history.links[at];
    return link === undefined ? [] : [{ link, loads: own }];
  });
  return {
    days: loadTrend(history, { site, network, dayOf }).map((day) => ({ ...day, profiles: [...day.profiles] })),
    networks: networks.sort((a, b) => b.loads - a.loads),
    pending: isPending,
  };
}
