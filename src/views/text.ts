/** The texts of the extension's pages, in the language of Firefox where there is a translation, and figures as the person writes them. */
import { browser } from '../adapters/browser.ts';
import { ENGLISH } from '../core/text/english.ts';
import { createLanguage } from '../core/text/messages.ts';
import { hashedKey, packedCatalogue, staticTextKey } from '../core/text/packed-texts.ts';

// Neither a worker nor a unit test has it: these speak English.
const i18n = browser?.i18n;
const lookUp = (key: string): string => i18n?.getMessage(key) ?? '';
// The translation's language, not Firefox's: whoever has none reads English, from left to right.
export const language = lookUp('language') || 'en';

export const { text, format, useUnits } = createLanguage(
  packedCatalogue(lookUp, language, ENGLISH),
  language,
  i18n === undefined ? language : new Intl.NumberFormat().resolvedOptions().locale,
);

const TEXT_ATTRIBUTES = ['aria-label', 'title', 'placeholder', 'alt'];

/** Says in the page's language what stands in its HTML; a text without a translation stays. */
export function translatePage(page: Document): void {
  page.documentElement.lang = language;
  page.documentElement.dir = lookUp('direction') || 'ltr';
  if (language === 'en') return;
  const texts = page.createTreeWalker(page.documentElement, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const english = node.textContent ?? '';
    const said = translated(english);
    // The space around it stays: it may stand beside an element in the sentence.
    if (said !== '') node.textContent = english.replace(english.trim(), () => said);
  }
  for (const name of TEXT_ATTRIBUTES) {
    for (const element of page.querySelectorAll(`[${name}]`)) {
      const said = translated(element.getAttribute(name) ?? '');
      if (said !== '') element.setAttribute(name, said);
    }
  }
}

/** A label or a sentence of core that has no parameter, in the page's language; English where it is not translated. */
export const fixedText = (english: string): string => (language === 'en' ? english : translated(english) || english);

function translated(english: string): string {
  const words = english.replaceAll(/\s+/g, ' ').trim();
  return words === '' ? '' : lookUp(hashedKey(staticTextKey(words)));
}

if (typeof document !== 'undefined' && i18n !== undefined) translatePage(document);
