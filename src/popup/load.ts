/** The name of the last load's link: shown beside its figures, given and taken away by the person. */
import { writeLinkName } from '../adapters/link-names.ts';
import type { ShownLink } from '../protocol/field-answer.ts';
import { pageElement } from '../views/page-element.ts';

let shown: ShownLink | undefined;
/** Typed, and not yet given. */
let isTyped = false;

/** What is being typed is left alone. */
export function showLinkName(link: ShownLink | undefined): void {
  const field = pageElement('link-name', HTMLInputElement);
  if (shown?.id !== link?.id) isTyped = false;
  shown = link;
  pageElement('link-form', HTMLElement).hidden = link === undefined;
  if (!isTyped) field.value = link?.given ?? '';
  field.placeholder = link?.name ?? '';
}

/** @param onNamed called when a name was written, so that it is shown everywhere. */
export function wireLinkName(onNamed: (work: () => Promise<void>) => Promise<void>): void {
  const field = pageElement('link-name', HTMLInputElement);
  field.addEventListener('input', () => {
    isTyped = true;
  });
  pageElement('link-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    const link = shown;
    const given = field.value;
    if (link === undefined) return undefined;
    return onNamed(async () => {
      await writeLinkName(link, given);
      if (field.value === given) isTyped = false;
    });
  });
}
