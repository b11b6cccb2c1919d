/** What tables of the dashboard share: rows, regions that scroll, buttons that keep the focus, and fields to choose from what a table has. */
import { create } from '../views/page.ts';
import { text } from '../views/text.ts';

/** A row that its first cell heads. */
export const tableRow = (name: Node | string, cells: readonly (Node | string)[]): HTMLElement =>
  create('tr', {}, create('th', { scope: 'row' }, name), ...cells.map((cell) => create('td', {}, cell)));

interface RowGroup {
  /** What the rows have in common; absent: nothing is said of it. */
  readonly heading?: string | undefined;
  readonly columns: number;
  readonly rows: readonly HTMLElement[];
}

export function rowGroup({ heading, columns, rows }: RowGroup): HTMLElement {
  if (heading === undefined) return create('tbody', {}, ...rows);
  const head = document.createElement('th');
  head.scope = 'rowgroup';
  head.colSpan = columns;
  head.textContent = heading;
  return create('tbody', {}, create('tr', {}, head), ...rows);
}

/** Makes an element a region that is reached, and scrolls, by keyboard. @param name - Its label, or the id of the element that has it. */
export function asRegion(element: HTMLElement, name: { readonly label: string } | { readonly labelledBy: string }): HTMLElement {
  element.tabIndex = 0;
  element.setAttribute('role', 'region');
  if ('label' in name) element.setAttribute('aria-label', name.label);
  else element.setAttribute('aria-labelledby', name.labelledBy);
  return element;
}

/** The button of a row, which chooses what the row is about. */
export function choiceButton(value: string, label: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.value = value;
  button.className = 'choice';
  button.textContent = label;
  return button;
}

/**
 * Replaces rows but keeps their buttons, so that the focus stays where it is.
 * @param rows - Makes the rows, with the buttons that there were by their value.
 */
export function replaceRows(body: HTMLElement, rows: (held: ReadonlyMap<string, HTMLButtonElement>) => readonly HTMLElement[]): void {
  const held = new Map([...body.querySelectorAll('button')].map((button) => [button.value, button]));
  const focused = document.activeElement;
  body.replaceChildren(...rows(held));
  // An element that is moved loses the focus.
  if (focused instanceof HTMLButtonElement && held.get(focused.value) === focused && focused.isConnected) focused.focus();
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** A choice with the number of its loads. */
export const countedChoice = (value: number | string, label: string, loads: number): Choice => ({
  value: String(value),
  label: text('history.option', { label, loads: text('count.loads', { count: loads }) }),
});

/** Fills a field. What was chosen stays chosen where it is still offered; otherwise the first is. */
export function fillChoices(field: HTMLSelectElement, choices: readonly Choice[]): void {
  const { value } = field;
  field.replaceChildren(...choices.map((one) => new Option(one.label, one.value)));
  field.value = choices.some((one) => one.value === value) ? value : (choices[0]?.value ?? '');
}

/** Fills a filter. Its first option, which is none, stays, and what was chosen stays chosen, also where no load has it any more. */
export function fillFilter(select: HTMLSelectElement, options: readonly Choice[]): void {
  const before = [...select.options].slice(1).map(({ value, text }) => `${value} ${text}`);
  if (before.join('\n') === options.map(({ value, label }) => `${value} ${label}`).join('\n')) return;
  const { value: wanted } = select;
  const [none] = select.options;
  const gone =
    wanted !== '' && !options.some(({ value }) => value === wanted) ? [...select.options].find(({ value }) => value === wanted) : undefined;
  select.replaceChildren(...(none ? [none] : []), ...options.map(({ value, label }) => new Option(label, value)), ...(gone ? [gone] : []));
  select.value = wanted;
}
