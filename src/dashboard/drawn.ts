/** What a drawn section has: a picture of core's as an image, which shares no style and no script with the page, and the same as a table. */
import { create } from '../views/page.ts';
import { text } from '../views/text.ts';
import { asRegion, tableRow } from './tables.ts';

export interface TableView {
  readonly caption: string;
  readonly headings: readonly string[];
  /** The first cell is what the row is about. */
  readonly rows: readonly (readonly string[])[];
}

export interface DrawnView {
  /** A whole file. */
  readonly svg: string;
  /** What it shows, for whoever cannot see it. */
  readonly alt: string;
  readonly table: TableView;
}

/** An element that shows one view after another: what was folded out stays so, and the focus stays. `undefined` hides it. */
interface Shown<View> {
  readonly element: HTMLElement;
  readonly show: (view: View | undefined) => void;
}

/** A narrower picture scales down; a wider one has its marks too far apart. */
const MIN_WIDTH = 300;

/** The width of a picture in an element, px. @param most - Where there is more room. */
export const pictureWidth = ({ clientWidth }: HTMLElement, most: number): number =>
  Math.round(Math.max(MIN_WIDTH, Math.min(most, clientWidth || most)));

const REDRAW = 'redraw';

/** Has every section draw again what it knows: figures are written in other units, or what was awaited could not be read. */
export function redrawAll(): void {
  window.dispatchEvent(new Event(REDRAW));
}

/** Draws again with all sections. @param draw - Does nothing where nothing is shown. */
export const onRedraw = (draw: () => void): void => window.addEventListener(REDRAW, draw);

/** Draws again with all sections, and when the page gets another width. @param draw - Does nothing where nothing is shown. */
export function onRedrawOrResize(draw: () => void): void {
  onRedraw(draw);
  window.addEventListener('resize', () => requestAnimationFrame(draw));
}

/** From here on a table has room beside its picture; the style sheet has the same width. */
const HAS_ROOM = '(min-width: 60rem)';

/** A table that is folded, and scrolls by itself on a narrow page. @param id - Its element's. @param summary - What is read while it is folded. */
export function createFoldedTable(id: string, summary = text('trend.table')): Shown<TableView> & { readonly element: HTMLDetailsElement } {
  const table = create('table', { className: 'drawn' });
  table.id = id;
  const region = asRegion(create('div', { className: 'scroll' }, table), { label: summary });
  const element = document.createElement('details');
  element.append(create('summary', {}, summary), region);
  return {
    element,
    show: (view) => {
      element.hidden = view === undefined;
      if (view === undefined) return;
      const { caption, headings, rows } = view;
      region.setAttribute('aria-label', caption);
      table.replaceChildren(
        create('caption', { className: 'quiet' }, caption),
        create('thead', {}, create('tr', {}, ...headings.map((heading) => create('th', { scope: 'col' }, heading)))),
        create('tbody', {}, ...rows.map(([name = '', ...cells]) => tableRow(name, cells))),
      );
    },
  };
}

/**
 * A picture with its table, which is folded out where it has room.
 * @param id - Its parts' are `id`-picture and `id`-table. @param place - Where the table goes on a wide page.
 */
export function createDrawn(id: string, place: 'beside' | 'below' = 'beside'): Shown<DrawnView> {
  const image = create('img', { className: 'drawn' }) as HTMLImageElement;
  image.id = `${id}-picture`;
  const table = createFoldedTable(`${id}-table`);
  table.element.open = place === 'beside' && matchMedia(HAS_ROOM).matches;
  const element = create('div', { className: place }, image, table.element);
  // Until there is something: a picture without a text for it is a fault.
  element.hidden = true;
  let drawn = '';
  return {
    element,
    show: (view) => {
      element.hidden = view === undefined;
      table.show(view?.table);
      if (view === undefined) return;
      image.alt = view.alt;
      // A picture that is set anew flickers.
      if (view.svg === drawn) return;
      drawn = view.svg;
      const url = URL.createObjectURL(new Blob([drawn], { type: 'image/svg+xml' }));
      image.addEventListener('load', () => URL.revokeObjectURL(url), { once: true });
      image.src = url;
    },
  };
}
