/** The texts of the extension's pages, in the language of Firefox where there is a translation, and figures as the person writes them. */
import { language, lookUp, text, translated } from '../adapters/person-language.ts';

export { coreLanguage, fixedText, format, language, preferenceText, text, useUnits } from '../adapters/person-language.ts';

/** How long requests waited for a free connection, ms; `typical` is their median. */
export const waitText = ({ longest, typical }: { readonly longest: number; readonly typical: number }): string =>
  typical === 0 ? text('load.wait.few', { longest }) : text('load.wait', { longest, typical });

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

if (typeof document !== 'undefined' && lookUp('language') !== '') translatePage(document);
