/** What a drawn section has: a picture of core's as an image, which shares no style and no script with the page, and its table. */
import { create } from '../views/page.ts';

export interface TableView {
  readonly caption: string;
  readonly headings: readonly string[];
  /** The first cell is what the row is about. */
  readonly rows: readonly (readonly string[])[];
}

/** @param svg - A whole file. @param alt - What it shows, for whoever cannot see it. */
export function picture(svg: string, alt: string): HTMLImageElement {
  const image = create('img', {}) as HTMLImageElement;
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  image.className = 'drawn';
  image.alt = alt;
  image.src = url;
  image.addEventListener('load', () => URL.revokeObjectURL(url), { once: true });
  return image;
}

/** A table that scrolls by itself on a narrow page, also by keyboard. */
export function table({ caption, headings, rows }: TableView): HTMLElement {
  const region = create(
    'div',
    { className: 'scroll' },
    create(
      'table',
      { className: 'drawn' },
      create('caption', { className: 'quiet' }, caption),
      create('thead', {}, create('tr', {}, ...headings.map((heading) => create('th', { scope: 'col' }, heading)))),
      create(
        'tbody',
        {},
        ...rows.map(([name = '', ...cells]) =>
          create('tr', {}, create('th', { scope: 'row' }, name), ...cells.map((cell) => create('td', {}, cell))),
        ),
      ),
    ),
  );
  region.tabIndex = 0;
  region.setAttribute('role', 'region');
  region.setAttribute('aria-label', caption);
  return region;
}
