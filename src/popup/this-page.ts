/** The row of the page in front: how long it took, and the biggest reason it was not faster. Pure. */
import type { LoadMeasures } from '../core/measure/load-measures.ts';
import { format, text } from '../views/text.ts';
import type { CardView } from './paint.ts';

export interface ThisPage {
  readonly measures: LoadMeasures;
  /** Estimated; absent: not known yet. */
  readonly efficiency?: number | undefined;
}

/** From this share of the load time on, a wait counts as a reason (as the verdicts' meaningful change). */
const MEANINGFUL_SHARE = 0.03;

/** The load of the tab in front: how long it took, and the biggest reason it was not faster. */
export function pageRow(page: ThisPage | undefined): CardView['page'] {
  if (page === undefined) return { time: '–', detail: `${text('card.thisPage')} · ${text('card.thisPage.none')}` };
  const { measures, efficiency } = page;
  const time = format.duration(measures.loadTimeMs);
  const parts = [
    text('card.thisPage'),
    ...(efficiency === undefined ? [] : [text('card.thisPage.efficiency', { share: efficiency })]),
    ...biggestReason(measures),
  ];
  return { time: measures.cutShort === undefined ? time : text('figure.atLeast', { figure: time }), detail: parts.join(' · ') };
}

function biggestReason({ queueWait, loadTimeMs, coldConnections = 0, duplicateFetches }: LoadMeasures): readonly string[] {
  const longest = queueWait?.maxMs ?? 0;
  if (longest > 0 && longest >= MEANINGFUL_SHARE * loadTimeMs) return [text('card.thisPage.wait', { time: longest })];
  if (duplicateFetches > 0) return [text('card.thisPage.duplicates', { count: duplicateFetches })];
  return coldConnections > 0 ? [text('card.thisPage.opened', { count: coldConnections })] : [];
}
