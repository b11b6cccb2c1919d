/** That Firefox has lost records, in words. */
import type { RecordLoss } from '../protocol/record-mirror.ts';
import type { Figures } from './figures.ts';

/** `undefined`: it has not. */
export function recordLossText(loss: RecordLoss | undefined, figures: Figures, now: number): string | undefined {
  if (loss === undefined) return undefined;
  const loads = figures.count(loss.loads, { one: 'load', many: 'loads' });
  const are = loss.loads === 1 ? 'is' : 'are';
  return `Firefox lost Plumbfox’s records: ${loads} recorded until ${figures.clock(loss.until, now)} ${are} gone. New loads are recorded.`;
}
