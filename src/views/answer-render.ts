/** Puts the answer at the head of a page that has a section for it. */
import type { AnswerView } from './answer-view.ts';
import { setOptionalText, setText } from './page.ts';
import { pageElement } from './page-element.ts';

/** Only ever as text. */
export function renderAnswer({ label, sentence, profileId, tone }: AnswerView): void {
  const section = pageElement('answer', HTMLElement);
  section.classList.toggle('good', tone === 'good');
  section.classList.toggle('predicted', tone === 'predicted');
  setText('answer-label', label);
  setText('answer-sentence', sentence);
  setOptionalText('answer-profile', profileId);
}
