/** The section "Last load", and the name of its link, which the person gives and takes away. */
import { writeLinkName } from '../adapters/field-storage.ts';
import type { ShownLink } from '../protocol/field-answer.ts';
import { create, pageElement, setOptionalText, setText, show } from '../views/page.ts';
import type { LoadView } from './load-view.ts';
import type { PopupView } from './popup-view.ts';

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

export function renderLoad(load: PopupView['load']): void {
  setOptionalText('load-empty', load.state === 'empty' ? load.text : undefined);
  show('load', load.state === 'known');
  if (load.state === 'known') renderKnownLoad(load.view);
}

function renderKnownLoad(view: LoadView): void {
  setText('load-page', view.page);
  setText('load-age', view.age);
  setText('load-time', view.loadTime);
  setText('load-efficiency', view.efficiency.value);
  setText('load-explanation', view.efficiency.explanation);
  const findings = view.findings.map((finding) => create('li', { className: finding.tone }, finding.text));
  pageElement('load-findings', HTMLElement).replaceChildren(...findings);
  const facts = view.facts.map(({ term, value }) => create('div', {}, create('dt', {}, term), create('dd', {}, value)));
  pageElement('load-facts', HTMLElement).replaceChildren(...facts);
}
