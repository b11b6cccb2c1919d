/** The settings as rows with intervals around Firefox's own, on one scale. Pure. */
import type { Change } from '../core/answer/answer.ts';
import type { ComparedRow } from '../core/answer/card.ts';
import { profileText } from '../views/profile-text.ts';
import { format, text } from '../views/text.ts';
import type { CardView } from './paint.ts';

/** Rows at most: more do not fit beside the rest in 600 px. */
export const MAX_ROWS = 4;
/** The plot reaches at least 10 % either way, and at most to half and double. */
const [MIN_REACH, MAX_LOW, MAX_HIGH] = [0.1, -0.5, 1];

/** Rows around Firefox's own settings, on one scale; positions in shares of its width. */
export function plot(rows: readonly ComparedRow[], kind: 'measured' | 'predicted' = 'predicted'): Pick<CardView, 'rows' | 'zero'> {
  if (rows.length === 0) return { rows: [] };
  const shown = rows.slice(0, MAX_ROWS);
  const ends = shown.flatMap(({ change: { gain, low = gain, high = gain } }) => [low, gain, high]);
  const low = Math.max(MAX_LOW, Math.min(-MIN_REACH, ...ends));
  const high = Math.min(MAX_HIGH, Math.max(MIN_REACH, ...ends));
  const at = (value: number) => Math.min(1, Math.max(0, (value - low) / (high - low)));
  return {
    zero: at(0),
    rows: [
      ...shown.map(({ profileId, change, loads }) => ({
        label: profileText(profileId),
        value: format.change(1 + change.gain),
        spoken: spoken(change, loads, kind),
        at: at(change.gain),
        ...(change.low !== undefined && change.high !== undefined && { from: at(change.low), to: at(change.high) }),
        isAhead: (change.low ?? 0) > 0,
      })),
      { label: text('card.own'), value: text('card.baseline'), spoken: '', at: at(0), isAhead: false },
    ],
  };
}

function spoken({ low, high }: Change, loads: number | undefined, kind: 'measured' | 'predicted'): string {
  const interval =
    low === undefined || high === undefined ? text('card.row.open') : text('card.row.interval', { low: 1 + low, high: 1 + high });
  const basis = loads !== undefined ? text('card.row.loads', { count: loads }) : kind === 'predicted' ? text('card.row.predicted') : '';
  return `${interval}${basis}`;
}
