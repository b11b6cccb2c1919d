/** Sites and networks in words: the rows of their table, and the trend of a site. Pure. */
import { type Grouping, type GroupSort, type LoadGroup, type MedianFigure, reachedShare } from '../core/field/load-groups.ts';
import { type TrendDay, trialSpans } from '../core/field/load-trend.ts';
import { PROTOCOL_LABELS } from '../core/text/labels.ts';
import type { PlainId } from '../core/text/messages.ts';
import type { GroupsAnswer, TrendAnswer } from '../protocol/history-messages.ts';
import { linkLabel } from '../views/prediction-view.ts';
import { settingsText } from '../views/profile-text.ts';
import { format, text } from '../views/text.ts';

/** The columns of the table, each with what it sorts by; absent: it does not. */
export const GROUP_COLUMNS: readonly { readonly heading: PlainId; readonly sort?: GroupSort }[] = [
  { heading: 'sites.loads', sort: 'loads' },
  { heading: 'sites.loadTime', sort: 'loadTime' },
  { heading: 'sites.efficiency', sort: 'efficiency' },
  { heading: 'sites.requests', sort: 'requests' },
  { heading: 'sites.versions' },
  { heading: 'sites.reached', sort: 'reached' },
];

/** A figure, and below it in small its interval and what it rests on. */
interface Cell {
  readonly lines: readonly string[];
  readonly small: readonly string[];
}

export interface GroupRowView {
  readonly name: string;
  /** The number of the site; absent: there is no trend of it. */
  readonly site?: number;
  /** One for each of `GROUP_COLUMNS`. */
  readonly cells: readonly Cell[];
  /** What a narrow page shows below the name in the place of the last columns. */
  readonly narrow: string;
}

/** A cell without a figure. */
const NONE = '–';

/** @param by - What the rows stand for. */
export function groupRowView(row: GroupsAnswer['rows'][number], by: Grouping): GroupRowView {
  const { key, host, link, loads, excluded, loadTimeMs, efficiency, requests, versions } = row;
  const share = reachedShare(row);
  const reached = share === undefined ? NONE : format.share(share);
  const perLoad = requests && Math.round(requests.median);
  const name = host ?? (link === undefined ? text('figure.unknown') : linkLabel(link));
  return {
    name,
    ...(by === 'site' && key !== 'unknown' && { site: key }),
    cells: [
      { lines: [format.integer(loads)], small: excluded > 0 ? [text('sites.excluded', { count: excluded })] : [] },
      figureCell(loadTimeMs, format.duration),
      figureCell(efficiency, format.percent),
      figureCell(requests, (count) => format.integer(Math.round(count))),
      { lines: versionLabels(versions), small: [] },
      { lines: [reached], small: [] },
    ],
    narrow: [
      ...(efficiency === undefined ? [] : [text('sites.narrow.efficiency', { efficiency: format.percent(efficiency.median) })]),
      ...(perLoad === undefined ? [] : [text('count.requests', { count: perLoad })]),
      ...(share === undefined ? [] : [text('sites.narrow.reached', { reached })]),
    ].join(' · '),
  };
}

function figureCell(figure: MedianFigure | undefined, label: (value: number) => string): Cell {
  if (figure === undefined) return { lines: [NONE], small: [] };
  const { median, low, high, loads } = figure;
  const interval = low === undefined || high === undefined ? [] : [text('sites.interval', { low: label(low), high: label(high) })];
  return { lines: [label(median)], small: [...interval, text('count.loads', { count: loads })] };
}

/** The most frequent first. */
function versionLabels(versions: LoadGroup['versions']): readonly string[] {
  if (versions === undefined) return [NONE];
  const all = versions.http1 + versions.http2 + versions.http3;
  const counts = [
    { version: PROTOCOL_LABELS['http/1.1'], requests: versions.http1 },
    { version: PROTOCOL_LABELS['http/2'], requests: versions.http2 },
    { version: PROTOCOL_LABELS['http/3'], requests: versions.http3 },
  ];
  return counts
    .filter(({ requests }) => requests > 0)
    .sort((a, b) => b.requests - a.requests)
    .map(({ version, requests }) => text('sites.version', { version, share: requests / all }));
}

/** What is shown of how many, and what is not. @param isReading - Whether what is not known yet is being read. */
export function groupsSentence({ rows, total, unnamed, pending }: GroupsAnswer, by: Grouping, { isReading = true } = {}): string {
  if (total === 0 && !pending) return text('loads.none');
  const all = text(by === 'site' ? 'sites.count.site' : 'sites.count.network', { count: total });
  return [
    text('sites.shown', { shown: rows.length, all }),
    ...(unnamed.sites > 0 ? [text('sites.unnamed', { count: unnamed.sites, loads: text('count.loads', { count: unnamed.loads }) })] : []),
    ...(pending && isReading ? [text('history.reading')] : []),
  ].join(' ');
}

export interface TrendView {
  readonly title: string;
  readonly subtitle: string;
  /** What the marks of the picture are. */
  readonly key: string;
  readonly rows: readonly (readonly string[])[];
}

interface TrendOf {
  readonly site: string;
  /** The network that was chosen, by its id; absent: all together. */
  readonly network?: number | undefined;
}

/** `undefined`: there is nothing to draw. */
export function trendView({ days, networks }: TrendAnswer, { site, network }: TrendOf): TrendView | undefined {
  if (days.length === 0) return undefined;
  const chosen = networks.find(({ link }) => link.id === network)?.link;
  const loads = days.reduce((sum, { loadTimeMs }) => sum + loadTimeMs.loads, 0);
  return {
    title: text('trend.title', { site }),
    subtitle: text('trend.subtitle', {
      loads: text('count.loads', { count: loads }),
      days: text('trend.days', { count: days.length }),
      network: chosen === undefined ? text('trend.networks') : linkLabel(chosen),
    }),
    key: [
      text('trend.key'),
      ...(new Set(days.map(({ profiles }) => profiles.join('\n')).filter(Boolean)).size > 1 ? [text('trend.key.settings')] : []),
      ...(trialSpans(days).length > 0 ? [text('trend.key.trial')] : []),
    ].join(' '),
    rows: days.map(rowOf),
  };
}

/** What stands in the place of the picture; empty: there is one, or nothing can be said. @param isReading - As above. */
export function trendSentence({ days, pending }: TrendAnswer, { isReading = true } = {}): string {
  if (days.length > 0) return '';
  if (!pending) return text('trend.none');
  return isReading ? text('history.reading') : '';
}

function rowOf({ day, loadTimeMs, profiles, isTrial }: TrendDay): readonly string[] {
  const { median, low, high, loads } = loadTimeMs;
  return [
    format.day(day),
    format.integer(loads),
    format.duration(median),
    low === undefined || high === undefined ? NONE : text('sites.interval', { low: format.duration(low), high: format.duration(high) }),
    settingsLabel([...profiles.map(settingsText), ...(isTrial ? [text('trend.trial')] : [])]),
  ];
}

/** Settings that are named; of a day with more the first few. */
const MAX_NAMES = 3;

/** Names of settings, for a row or a mark. */
export const settingsLabel = (names: readonly string[]): string =>
  [...names.slice(0, MAX_NAMES), ...(names.length > MAX_NAMES ? [text('count.more', { count: names.length - MAX_NAMES })] : [])].join(', ');
