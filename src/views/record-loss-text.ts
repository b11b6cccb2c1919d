/** What is missing from the records, in words: what Firefox has lost, and when it let nothing be recorded. */
import type { PopupState } from '../protocol/popup-state.ts';
import type { Figures } from './figures.ts';

/** `undefined`: nothing. */
export function recordLossText(
  { recordLoss, standstill }: Pick<PopupState, 'recordLoss' | 'standstill'>,
  figures: Figures,
  now: number,
): string | undefined {
  const sentences: string[] = [];
  if (recordLoss !== undefined) {
    const loads = figures.count(recordLoss.loads, { one: 'load', many: 'loads' });
    const are = recordLoss.loads === 1 ? 'is' : 'are';
    const until = figures.clock(recordLoss.until, now);
    sentences.push(`Firefox lost Plumbfox’s records: ${loads} recorded until ${until} ${are} gone. New loads are recorded.`);
  }
  if (standstill !== undefined) {
    const [from, until] = [figures.clock(standstill.from, now), figures.clock(standstill.until, now)];
    sentences.push(`Pages opened from ${from} until ${until} were not recorded: Firefox had stopped Plumbfox, whose process kept ending.`);
  }
  return sentences.join(' ') || undefined;
}
