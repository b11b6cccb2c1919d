/** "Delete all" with its question: the first press only asks; the focus goes to the harmless answer, Escape takes it back. */
import { pageElement } from './page-element.ts';

/** @param deleteThem called once per confirmation; what it throws is its own to report. */
export function wireDeleteAll(deleteThem: () => Promise<void>): void {
  const opener = pageElement('delete', HTMLButtonElement);
  const question = pageElement('delete-question', HTMLElement);
  const cancel = pageElement('delete-cancel', HTMLButtonElement);
  const confirm = pageElement('delete-confirm', HTMLButtonElement);

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
    await deleteThem();
  });
}
