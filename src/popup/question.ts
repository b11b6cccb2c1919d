/** A button with a question: the first press only asks; the focus goes to the harmless answer, Escape takes it back. */
import { pageElement } from '../views/page-element.ts';

/**
 * Wires the button `id` to its question, `id`-question, and the answers, `id`-cancel and `id`-confirm.
 * @param act called once per confirmation; what it throws is its own to report.
 */
export function wireQuestion(id: string, act: () => Promise<void>): void {
  const opener = pageElement(id, HTMLButtonElement);
  const question = pageElement(`${id}-question`, HTMLElement);
  const cancel = pageElement(`${id}-cancel`, HTMLButtonElement);
  const confirm = pageElement(`${id}-confirm`, HTMLButtonElement);

  const ask = (asking: boolean) => {
    question.hidden = !asking;
    opener.setAttribute('aria-expanded', String(asking));
    (asking ? cancel : opener).focus();
    if (asking) question.scrollIntoView({ block: 'nearest' });
  };
  opener.addEventListener('click', () => ask(question.hidden === true));
  cancel.addEventListener('click', () => ask(false));
  question.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    // Otherwise Escape would close the whole panel.
    event.preventDefault();
    ask(false);
  });
  confirm.addEventListener('click', async () => {
    ask(false);
    await act();
  });
}
