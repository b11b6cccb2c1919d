/** What cards are made of: a headline with sentences, and settings as rows with intervals around Firefox's own, on one scale. */
import { MEANINGFUL_CHANGE } from '../compare/thresholds.ts';
import { BASELINE_ID } from '../profiles/profile.ts';
import type { PlainId } from '../text/messages.ts';
import { profileName } from '../text/profile-name.ts';
import { chartScale, type IntervalPlaces, intervalPlaces, type PlottedInterval } from '../text/svg-axes.ts';
import type { Change } from './answer.ts';
import type { ComparedRow } from './card.ts';
import type { CardLanguage, CardRow, CardText } from './card-text.ts';

/** A card of sentences only. @param status - Above the headline: what goes on. */
export const plainCard = (status: PlainId, { text }: CardLanguage, [headline, ...sentences]: readonly [string, ...string[]]): CardText => ({
  status: text(status),
  ...((status === 'card.status.off' || status === 'card.status.notCounted') && { isOff: true }),
  tone: 'plain',
  headline,
  rows: [],
  sentences,
});

/** Rows at most: more do not fit beside the rest of the popup in 600 px. */
export const MAX_ROWS = 4;

/** What the rows are. `running`: measured, by a trial that goes on. `not-faster`: measured, by a trial that found none faster. */
type Kind = 'predicted' | 'running' | 'measured' | 'not-faster';

/** A row in words, and what is to be drawn of it. */
export interface RowText extends Pick<CardRow, 'id' | 'label' | 'value' | 'detail'> {
  /** Ratios of speed; absent: not shown yet. */
  readonly interval?: PlottedInterval | undefined;
}

type PlacedRows = Pick<CardText, 'rows' | 'zero' | 'same'>;

/** All rows on one scale, the settings of Firefox being at 1. None: no scale. */
export function placedRows(rows: readonly RowText[]): PlacedRows {
  if (rows.length === 0) return { rows: [] };
  const ratios = rows.flatMap(({ interval: { ratio, low, high } = {} }) => [ratio, low, high].filter((one) => one !== undefined));
  // Every scale has 1.
  const scale = chartScale(ratios.filter((one) => one !== 1));
  const at = (ratio: number) => scale.position(ratio) / 100;
  return {
    zero: at(1),
    same: { from: at(1 - MEANINGFUL_CHANGE), to: at(1 + MEANINGFUL_CHANGE) },
    rows: rows.map(({ id, label, value, detail, interval = {} }) => ({
      id,
      label,
      value,
      detail,
      ...sharesOf(intervalPlaces(interval, scale)),
      isAhead: (interval.low ?? 0) > 1,
    })),
  };
}

const sharesOf = ({ at, from, to, goesOn }: IntervalPlaces): Pick<CardRow, 'at' | 'from' | 'to' | 'goesOn'> => ({
  ...(at !== undefined && { at: at / 100 }),
  ...(from !== undefined && to !== undefined && { from: from / 100, to: to / 100 }),
  ...(goesOn !== undefined && { goesOn }),
});

/** The profiles in words, the settings of Firefox last. A trial in progress has no figure that is not bounded yet. */
export function cardRows(rows: readonly ComparedRow[], kind: Kind, language: CardLanguage): PlacedRows {
  if (rows.length === 0) return { rows: [] };
  const { text, format, core } = language;
  const valueText = (change: number) => (kind === 'predicted' ? text('card.predicted.figure', { change }) : format.change(change));
  const shown = rows.slice(0, MAX_ROWS).map(({ profileId, change, loads }): RowText => {
    const isKnown = kind !== 'running' || change.low !== undefined;
    return {
      id: profileId,
      label: profileName(profileId, core),
      value: isKnown ? valueText(1 + change.gain) : text('card.row.early'),
      detail: detailText({ change, loads, kind }, language),
      interval: isKnown ? ratiosOf(change) : undefined,
    };
  });
  const placed = placedRows([...shown, ownRow(language)]);
  // An interval above no change may still mean nothing: what was found decides.
  return kind === 'not-faster' ? { ...placed, rows: placed.rows.map((row) => ({ ...row, isAhead: false })) } : placed;
}

/** Firefox's own settings. */
export const ownRow = ({ text }: CardLanguage): RowText => ({
  id: BASELINE_ID,
  label: text('card.own'),
  value: text('card.baseline'),
  detail: '',
  interval: { ratio: 1 },
});

const ratiosOf = ({ gain, low, high }: Change): PlottedInterval => ({
  ratio: 1 + gain,
  ...(low !== undefined && high !== undefined && { low: 1 + low, high: 1 + high }),
});

function detailText(
  { change: { low, high }, loads: count, kind }: { readonly change: Change; readonly loads: number | undefined; readonly kind: Kind },
  { text }: CardLanguage,
): string {
  const interval =
    low === undefined || high === undefined ? text('card.row.open') : text('card.row.interval', { low: 1 + low, high: 1 + high });
  const basis = count !== undefined ? [text('count.pageLoads', { count })] : kind === 'predicted' ? [text('card.row.predicted')] : [];
  return [interval, ...basis].join(', ');
}
