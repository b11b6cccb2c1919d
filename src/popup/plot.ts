/** The settings as rows with intervals around Firefox's own, on one scale. Pure. */
import type { Change } from '../core/answer/answer.ts';
import type { ComparedRow } from '../core/answer/card.ts';
import { MEANINGFUL_CHANGE } from '../core/compare/thresholds.ts';
import { profileText } from '../views/profile-text.ts';
import { format, text } from '../views/text.ts';
import type { CardView } from './paint.ts';

/** Rows at most: more do not fit beside the rest in 600 px. */
export const MAX_ROWS = 4;
/** The plot reaches at least 10 % either way, and at most to half and double. */
const [MIN_REACH, MAX_LOW, MAX_HIGH] = [0.1, -0.5, 1];

/** What the rows are: `running`: measured, by a trial that goes on. */
type Kind = 'predicted' | 'running' | 'measured';

/** Rows around Firefox's own settings, on one scale; positions in shares of its width. A trial in progress has no figure that is not bounded yet. */
export function plot(rows: readonly ComparedRow[], kind: Kind): Pick<CardView, 'rows' | 'zero' | 'same'> {
  if (rows.length === 0) return { rows: [] };
  const shown = rows.slice(0, MAX_ROWS).map((row) => ({ ...row, isKnown: kind !== 'running' || row.change.low !== undefined }));
  const ends = shown.filter(({ isKnown }) => isKnown).flatMap(({ change: { gain, low = gain, high = gain } }) => [low, gain, high]);
  const low = Math.max(MAX_LOW, Math.min(-MIN_REACH, ...ends));
  const high = Math.min(MAX_HIGH, Math.max(MIN_REACH, ...ends));
  const at = (value: number) => Math.min(1, Math.max(0, (value - low) / (high - low)));
  const valueText = (change: number) => (kind === 'predicted' ? text('card.predicted.figure', { change }) : format.change(change));
  return {
    zero: at(0),
    same: { from: at(-MEANINGFUL_CHANGE), to: at(MEANINGFUL_CHANGE) },
    rows: [
      ...shown.map(({ profileId, change, loads, isKnown }) => ({
        label: profileText(profileId),
        value: isKnown ? valueText(1 + change.gain) : text('card.row.early'),
        spoken: spoken(change, loads, kind),
        ...(isKnown && { at: at(change.gain) }),
        ...(change.low !== undefined && change.high !== undefined && { from: at(change.low), to: at(change.high) }),
        isAhead: (change.low ?? 0) > 0,
      })),
      { label: text('card.own'), value: text('card.baseline'), spoken: '', at: at(0), isAhead: false },
    ],
  };
}

function spoken({ low, high }: Change, loads: number | undefined, kind: Kind): string {
  const interval =
    low === undefined || high === undefined ? text('card.row.open') : text('card.row.interval', { low: 1 + low, high: 1 + high });
  const basis = loads !== undefined ? text('card.row.loads', { count: loads }) : kind === 'predicted' ? text('card.row.predicted') : '';
  return `${interval}${basis}`;
}
