/** The section on what settings change, measured and predicted. It is made when it is opened: its workers compare and predict, this page draws. */
import type { ModelsAnswer } from '../protocol/models-answer.ts';
import { createFieldComparer, type FieldComparer } from '../views/field-comparison.ts';
import { create, pageElement, reasonOf } from '../views/page.ts';
import { createPredictionClient } from '../views/prediction-client.ts';
import { text } from '../views/text.ts';
import { createDrawn, createFoldedTable, onRedrawOrResize, pictureWidth } from './drawn.ts';
import { type ModelsView, modelsView } from './models-view.ts';

/** Has a worker of its own: what the other sections ask for does not wait. */
const client = createPredictionClient();
/** The worker predicts no more than these besides the grid. */
const MAX_PROFILES = 64;
const MAX_WIDTH = 560;

const [notes, checkHeading, checkSentence] = [
  create('div', { className: 'quiet' }),
  create('h3', {}, text('models.check')),
  create('p', {}),
];
const [map, check] = [createDrawn('models-map'), createDrawn('models-check')];
const pages = createFoldedTable('models-pages', text('models.pages.title'));

let field: FieldComparer | undefined;
let prediction: ModelsAnswer | undefined;
let failure: string | undefined;
/** The settings that were predicted last, besides the grid; `undefined`: everything is to be predicted again. */
let asked: readonly string[] | undefined;
let drawn = '';

/** Compares and predicts anew, and draws whatever is known. */
export async function showModels(): Promise<void> {
  asked = undefined;
  // What the newest loads show comes first: with many loads the comparison of all takes seconds.
  field ??= await createFieldComparer({ onChange: follow, newestFirst: true });
  field.compare();
  follow();
}

function follow(): void {
  draw();
  const { answer, comparing } = field?.state() ?? {};
  // The settings that were measured are predicted too: they have to be known first.
  if (answer === undefined && comparing !== undefined) return;
  const measured = (answer?.comparison.protocols ?? (answer ? [answer.comparison] : [])).flatMap(({ profiles }) =>
    profiles.map(({ id }) => id),
  );
  const wanted = [...new Set(measured)].slice(0, MAX_PROFILES);
  if (asked !== undefined && wanted.every((id) => asked?.includes(id))) return;
  asked = wanted;
  predict(wanted).catch(() => undefined);
}

async function predict(profiles: string[]): Promise<void> {
  try {
    const answered = await client.ask({ kind: 'predict-models', profiles });
    // More was measured meanwhile: its prediction follows.
    if (asked !== profiles) return;
    prediction = answered;
    failure = undefined;
  } catch (error) {
    failure = text('prediction.failed', { why: reasonOf(error) });
  }
  draw();
}

function draw(): void {
  const content = pageElement('models-content', HTMLElement);
  const { answer, comparing, failure: notCompared } = field?.state() ?? {};
  const failures = [...(notCompared === undefined ? [] : [text('comparison.failed', { why: notCompared })]), ...(failure ? [failure] : [])];
  const part = comparing?.newest === undefined ? undefined : { newest: comparing.newest, all: comparing.loads };
  const view = modelsView({ comparison: answer?.comparison, part, prediction, failures, width: pictureWidth(content, MAX_WIDTH) });
  const now = JSON.stringify(view);
  if (now === drawn) return;
  drawn = now;
  if (!notes.isConnected) {
    content.append(notes, map.element, checkHeading, checkSentence, check.element, pages.element);
    onRedrawOrResize(draw);
  }
  show(view);
}

function show(view: ModelsView): void {
  notes.replaceChildren(...view.notes.map((note) => create('p', {}, note)));
  map.show(view.map);
  checkHeading.hidden = view.check === undefined;
  checkSentence.textContent = view.check?.sentence ?? '';
  check.show(view.check?.drawn);
  pages.show(view.pages);
}
