/** What the person does with a trial: chooses and starts one, pauses it, goes on, stops it. */
import { sendRequest } from '../adapters/messaging.ts';
import type { Request } from '../protocol/messages.ts';
import type { ShownFieldPrediction } from '../protocol/prediction-answer.ts';
import type { TrialWish } from '../protocol/trial-state.ts';
import { tellOnPage } from '../views/attempt.ts';
import { createFigures } from '../views/figures.ts';
import { setText } from '../views/page.ts';
import { pageElement } from '../views/page-element.ts';
import { wireQuestion } from './question.ts';
import { saveText } from './save-text.ts';
import { type PredictedChoice, predictedChoice } from './trial-predicted.ts';
import { NOTHING_CHOSEN, plannedWords } from './trial-setup-view.ts';
import type { TrialView } from './trial-view.ts';

export interface PopupActions {
  /** Runs an action; a failure is put on the page in words. */
  readonly attempt: (what: string, action: () => Promise<void>) => Promise<void>;
  readonly refresh: () => Promise<void>;
  /** For the newest loads, under every profile that is offered. */
  readonly predict: () => Promise<ShownFieldPrediction>;
}

const figures = createFigures('en');
let view: TrialView | undefined;

/** To be called with each view that is shown: what the form says of it follows the choices on the page. */
export function showTrialPlan(shown: TrialView | undefined): void {
  const isNew = view?.setup === undefined;
  view = shown;
  if (shown?.setup === undefined) return;
  if (isNew) lengthOf(unit().value);
  planChoices().catch(tellOnPage('The length of the trial could not be shown'));
}

let predictedArms: PredictedChoice['arms'] = [];
let planned = '';

/** Asks how long the trial would be that is chosen on the page, once for each choice. */
async function planChoices(): Promise<void> {
  const chosen = wish();
  const asked = JSON.stringify(chosen);
  if (asked === planned) return;
  planned = asked;
  const words = chosen.candidates.length === 0 ? NOTHING_CHOSEN : await planWords(chosen);
  // Another choice may have been made meanwhile.
  if (asked === planned) setText('trial-planned', words);
}

/** That it cannot be planned is an answer too. */
const planWords = (chosen: TrialWish): Promise<string> =>
  sendRequest({ kind: 'plan-trial', trial: chosen }).then(
    (lengths) => plannedWords(chosen, lengths, figures),
    (error: Error) => error.message,
  );

/** Once, when the popup has opened. */
export function wireTrial({ attempt, refresh, predict }: PopupActions): void {
  const form = pageElement('trial-form', HTMLFormElement);
  const ask = (what: string, request: Extract<Request, { kind: `${'pause' | 'resume' | 'stop'}-trial` }>) =>
    attempt(what, async () => {
      await sendRequest(request);
      await refresh();
    });
  unit().addEventListener('input', () => lengthOf(unit().value));
  form.addEventListener('input', planChoices);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    return attempt('The trial could not be started', async () => {
      await sendRequest({ kind: 'start-trial', trial: wish() });
      // The candidates of the next one are chosen anew.
      predictedArms = [];
      setText('trial-predicted-words', '');
      await refresh();
    });
  });
  const on = (id: string, act: () => void) => pageElement(id, HTMLButtonElement).addEventListener('click', act);
  on('trial-pause', () => ask('The trial could not be paused', { kind: 'pause-trial' }));
  on('trial-resume', () => ask('The trial cannot go on', { kind: 'resume-trial' }));
  wireQuestion('trial-stop', () => ask('The trial could not be stopped', { kind: 'stop-trial' }));
  on('trial-predicted', () => choosePredicted(predict));
  on('trial-policy', () => {
    const text = view?.current?.policies;
    if (text !== undefined) setText('trial-outcome', `Saved as ${saveText('policies.json', text)}.`);
  });
}

const unit = () => pageElement('trial-unit', HTMLSelectElement);
const slot = () => pageElement('trial-slot', HTMLInputElement);

function lengthOf(kind: string): void {
  const usual = view?.setup?.usual;
  if (usual) slot().value = String(kind === 'minutes' ? usual.minutesPerSlot : usual.loadsPerSlot);
}

/** Chooses the predicted best; the person may choose otherwise before the start. */
async function choosePredicted(predict: PopupActions['predict']): Promise<void> {
  setText('trial-predicted-words', 'Predicting…');
  const { arms, words } = await predict().then(
    (answer) => predictedChoice(answer, figures),
    (error: Error): PredictedChoice => ({ arms: [], words: `The prediction failed: ${error.message}` }),
  );
  setText('trial-predicted-words', words);
  if (arms.length === 0) return;
  predictedArms = arms;
  for (const box of candidateBoxes()) box.checked = arms.some(({ profileId }) => profileId === box.value);
  await planChoices();
}

const candidateBoxes = () => [...pageElement('trial-candidates', HTMLElement).querySelectorAll('input')];

/** The choices as they are on the page. */
function wish(): TrialWish {
  const candidates = candidateBoxes()
    .filter(({ checked }) => checked)
    .map(({ value }) => value);
  const kind = unit().value === 'minutes' ? 'minutes' : 'loads';
  const perSlot = slot().valueAsNumber;
  const hasLength = view?.setup?.hasLength === true && perSlot >= 1;
  const predicted = predictedArms.filter(({ profileId }) => candidates.includes(profileId));
  return { candidates, ...(hasLength && { slots: { kind, perSlot } }), ...(predicted.length > 0 && { predicted: [...predicted] }) };
}
