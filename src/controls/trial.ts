/** The trial's controls: choosing, starting, pausing, continuing and stopping one. */
import { sendRequest } from '../adapters/messaging.ts';
import type { PlainId } from '../core/text/messages.ts';
import type { Request } from '../protocol/messages.ts';
import type { ShownFieldPrediction } from '../protocol/prediction-answer.ts';
import type { TrialWish } from '../protocol/trial-state.ts';
import { attempt, create, pageElement, reasonOf, reportOnPage, setOptionalText, setText, show, wireQuestion } from '../views/page.ts';
import { acceptedPrices } from '../views/price-question.ts';
import { saveText } from '../views/save-text.ts';
import { text } from '../views/text.ts';
import { type PredictedChoice, plannedText, predictedChoice, type TrialSetupView } from './trial-setup-view.ts';
import type { CurrentTrialView, TrialRow, TrialView } from './trial-view.ts';

interface TrialActions {
  readonly refresh: () => Promise<void>;
  /** Predicts the newest loads under every offered profile. */
  readonly predict: () => Promise<ShownFieldPrediction>;
}

let view: TrialView | undefined;

/** Call with each view that is shown: the planned length follows the choices on the page. */
export function showTrialPlan(shown: TrialView | undefined): void {
  const isNew = view?.setup === undefined;
  view = shown;
  if (shown?.setup === undefined) return;
  if (isNew) lengthOf(unit().value);
  planChoices().catch(reportOnPage('failed.trialPlan'));
}

let predictedArms: PredictedChoice['arms'] = [];
let planned = '';

/** Shows how long the chosen trial would be; each choice is planned once. */
async function planChoices(): Promise<void> {
  const chosen = wish();
  const asked = JSON.stringify(chosen);
  if (asked === planned) return;
  planned = asked;
  const plan = chosen.candidates.length === 0 ? text('trial.setup.nothing') : await planText(chosen);
  // Another choice may have been made since.
  if (asked === planned) setText('trial-planned', plan);
}

/** If it cannot be planned, the reason is shown instead. */
const planText = (chosen: TrialWish): Promise<string> =>
  Promise.all([sendRequest({ kind: 'plan-trial', trial: chosen }), sendRequest({ kind: 'card-facts' })]).then(
    ([lengths, { perDay }]) => plannedText(lengths, perDay),
    reasonOf,
  );

/** Call once, when the page has opened. */
export function wireTrial({ refresh, predict }: TrialActions): void {
  const form = pageElement('trial-form', HTMLFormElement);
  const ask = (what: PlainId, request: Extract<Request, { kind: `${'pause' | 'resume' | 'stop'}-trial` }>) =>
    attempt(what, async () => {
      await sendRequest(request);
      await refresh();
    });
  unit().addEventListener('input', () => lengthOf(unit().value));
  form.addEventListener('input', planChoices);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    return attempt('failed.trialStart', async () => {
      const trial = wish();
      const accepts = await acceptedPrices('trial-price', trial.candidates);
      if (accepts === undefined) return;
      await sendRequest({ kind: 'start-trial', trial: { ...trial, accepts } });
      // The next trial's candidates are chosen again.
      predictedArms = [];
      setText('trial-predicted-words', '');
      await refresh();
    });
  });
  const on = (id: string, act: () => void) => pageElement(id, HTMLButtonElement).addEventListener('click', act);
  on('trial-pause', () => ask('failed.trialPause', { kind: 'pause-trial' }));
  on('trial-resume', () => ask('failed.trialResume', { kind: 'resume-trial' }));
  wireQuestion('trial-stop', () => ask('failed.trialStop', { kind: 'stop-trial' }));
  on('trial-predicted', () => choosePredicted(predict));
  on('trial-policy', () => {
    const policies = view?.current?.policies;
    if (policies !== undefined) setText('trial-outcome', text('saved', { name: saveText('policies.json', policies) }));
  });
}

const unit = () => pageElement('trial-unit', HTMLSelectElement);
const slot = () => pageElement('trial-slot', HTMLInputElement);

function lengthOf(kind: string): void {
  const usual = view?.setup?.usual;
  if (usual) slot().value = String(kind === 'minutes' ? usual.minutesPerSlot : usual.loadsPerSlot);
}

/** Chooses the predicted best; the person can change the choice before the start. */
async function choosePredicted(predict: TrialActions['predict']): Promise<void> {
  setText('trial-predicted-words', text('predicting'));
  const { arms, why } = await predict().then(
    predictedChoice,
    (error: unknown): PredictedChoice => ({
      arms: [],
      why: text('prediction.failed', { why: reasonOf(error) }),
    }),
  );
  setText('trial-predicted-words', why);
  if (arms.length === 0) return;
  predictedArms = arms;
  for (const box of candidateBoxes()) box.checked = arms.some(({ profileId }) => profileId === box.value);
  await planChoices();
}

const candidateBoxes = () => [...pageElement('trial-candidates', HTMLElement).querySelectorAll('input')];

/** The choices on the page. */
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

/** Puts the trial into the page. Elements that can have the focus stay: check boxes are made once, all others are only shown or hidden. */
export function renderTrial(view: TrialView | undefined): void {
  show('trial', view !== undefined);
  if (view === undefined) return;
  const focused = document.activeElement;
  setOptionalText('trial-intro', view.intro);
  setOptionalText('trial-problem', view.problem);
  show('trial-current', view.current !== undefined);
  if (view.current) renderCurrent(view.current);
  show('trial-setup', view.setup !== undefined);
  if (view.setup) renderSetup(view.setup);
  if (focused?.closest('#trial') && !focused.checkVisibility()) passFocusOn();
}

/** The focused button is hidden after its work is done: the focus moves to the one that takes its place. */
function passFocusOn(): void {
  const next = ['trial-pause', 'trial-resume'].map((id) => pageElement(id, HTMLButtonElement)).find((button) => !button.hidden);
  (next ?? pageElement('trial-summary', HTMLElement)).focus();
}

function renderCurrent(view: CurrentTrialView): void {
  setText('trial-title', view.title);
  setText('trial-sentence', view.sentence);
  setText('trial-now', view.now);
  setOptionalText('trial-task', view.task);
  setOptionalText('trial-former', view.former?.text);
  pageElement('trial-former', HTMLElement).classList.toggle('problem', view.former?.isProblem === true);
  renderList('trial-warnings', view.warnings);
  renderList('trial-beside', view.otherProtocols);
  pageElement('trial-arms', HTMLElement).replaceChildren(...view.rows.map(armRow));
  show('trial-pause', view.canPause);
  show('trial-resume', view.canResume);
  show('trial-stop', view.canStop);
  if (!view.canStop) show('trial-stop-question', false);
  show('trial-policy', view.policies !== undefined);
}

function renderList(id: string, texts: readonly string[]): void {
  show(id, texts.length > 0);
  pageElement(id, HTMLElement).replaceChildren(...texts.map((item) => create('li', {}, item)));
}

function armRow({ name, note, recorded, lost, isOn }: TrialRow): HTMLElement {
  const small = [...(isOn ? [text('trial.turn')] : []), note].filter((one) => one !== '').join(' · ');
  return create(
    'tr',
    isOn ? { className: 'on' } : {},
    create('th', { scope: 'row' }, name, ...(small === '' ? [] : [create('small', {}, small)])),
    create('td', {}, recorded),
    create('td', {}, lost),
  );
}

function renderSetup({ explanation, legend, candidates, notOffered, hasLength, takesBack }: TrialSetupView): void {
  setOptionalText('trial-takes-back', takesBack);
  setText('trial-explanation', explanation);
  setText('trial-candidates-legend', legend);
  show('trial-length', hasLength);
  const boxes = pageElement('trial-candidates', HTMLElement);
  const ids = candidates.map(({ id }) => id).join(' ');
  if (boxes.dataset.ids === ids) return;
  boxes.dataset.ids = ids;
  boxes.replaceChildren(...candidates.map(choice));
  const reasons = notOffered.flatMap(({ name, why }) => [create('dt', {}, name), create('dd', {}, `${why}.`)]);
  pageElement('trial-not-offered', HTMLElement).replaceChildren(...reasons);
}

function choice({ id, title, isChosen }: TrialSetupView['candidates'][number]): HTMLElement {
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.name = 'candidate';
  box.value = id;
  box.defaultChecked = isChosen;
  return create('label', {}, box, create('span', {}, title));
}
