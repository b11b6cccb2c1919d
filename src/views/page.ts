/** Puts text on the page, only ever as text, and shows and hides what is there. */
import { pageElement } from './page-element.ts';

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
