/** Finds an element of the page by id. */
import { PlumbfoxError } from '../core/errors.ts';

/** @throws PlumbfoxError when the page lacks the element or it is of another class: page and script are then out of step. */
export function pageElement<T extends HTMLElement>(id: string, type: abstract new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new PlumbfoxError('internal', `${location.pathname} has no ${type.name} with the id ${id}`);
  return element;
}
