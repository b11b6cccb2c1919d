/** The row of the page in front: how long it took, and the biggest reason it was not faster. Pure. */
import type { LoadCause } from '../core/measure/load-causes.ts';
import type { MessageId } from '../core/text/messages.ts';
import type { CardFacts } from '../protocol/page-state.ts';
import { format, text } from '../views/text.ts';
import type { CardView } from './paint.ts';

export interface ThisPage extends Pick<NonNullable<CardFacts['thisPage']>, 'measures' | 'longest'> {
  /** Estimated; absent: not known yet. */
  readonly efficiency?: number | undefined;
  /** Where it is not the page in front, but the one that the person came from; absent: it is. */
  readonly host?: string | undefined;
}

/** The load of the tab in front: how long it took, and what took the longest part of it. */
export function pageRow(page: ThisPage | undefined): CardView['page'] {
  if (page === undefined) return { time: '–', detail: `${text('card.thisPage')} · ${text('card.thisPage.none')}` };
  const { measures, longest, efficiency, host } = page;
  const time = format.duration(measures.loadTimeMs);
  const parts = [
    host ?? text('card.thisPage'),
    ...(efficiency === undefined ? [] : [text('card.thisPage.efficiency', { share: efficiency })]),
    ...(longest === undefined ? [] : [text(LONGEST[longest.cause], { time: longest.timeMs })]),
  ];
  return { time: measures.cutShort === undefined ? time : text('figure.atLeast', { figure: time }), detail: parts.join(' · ') };
}

const LONGEST = {
  receiving: 'card.thisPage.receiving',
  opening: 'card.thisPage.opening',
  'queue-wait': 'card.thisPage.wait',
  server: 'card.thisPage.server',
  idle: 'card.thisPage.idle',
} as const satisfies Record<LoadCause, MessageId>;
