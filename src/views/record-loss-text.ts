/** What is missing from the records, in words: what Firefox has lost, and when it let nothing be recorded. */
import type { PopupState } from '../protocol/popup-state.ts';
import type { Figures } from './figures.ts';

/** Spans that a sentence lists: more is a table. Our own choice. */
const MAX_SPANS = 3;

/** `undefined`: nothing. */
export function recordLossText(
  { recordLoss, standstills = [] }: Pick<PopupState, 'recordLoss' | 'standstills'>,
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
  const [first] = standstills;
  if (first !== undefined) {
    const spans = standstills
      .slice(-MAX_SPANS)
      .map(({ from, until }) => `from ${figures.clock(from, now)} until ${figures.clock(until, now)}`);
    const listed = spans.length === 1 ? spans[0] : `${spans.slice(0, -1).join(', ')} and ${spans.at(-1)}`;
    sentences.push(`Pages opened ${listed} were not recorded: Firefox had stopped Plumbfox, whose process kept ending.`);
    const before = standstills.length - spans.length;
    if (before > 0)
      sentences.push(`So it was ${before === 1 ? 'once' : `${before} times`} before, first from ${figures.clock(first.from, now)} on.`);
  }
  return sentences.join(' ') || undefined;
}
