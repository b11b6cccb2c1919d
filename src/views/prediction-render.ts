/**
 * Puts a prediction into a page that has the elements for it, by a prefix of their ids: -status, -table, -rows, -notes, -assumed
 * and -assumed-list. What can hold the focus is in the page already and only shown or hidden.
 */

import { create, setOptionalText, show } from './page.ts';
import { pageElement } from './page-element.ts';
import type { PredictionRow, PredictionTable, PredictionView } from './prediction-view.ts';

export interface RenderOptions {
  /** A last column for what was measured. */
  readonly beside: 'measured' | 'nothing';
}

export function renderPrediction(prefix: string, { status, table }: PredictionView, options: RenderOptions): void {
  setOptionalText(`${prefix}-status`, status);
  show(`${prefix}-table`, table !== undefined);
  if (table !== undefined) renderTable(prefix, table, options);
}

function renderTable(prefix: string, { rows, notes, assumed }: PredictionTable, options: RenderOptions): void {
  pageElement(`${prefix}-rows`, HTMLElement).replaceChildren(...rows.map((row) => tableRow(row, options)));
  pageElement(`${prefix}-notes`, HTMLElement).replaceChildren(...notes.map((text) => create('p', {}, text)));
  show(`${prefix}-assumed`, assumed.length > 0);
  pageElement(`${prefix}-assumed-list`, HTMLElement).replaceChildren(...assumed.map((text) => create('li', {}, text)));
}

function tableRow({ id, loadTime, change, bound, measured }: PredictionRow, { beside }: RenderOptions): HTMLElement {
  return create(
    'tr',
    {},
    create('th', { scope: 'row' }, id),
    create('td', { className: 'predicted-figure' }, loadTime, create('small', {}, `mostly ${bound}`)),
    create('td', { className: 'predicted-figure' }, change),
    ...(beside === 'measured' ? [create('td', {}, measured === '' ? 'not measured' : measured)] : []),
  );
}
