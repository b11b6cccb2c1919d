/** Puts the section "Apply" into popup.html. What can hold the focus stays: buttons are only shown or hidden, the choice is made anew only when it differs. */

import { create, setOptionalText, setText, show } from '../views/page.ts';
import { pageElement } from '../views/page-element.ts';
import type { Tick } from './apply-ticks.ts';
import type { ApplyButton, ApplyView } from './apply-view.ts';

/** @throws PlumbfoxError as `pageElement`. */
export const applyButton = (name: ApplyButton): HTMLButtonElement => pageElement(`apply-${name}`, HTMLButtonElement);
const profileChoice = () => pageElement('apply-profile', HTMLSelectElement);
/** Empty: none. */
export const chosenProfile = (): string => profileChoice().value;

/** `undefined` hides the section. */
export function renderApply(view: ApplyView | undefined): void {
  show('apply', view !== undefined);
  if (view === undefined) return;
  const focused = document.activeElement;
  setText('apply-standing', view.standing);
  pageElement('apply-problems', HTMLElement).replaceChildren(...view.problems.map((text) => create('li', {}, text)));
  show('apply-problems', view.problems.length > 0);
  renderTicks(view.ticks);
  setOptionalText('apply-task', view.task);
  show('apply-profile-field', view.choices.length > 0);
  offer(view);
  for (const [name, can] of Object.entries(view.can)) applyButton(name as ApplyButton).hidden = !can;
  applyButton('apply').classList.toggle('primary', !view.can.revert);
  // Beside a way back it is an offer, and not what comes first.
  applyButton('allow').classList.toggle('primary', !view.can.revert);
  enableApply();
  if (focused?.closest('#apply') && !focused.checkVisibility()) pageElement('apply-heading', HTMLElement).focus();
}

/** Without a choice there is nothing to apply. */
export function enableApply(): void {
  applyButton('apply').disabled = chosenProfile() === '';
}

/** Tells assistive technology that the section is about to change. */
export function setBusy(isBusy: boolean): void {
  pageElement('apply', HTMLElement).setAttribute('aria-busy', String(isBusy));
}

const MARKS: Readonly<Record<Tick['state'], { readonly sign: string; readonly word: string }>> = {
  yes: { sign: '✓', word: 'yes' },
  no: { sign: '✗', word: 'no' },
  waiting: { sign: '…', word: 'not yet' },
  nobody: { sign: '–', word: 'not known' },
};

function renderTicks(ticks: readonly Tick[]): void {
  show('apply-ticks', ticks.length > 0);
  pageElement('apply-ticks', HTMLElement).replaceChildren(...ticks.map(tickItem));
}

function tickItem({ name, state, text }: Tick): HTMLElement {
  const { sign, word } = MARKS[state];
  const mark = create('span', { className: 'mark' }, sign);
  mark.setAttribute('aria-hidden', 'true');
  const said = create('span', { className: 'visually-hidden' }, `: ${word}. `);
  return create('li', { className: `tick ${state}` }, mark, create('div', {}, create('strong', {}, name), said, create('small', {}, text)));
}

/** What the person has chosen stays chosen while it is offered. */
function offer({ choices, usual }: ApplyView): void {
  const select = profileChoice();
  const offered = JSON.stringify([choices, usual]);
  if (select.dataset.offered === offered) return;
  const chosen = select.dataset.touched === undefined ? usual : select.value;
  select.dataset.offered = offered;
  select.replaceChildren(new Option('Choose a profile …', ''), ...choices.map(({ id, words }) => new Option(words, id)));
  select.value = choices.some(({ id }) => id === chosen) ? chosen : '';
}
