/** Changes of a time in words: less is sooner. */

import { assertNever } from '../../../core/errors.ts';
import { VERDICT_LABELS } from '../../../core/report/verdict-words.ts';
import { percent } from '../../../core/text/figures.ts';
import { type CheckedChange, excludesNoChange, NOTHING_CHANGED } from './check.ts';
import { MARGIN, type TimeChange } from './verdicts.ts';

/** What the study times, as tables and sentences name it. */
export const FIRST_BYTE = 'time to first byte';
export const EXCHANGE = 'time to first byte without waiting in the browser';

const NO_CHANGE = percent(0);

/** `2.1 % sooner`, `0.4 % later`, `0 %`; the ratio is of times. */
export function soonerInWords(ratio: number): string {
  const change = percent(Math.abs(ratio - 1));
  if (change === NO_CHANGE) return NO_CHANGE;
  return `${change} ${ratio < 1 ? 'sooner' : 'later'}`;
}

/** From the least gain to the largest: `0.4 % later to 2.1 % sooner`, `1 % to 2.1 % sooner`; `not bounded yet`. */
export function soonerRange({ low, high }: { readonly low: number | undefined; readonly high: number | undefined }): string {
  if (low === undefined || high === undefined) return 'not bounded yet';
  const [least, most] = [soonerInWords(high), soonerInWords(low)];
  const side = ['sooner', 'later'].find((word) => least.endsWith(word) && most.endsWith(word));
  return `${side === undefined ? least : least.slice(0, -side.length - 1)} to ${most}`;
}

/** A verdict on a time: `not told from read-32k` where what changes nothing seems to do as much. */
export function timeVerdictWords(change: Pick<TimeChange, 'verdict' | 'low' | 'high' | 'toldFromCheck'>): string {
  const { verdict } = change;
  switch (verdict) {
    case 'better':
      return 'sooner';
    case 'worse':
      return 'later';
    case 'no-meaningful-difference':
      return `within ${percent(MARGIN)}`;
    case 'need-more-loads':
      return needMoreLoads(change);
    case 'baseline':
      return 'baseline';
    case 'no-verdict':
      return 'no verdict';
    default:
      return assertNever(verdict);
  }
}

/** The verdict on the efficiency of whole loads. */
export const loadVerdictWords = (change: CheckedChange): string =>
  change.verdict === 'need-more-loads' ? needMoreLoads(change) : VERDICT_LABELS[change.verdict];

function needMoreLoads(change: Pick<CheckedChange, 'low' | 'high' | 'toldFromCheck'>): string {
  return excludesNoChange(change) && !change.toldFromCheck ? `not told from ${NOTHING_CHANGED}` : VERDICT_LABELS['need-more-loads'];
}
