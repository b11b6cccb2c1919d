/**
 * The section "Waterfall": the chosen load with what is predicted for it, or two loads on one axis of time. The picture is an SVG file of core's, as
 * wide as the section.
 */
import type { DrawnLoads } from '../protocol/prediction-answer.ts';
import { attempt, create, pageElement, setOptionalText, show } from '../views/page.ts';
import type { PredictionClient } from '../views/prediction-client.ts';
import { text } from '../views/text.ts';
import { onRedraw } from './drawn.ts';
import { asRegion, rowGroup } from './tables.ts';
import { timelinePicture, timelineView } from './timeline-view.ts';

/** A load by its id, and what it is called. */
export interface NamedLoad {
  readonly id: string;
  readonly label: string;
}

let client: PredictionClient;
let chosen: NamedLoad | undefined;
/** The load to compare with, once the person has asked for it. */
let other: NamedLoad | undefined;
let picture: string | undefined;
/** What is shown, to be drawn again. */
let shown: { readonly drawn: DrawnLoads; readonly title: string; readonly subtitle: string } | undefined;
let drawnWidth = 0;
/** The last request: answers to earlier ones are no longer wanted. */
let asked = 0;

const compare = () => pageElement('timeline-compare', HTMLButtonElement);
const alone = () => pageElement('timeline-alone', HTMLButtonElement);
const connections = () => pageElement('timeline-connections', HTMLButtonElement);

const isPressed = ({ ariaPressed }: HTMLButtonElement): boolean => ariaPressed === 'true';

/** Call once. */
export function wireTimeline(predictions: PredictionClient): void {
  client = predictions;
  for (const region of document.querySelectorAll<HTMLElement>('#timeline .scroll')) asRegion(region, { labelledBy: 'timeline-caption' });
  compare().addEventListener('click', () => {
    other = chosen;
    setOptionalText('timeline-status', text('timeline.choose'));
    alone().hidden = false;
    const [first] = [...document.querySelectorAll<HTMLButtonElement>('#loads-rows button')].filter(({ value }) => value !== chosen?.id);
    first?.focus();
  });
  alone().addEventListener('click', () => {
    other = undefined;
    compare().focus();
    return draw();
  });
  connections().addEventListener('click', () => {
    connections().ariaPressed = String(!isPressed(connections()));
    drawnWidth = 0;
    drawPicture();
  });
  window.addEventListener('resize', () => requestAnimationFrame(drawPicture));
  onRedraw(() => {
    if (shown !== undefined) render(shown.drawn);
  });
}

/** Draws the load, beside the one to compare with if there is one. */
export function drawChosen(load: NamedLoad): Promise<void> {
  chosen = load;
  return draw();
}

async function draw(): Promise<void> {
  const own = chosen;
  if (own === undefined) return;
  asked += 1;
  const number = asked;
  const loads = other === undefined || other.id === own.id ? [own] : [other, own];
  show('timeline', true);
  alone().hidden = loads.length === 1;
  setOptionalText('timeline-status', text('timeline.drawing'));
  await attempt('failed.draw', async () => {
    const [first, second] = loads;
    const title = second === undefined ? own.label : text('timeline.two', { first: first?.label ?? '', second: second.label });
    const subtitle = text(second === undefined ? 'timeline.subtitle' : 'timeline.subtitle.two');
    const drawn = await client.ask({ kind: 'draw-loads', loads: [...loads] }).catch((error: unknown) => {
      if (number === asked) setOptionalText('timeline-status', undefined);
      throw error;
    });
    // The person may have chosen another since, or one load alone.
    if (number !== asked) return;
    setOptionalText('timeline-status', drawn === undefined ? text('timeline.gone') : undefined);
    show('timeline-known', drawn !== undefined);
    shown = drawn && { drawn, title, subtitle };
    if (drawn !== undefined) render(drawn);
  });
}

function drawPicture(): void {
  const width = pageElement('timeline-known', HTMLElement).clientWidth;
  if (shown === undefined || width === 0 || width === drawnWidth) return;
  drawnWidth = width;
  const rowPer = isPressed(connections()) ? 'connection' : 'request';
  const { drawn, title, subtitle } = shown;
  const image = pageElement('timeline-picture', HTMLImageElement);
  if (picture !== undefined) URL.revokeObjectURL(picture);
  picture = URL.createObjectURL(new Blob([timelinePicture(drawn, { title, subtitle, width, rowPer })], { type: 'image/svg+xml' }));
  image.src = picture;
  image.alt = title;
}

function render(drawn: DrawnLoads): void {
  const { sums, groups } = timelineView(drawn);
  pageElement('timeline-sums', HTMLElement).replaceChildren(...sums.map((sum) => create('li', {}, sum)));
  drawnWidth = 0;
  drawPicture();
  const table = pageElement('timeline-table', HTMLTableElement);
  const names = [...(table.tHead?.rows[0]?.cells ?? [])].map(({ textContent }) => (textContent ?? '').trim());
  const cellOf = (cell: string, at: number) => {
    const made = create('td', {}, cell);
    // Read by the style of narrow pages.
    made.dataset.h = names[at + 1] ?? '';
    return made;
  };
  for (const body of [...table.tBodies]) body.remove();
  table.append(
    ...groups.map(({ heading, rows }) =>
      rowGroup({
        heading,
        columns: names.length,
        rows: rows.map(({ name, cells }) => create('tr', {}, create('th', { scope: 'row' }, name), ...cells.map(cellOf))),
      }),
    ),
  );
}
