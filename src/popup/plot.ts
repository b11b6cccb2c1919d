/** The settings as rows with intervals around Firefox's own, in the page's language. Pure. */
import type { ComparedRow } from '../core/answer/card.ts';
import { cardRows } from '../core/answer/card-rows.ts';
import { coreLanguage, format, text } from '../views/text.ts';

export { MAX_ROWS } from '../core/answer/card-rows.ts';

type Kind = Parameters<typeof cardRows>[1];

export const plot = (rows: readonly ComparedRow[], kind: Kind) => cardRows(rows, kind, { text, format, core: coreLanguage });
