/** A state of the card as text, before its button and the row of the page in front. */
import type { PlainId } from '../core/text/messages.ts';
import { text } from '../views/text.ts';
import type { CardView } from './paint.ts';

export type Said = Omit<CardView, 'kind' | 'button' | 'page'>;

/** Only sentences. */
export const plain = (status: PlainId, headline: string, ...sentences: readonly string[]): Said => ({
  status: text(status),
  tone: 'plain',
  headline,
  rows: [],
  sentences: [...sentences],
});

export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
