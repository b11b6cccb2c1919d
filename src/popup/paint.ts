/** Puts the card on the page, from what was kept of it in this session or from what is known now. Read before the first paint: it stays small. */
import * as v from 'valibot';
import { CARD_TEXT, type CardRow } from '../core/answer/card-text.ts';
import type { Shape } from '../core/schema.ts';
import { create, pageElement, setOptionalText, setText, show } from '../views/page.ts';

export const cardViewSchema = v.object({
  kind: v.string(),
  ...CARD_TEXT,
  button: v.object({ action: v.string(), label: v.string(), isPrimary: v.boolean() }),
  /** A link beside the button; absent: there is none. */
  other: v.exactOptional(v.object({ action: v.string(), label: v.string() })),
  page: v.object({ time: v.string(), detail: v.string() }),
});
/** Everything on the card, as text and positions. */
export type CardView = Shape<typeof cardViewSchema>;

/** Elements that can have the focus are in popup.html already and only renamed, so that a refresh never moves the focus. */
export function paint(view: CardView): void {
  const { kind, status, isOff, tone, headline, figure, meter, rows, sentences, sites, why, button, other, hint, page } = view;
  const card = pageElement('card', HTMLElement);
  card.dataset.state = kind;
  card.dataset.tone = tone;
  setText('status', status);
  document.body.dataset.tone = tone;
  document.body.toggleAttribute('data-off', isOff === true);
  setText('headline', headline);
  show('figure-line', figure !== undefined);
  setText('figure', figure?.value ?? '');
  setText('figure-label', figure?.label ?? '');
  show('progress', meter !== undefined);
  pageElement('meter', HTMLElement).style.inlineSize = `${100 * Math.min(1, Math.max(0, meter?.share ?? 0))}%`;
  setOptionalText('progress-label', meter?.label || undefined);
  show('rows', rows.length > 0);
  show('scale', rows.length > 0);
  pageElement('rows', HTMLElement).replaceChildren(...rows.map((row) => rowItem(row, view)));
  const lines = pageElement('sentences', HTMLElement);
  lines.replaceChildren(...sentences.map((sentence) => create('p', {}, sentence)));
  show('sites', sites !== undefined);
  setText('sites-heading', sites?.heading ?? '');
  pageElement('sites-list', HTMLElement).replaceChildren(...(sites?.rows ?? []).map(siteItem));
  // What is waited for comes before how far it is, for whoever hears it too.
  const before = pageElement(kind === 'fresh' ? 'headline' : 'scale', HTMLElement);
  if (lines.previousElementSibling !== before) before.after(lines);
  show('why', why !== undefined);
  pageElement('why-list', HTMLElement).replaceChildren(...(why ?? []).map((line) => create('li', {}, line)));
  const main = pageElement('main', HTMLButtonElement);
  main.dataset.does = button.action;
  main.classList.toggle('primary', button.isPrimary);
  setText('main', button.label);
  const link = pageElement('other', HTMLButtonElement);
  link.dataset.does = other?.action ?? '';
  setOptionalText('other', other?.label);
  setOptionalText('hint', hint);
  setText('page-time', page.time);
  setText('page-detail', page.detail);
  show('card', true);
}

const siteItem = ({ host, value, detail, isAhead }: NonNullable<CardView['sites']>['rows'][number]): HTMLElement =>
  create('li', isAhead ? { className: 'ahead' } : {}, create('bdi', {}, host), valueCell(value, detail));

const valueCell = (value: string, detail: string): HTMLElement =>
  create('span', { className: 'value' }, value, create('span', { className: 'visually-hidden' }, detail && `, ${detail}`));

function rowItem({ label, value, detail, at, from, to, goesOn, isAhead }: CardRow, { zero = 0, same }: CardView): HTMLElement {
  const line = create('span', { className: 'plot' });
  line.setAttribute('aria-hidden', 'true');
  const place = (className: string, start: number | undefined, end = start) => {
    if (start === undefined || end === undefined) return;
    const mark = create('span', { className });
    mark.style.left = `${100 * start}%`;
    if (end !== start) mark.style.width = `${100 * (end - start)}%`;
    line.append(mark);
  };
  place('same', same?.from, same?.to);
  place('zero', zero);
  if (to !== undefined) place(goesOn === undefined ? 'interval' : `interval on-${goesOn}`, from, to);
  place('dot', at);
  return create(
    'li',
    isAhead ? { className: 'ahead' } : {},
    create('span', { className: 'label' }, label),
    create('span', { className: 'result' }, line, valueCell(value, detail)),
  );
}
