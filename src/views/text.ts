import { ENGLISH } from '../core/text/english.ts';
import { createLanguage } from '../core/text/messages.ts';

/** The texts of the extension's pages. A second language would be chosen here, by `navigator.language`. */
export const { text, format } = createLanguage(ENGLISH, 'en');
