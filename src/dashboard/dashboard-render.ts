/** Puts lists and the chosen load into dashboard.html, only ever as text. Buttons of the rows are kept, so that the focus stays where it is. */

import { create, pageElement, setText, show } from '../views/page.ts';
import { renderPrediction } from '../views/prediction-view.ts';
import type { ChosenLoadView, LoadRow } from './loads-view.ts';

export interface ShownLoads {
  readonly rows: readonly LoadRow[];
  readonly status: string;
  readonly hasMore: boolean;
  /** Id of the chosen load. */
  readonly chosen: string | undefined;
}

/** Replaces the rows; the focus stays on the button it was on. */
export function renderLoads({ rows, status, hasMore, chosen }: ShownLoads): void {
  const body = pageElement('loads-rows', HTMLElement);
  const held = new Map([...body.querySelectorAll('button')].map((button) => [button.value, button]));
  const focused = document.activeElement;
  body.replaceChildren(...rows.map((row) => tableRow(row, held.get(row.id) ?? choiceOf(row), row.id === chosen)));
  // What is moved in the page loses the focus.
  if (focused instanceof HTMLButtonElement && held.get(focused.value) === focused && focused.isConnected) focused.focus();
  setText('loads-status', status);
  show('loads-table', rows.length > 0);
  show('loads-more', hasMore);
}

function choiceOf({ id, page }: LoadRow): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.value = id;
  button.className = 'choice';
  button.textContent = page;
  return button;
}

function tableRow({ time, link, profile, loadTime, efficiency }: LoadRow, button: HTMLButtonElement, isChosen: boolean): HTMLElement {
  if (isChosen) button.setAttribute('aria-current', 'true');
  else button.removeAttribute('aria-current');
  return create(
    'tr',
    isChosen ? { className: 'on' } : {},
    create('th', { scope: 'row' }, button, create('small', { className: 'narrow' }, `${time} · ${profile} · ${link}`)),
    create('td', { className: 'wide' }, time),
    create('td', { className: 'wide' }, link),
    create('td', { className: 'wide' }, profile),
    create('td', {}, loadTime),
    create('td', {}, efficiency),
  );
}

/** Shows the section, which is hidden until a load is chosen. */
export function renderChosen({ title, facts, prediction }: ChosenLoadView): void {
  setText('chosen-title', title);
  const terms = facts.map(({ term, value }) => create('div', {}, create('dt', {}, term), create('dd', {}, value)));
  pageElement('chosen-facts', HTMLElement).replaceChildren(...terms);
  renderPrediction('chosen', prediction, { beside: 'measured' });
  show('chosen-known', true);
}
