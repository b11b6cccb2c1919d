/** The common work of the extension's pages: puts text on itself, only ever as text, reports failures, asks questions and follows the background. */
import { PlumbfoxError } from '../core/errors.ts';
import type { PlainId } from '../core/text/messages.ts';
import { fixedText, text } from './text.ts';

/** Sets the text, but does not touch equal text, so that a screen reader does not read a live region again. */
export function setText(id: string, text: string): void {
  const element = pageElement(id, HTMLElement);
  if (element.textContent !== text) element.textContent = text;
}

/** Sets the text; `undefined` hides the element. */
export function setOptionalText(id: string, text: string | undefined): void {
  setText(id, text ?? '');
  show(id, text !== undefined);
}

/** Shows or hides an element. @throws PlumbfoxError as `pageElement`. */
export function show(id: string, visible: boolean): void {
  pageElement(id, HTMLElement).hidden = !visible;
}

/** Creates an element. Children that are strings become text, never markup. */
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

/** A button with a cross, which removes what `value` names. @param label - What it does, for whoever cannot see the cross. */
export function removalButton(value: string, label: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.value = value;
  button.textContent = '✕';
  button.setAttribute('aria-label', label);
  return button;
}

/** @throws PlumbfoxError when the page has no such element of this class, because page and script do not match. */
export function pageElement<T extends HTMLElement>(id: string, type: abstract new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new PlumbfoxError('internal', `${location.pathname} has no ${type.name} with the id ${id}`);
  return element;
}

/**
 * Wires the button `id` to its question, `id`-question, and to the answers, `id`-cancel and `id`-confirm.
 * @param act - Called once per confirmation; it reports its own failures.
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

/** What could not be done, of the failure that is shown. */
let shownFailure: PlainId | undefined;

/**
 * Runs an action, and shows its failure at the top of the page (`#failure`) until an action succeeds; that nothing can be read, until something was
 * read. Never rejects.
 * @param what - What could not be done then.
 */
export async function attempt(what: PlainId, action: () => Promise<void>): Promise<void> {
  try {
    await action();
    if (shownFailure !== 'failed.read' || what === 'failed.read') pageElement('failure', HTMLElement).hidden = true;
  } catch (error) {
    reportOnPage(what)(error);
  }
}

/** For `catch`: shows the failure at the top of the page. */
export function reportOnPage(what: PlainId): (error: unknown) => void {
  return (error) => {
    const failure = pageElement('failure', HTMLElement);
    failure.textContent = failureText(what, error);
    failure.hidden = false;
    shownFailure = what;
  };
}

/** The text on what failed, and why. */
export const failureText = (what: PlainId, error: unknown): string => text('failed', { what: text(what), why: reasonOf(error) });

/** The message of whatever was thrown, in the page's language where it has one. */
export const reasonOf = (error: unknown): string => fixedText(error instanceof Error ? error.message : String(error));

/** Reports failures that nothing handles, which are mistakes in the page itself. Call before anything else. */
export function handleUnhandledErrors(): void {
  const report = reportOnPage('failed.mistake');
  window.addEventListener('unhandledrejection', ({ reason }) => report(reason));
  window.addEventListener('error', ({ error, message }) => report(error ?? message));
}

/**
 * Opens the element that the address names, and scrolls to it as soon as it is shown: a section may first have to wait for an answer. Whoever has
 * scrolled by then stays where they are.
 */
export function landOnNamed(): void {
  const named = document.getElementById(location.hash.slice(1));
  if (named === null) return;
  const around = named.closest('details');
  if (around !== null) around.open = true;
  const observer = new MutationObserver(look);
  observer.observe(document.body, { subtree: true, attributeFilter: ['hidden'] });
  look();

  function look(): void {
    if (!named?.checkVisibility()) return;
    observer.disconnect();
    if (window.scrollY === 0) named.scrollIntoView();
  }
}

/** A page follows what changes in frames of this length: loads of many tabs may end in one moment. Asked of the project, not measured. */
const FRAME_MS = 50;

/**
 * Refreshes a page from the background whenever something may have changed, once in a frame. Only one request is in progress; a change during it leads
 * to one more. A hidden page does not ask, because answering slows down the loads that are being measured.
 */
export function refresher(ask: () => Promise<void>): () => Promise<void> {
  let asking = false;
  let askAgain = false;
  let begunMs = Number.NEGATIVE_INFINITY;
  return async function refresh(): Promise<void> {
    if (document.hidden) return;
    askAgain = asking;
    if (asking) return;
    asking = true;
    try {
      const restMs = begunMs + FRAME_MS - performance.now();
      if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
      if (document.hidden) return;
      begunMs = performance.now();
      // What changed in the rest of the frame is in what is asked for now.
      askAgain = false;
      await ask();
    } finally {
      asking = false;
    }
    if (askAgain) await refresh();
  };
}
