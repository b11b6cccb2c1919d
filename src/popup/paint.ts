/** Puts the card on the page, from what was kept of it in this session or from what is known now. Read before the first paint: it stays small. */
import * as v from 'valibot';
import { CARD_TEXT, type CardRow } from '../core/answer/card-text.ts';
import type { Shape } from '../core/schema.ts';
import { create, pageElement, setOptionalText, setText, show } from '../views/page.ts';

export const cardViewSchema = v.object({
  kind: v.string(),
  ...CARD_TEXT,
  button: v.object({ action: v.string(), label: v.string(), isPrimary: v.boolean() }),
  page: v.object({ time: v.string(), detail: v.string() }),
});
/** Everything on the card, as text and positions. */
export type CardView = Shape<typeof cardViewSchema>;

/** Elements that can have the focus are in popup.html already and only renamed, so that a refresh never moves the focus. */
export function paint(view: CardView): void {
  const { kind, status, tone, headline, figure, meter, rows, sentences, why, button, hint, page } = view;
  const card = pageElement('card', HTMLElement);
  card.dataset.state = kind;
  card.dataset.tone = tone;
  setText('status', status);
  document.body.dataset.tone = tone;
  setText('headline', headline);
  show('figure-line', figure !== undefined);
  setText('figure', figure?.value ?? '');
  setText('figure-label', figure?.label ?? '');
  show('progress', meter !== undefined);
  pageElement('meter', HTMLElement).style.inlineSize = `${100 * Math.min(1, Math.max(0, meter?.share ?? 0))}%`;
  setOptionalText('progress-label', meter?.label || undefined);
  show('rows', rows.length > 0);
  pageElement('rows', HTMLElement).replaceChildren(...rows.map((row) => rowItem(row, view)));
  const lines = pageElement('sentences', HTMLElement);
  lines.replaceChildren(...sentences.map((sentence) => create('p', {}, sentence)));
  // What is waited for comes before how far it is, for whoever hears it too.
  const before = pageElement(kind === 'fresh' ? 'headline' : 'rows', HTMLElement);
  if (lines.previousElementSibling !== before) before.after(lines);
  show('why', why !== undefined);
  pageElement('why-list', HTMLElement).replaceChildren(...(why ?? []).map((line) => create('li', {}, line)));
  const main = pageElement('main', HTMLButtonElement);
  main.dataset.does = button.action;
  main.classList.toggle('primary', button.isPrimary);
  setText('main', button.label);
  setOptionalText('hint', hint);
  setText('page-time', page.time);
  setText('page-detail', page.detail);
  show('card', true);
}

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
    create(
      'span',
      { className: 'result' },
      line,
      create('span', { className: 'value' }, value, create('span', { className: 'visually-hidden' }, detail && `, ${detail}`)),
    ),
  );
}
