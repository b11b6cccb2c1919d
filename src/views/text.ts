import { ENGLISH } from '../core/text/english.ts';
import { createLanguage } from '../core/text/messages.ts';

/** What the extension's pages say. A second language is chosen here, by `navigator.language`; the catalogue says what it consists of. */
export const { text, format } = createLanguage(ENGLISH, 'en');
