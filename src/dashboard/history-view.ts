/** The list of recorded loads in words: its rows, its filters, and what was found. Pure. */
import { LOAD_PROTOCOLS } from '../core/compare/comparison.ts';
import { HISTORY_EXCLUSIONS, type HistoryExclusion, type HistoryQuery } from '../core/field/history.ts';
import { PROTOCOL_LABELS } from '../core/text/labels.ts';
import type { PlainId } from '../core/text/messages.ts';
import type { HistoryAnswer, HistoryRow } from '../protocol/history-messages.ts';
import { linkLabel } from '../views/prediction-view.ts';
import { settingsText } from '../views/profile-text.ts';
import { fixedText, text } from '../views/text.ts';
import { loadRow } from './loads-view.ts';
import { type Choice, countedChoice } from './tables.ts';

export interface HistoryRowView {
  readonly key: number;
  /** Absent: there is nothing more to show of it. */
  readonly id?: string;
  readonly page: string;
  readonly time: string;
  readonly link: string;
  readonly profile: string;
  readonly protocol: string;
  readonly loadTime: string;
  readonly efficiency: string;
  /** Why it is not compared; empty: it is. */
  readonly excluded: string;
}

/** @param now - Wall clock, ms since the epoch. @param pending - The networks are not known yet. */
export function historyRowView(row: HistoryRow, { now, pending }: { readonly now: number; readonly pending: boolean }): HistoryRowView {
  const { key, id, url, host, protocol, excluded } = row;
  const shown = loadRow(row, now);
  const page = url !== undefined ? shown.page : host === undefined ? text('history.addressGone') : text('history.pageGone', { host });
  return {
    ...shown,
    key,
    page,
    link: row.link === undefined && pending ? text('history.pending') : shown.link,
    efficiency: row.link === undefined && pending ? text('history.pending') : shown.efficiency,
    protocol: fixedText(PROTOCOL_LABELS[protocol ?? 'unknown']),
    excluded: excluded === undefined ? '' : text(WHY[excluded]),
    ...(id !== undefined && { id }),
  };
}

/** Why a load is not compared, by the id of its text. */
export const WHY: Readonly<Record<HistoryExclusion, PlainId>> = {
  'no-timing': 'history.noTiming',
  'not-in-effect': 'history.notInEffect',
  unfit: 'history.unfit',
  washout: 'history.washout',
  'document-failed': 'history.documentFailed',
  'no-load-event': 'history.noLoadEvent',
  'page-left': 'history.pageLeft',
  'time-limit': 'history.timeLimit',
  'too-many-requests': 'history.tooManyRequests',
};

/** The filters a person chooses from by name, with their choices. An empty value is no filter. */
export const FILTERS = ['site', 'network', 'profile', 'protocol', 'excluded'] as const;
export type Filter = (typeof FILTERS)[number];

export function filterOptions({ choices }: Pick<HistoryAnswer, 'choices'>): Readonly<Record<Filter, readonly Choice[]>> {
  return {
    site: choices.sites.map(({ value, loads, host }) => countedChoice(value, host, loads)),
    network: choices.networks.map(({ value, loads, link }) => countedChoice(value, link ? linkLabel(link) : text('figure.unknown'), loads)),
    profile: choices.profiles.map(({ value, loads }) => countedChoice(value, settingsText(value), loads)),
    protocol: choices.protocols.map(({ value, loads }) => countedChoice(value, fixedText(PROTOCOL_LABELS[value]), loads)),
    excluded: [
      { value: 'none', label: text('history.compared') },
      { value: 'any', label: text('history.anyExcluded') },
      ...choices.excluded.map(({ value, loads }) => countedChoice(value, text(WHY[value]), loads)),
    ],
  };
}

/**
 * The chosen filters as a query has them. What is chosen counts, not what is offered: while networks are inferred anew none is.
 * @param chosen - By filter what its options call `value`; empty: none.
 */
export function filterQuery({ site, network, profile, ...chosen }: Readonly<Record<Filter, string>>): Pick<HistoryQuery, Filter> {
  const protocol = ([...LOAD_PROTOCOLS, 'unknown'] as const).find((value) => value === chosen.protocol);
  const excluded = ([...HISTORY_EXCLUSIONS, 'none', 'any'] as const).find((value) => value === chosen.excluded);
  return {
    ...(site !== '' && { site: Number(site) }),
    ...(network !== '' && { network: network === 'unknown' ? network : Number(network) }),
    ...(profile !== '' && { profile }),
    ...(protocol !== undefined && { protocol }),
    ...(excluded !== undefined && { excluded }),
  };
}

/** What was found, and which of it is shown. @param isReading - Whether what is not known yet is being read. */
export function foundSentence({ rows, found, total, isPart, pending }: HistoryAnswer, from: number, { isReading = true } = {}): string {
  if (total === 0) return text('loads.none');
  const span = { first: from + 1, last: from + rows.length };
  if (isPart) {
    const others = isReading ? ` ${text('history.others')}` : '';
    return `${found === 0 ? text('history.part.none') : text('history.part', { ...span, found })}${others}`;
  }
  const all = text('count.loads', { count: total });
  const reading = pending && isReading ? ` ${text('history.reading')}` : '';
  if (found === 0) return `${text('history.noneFound', { loads: all })}${reading}`;
  return `${found === total ? text('history.all', { ...span, loads: all }) : text('history.found', { ...span, found, loads: all })}${reading}`;
}
