/** The section on what settings change, measured and predicted. It is made when it is opened: its workers compare and predict, this page draws. */
import type { ModelsAnswer } from '../protocol/models-answer.ts';
import { createFieldComparer, type FieldComparer } from '../views/field-comparison.ts';
import { create, pageElement, reasonOf } from '../views/page.ts';
import { createPredictionClient } from '../views/prediction-client.ts';
import { text } from '../views/text.ts';
import { picture, table } from './drawn.ts';
import { type ModelsView, modelsView } from './models-view.ts';

/** Has a worker of its own: what the other sections ask for does not wait. */
const client = createPredictionClient();
/** The worker predicts no more than these besides the grid. */
const MAX_PROFILES = 64;

export { showFirstBytes } from './first-bytes.ts';

const [MIN_WIDTH, MAX_WIDTH] = [330, 560];

let field: FieldComparer | undefined;
let prediction: ModelsAnswer | undefined;
let failure: string | undefined;
/** The settings that were predicted last; `undefined`: they are to be predicted again. */
let asked: string | undefined;
let drawn = '';

/** Compares and predicts anew, and draws whatever is known. */
export async function showModels(): Promise<void> {
  asked = undefined;
  field ??= await createFieldComparer({ onChange: follow });
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
  if (wanted.join(' ') === asked) return;
  asked = wanted.join(' ');
  predict(wanted).catch(() => undefined);
}

async function predict(profiles: string[]): Promise<void> {
  try {
    prediction = await client.ask({ kind: 'predict-models', profiles });
    failure = undefined;
  } catch (error) {
    failure = text('prediction.failed', { why: reasonOf(error) });
  }
  draw();
}

function draw(): void {
  const content = pageElement('models-content', HTMLElement);
  const { answer, failure: notCompared } = field?.state() ?? {};
  const failures = [...(notCompared === undefined ? [] : [text('comparison.failed', { why: notCompared })]), ...(failure ? [failure] : [])];
  const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, content.clientWidth));
  const view = modelsView({ comparison: answer?.comparison, prediction, failures, width });
  const now = JSON.stringify(view);
  if (now === drawn) return;
  drawn = now;
  content.replaceChildren(...sectionsOf(view));
}

function sectionsOf({ notes, map, check, pages }: ModelsView): readonly HTMLElement[] {
  return [
    create('div', { className: 'quiet' }, ...notes.map((note) => create('p', {}, note))),
    create('div', { className: 'beside' }, picture(map.svg, map.alt), table(map.table)),
    create('h3', {}, text('models.check')),
    ...(typeof check === 'string'
      ? [create('p', {}, check)]
      : [create('div', { className: 'beside' }, picture(check.svg, check.alt), table(check.table))]),
    ...(pages === undefined ? [] : [table(pages)]),
  ];
}
