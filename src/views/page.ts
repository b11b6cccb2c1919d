/** Puts text on the page, only ever as text, and shows and hides what is there. */
import { PlumbfoxError } from '../core/errors.ts';

/** Leaves equal text alone, so that a screen reader does not read a live region again. */
export function setText(id: string, text: string): void {
  const element = pageElement(id, HTMLElement);
  if (element.textContent !== text) element.textContent = text;
}

/** `undefined` hides it. */
export function setOptionalText(id: string, text: string | undefined): void {
  setText(id, text ?? '');
  show(id, text !== undefined);
}

/** @throws PlumbfoxError as `pageElement`. */
export function show(id: string, visible: boolean): void {
  pageElement(id, HTMLElement).hidden = !visible;
}

/** Children that are strings become text, never markup. */
export function create(
  tag: string,
  attributes: { className?: string; scope?: string },
  ...children: readonly (Node | string)[]
): HTMLElement {
  const element = document.createElement(tag);
  if (attributes.className !== undefined) element.className = attributes.className;
  if (attributes.scope !== undefined) element.setAttribute('scope', attributes.scope);
  element.append(...children);
  return element;
}

/** @throws PlumbfoxError when the page lacks the element or it is of another class: page and script are then out of step. */
export function pageElement<T extends HTMLElement>(id: string, type: abstract new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new PlumbfoxError('internal', `${location.pathname} has no ${type.name} with the id ${id}`);
  return element;
}

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
