/** The dashboard: the loads recorded on this device, and what is predicted for them. It refreshes when something was stored, while it is visible. */
import { browser } from '../adapters/browser.ts';
import { sendRequest } from '../adapters/messaging.ts';
import type { DashboardState } from '../protocol/page-state.ts';
import { dashboardAnswer, renderAnswer } from '../views/answer-view.ts';
import { attempt, create, handleUnhandledErrors, pageElement, refresher, setOptionalText, setText, show } from '../views/page.ts';
import { createPredictionAsker, createPredictionClient } from '../views/prediction-client.ts';
import { predictionView, renderPrediction } from '../views/prediction-view.ts';
import { notRecordingLabel, recordLossText } from '../views/recording-view.ts';
import { text } from '../views/text.ts';
import { watchAudit } from './audit.ts';
import { type ChosenLoadView, chosenLoadView, type LoadRow, loadRow } from './loads-view.ts';
import { showOwnProfiles, wireOwnProfiles } from './own-profile.ts';

handleUnhandledErrors();

/** Loads that are shown at first, and added by each press of the button. Chosen, not measured. */
const LOADS_AT_ONCE = 50;

const client = createPredictionClient();
const asker = createPredictionAsker(client, () => {
  const state = asker.state();
  if (state !== undefined) renderPrediction('prediction', predictionView(state), { beside: 'nothing' });
  if (state?.state === 'answered' && !state.again) predictedLoads = askedLoads;
  showAnswer();
});
let facts: DashboardState | undefined;
let maxLoads = LOADS_AT_ONCE;
let chosen: string | undefined;
let candidates: readonly string[] = [];
let predictedFor = '';
/** The number of loads when a prediction was last requested, and when the shown one was. */
let askedLoads = 0;
let predictedLoads: number | undefined;

const refresh = refresher(() =>
  attempt('failed.read', async () => {
    facts = await sendRequest({ kind: 'dashboard-state' });
    candidates = facts.candidates;
    setOptionalText('recording', notRecordingLabel(facts.recording));
    setOptionalText('loss', recordLossText(facts, Date.now()));
    showOwnProfiles(facts.ownProfiles ?? []);
    showAnswer();
    await showLoads();
  }),
);

function showAnswer(): void {
  if (facts !== undefined) renderAnswer(dashboardAnswer(facts, asker.state(), predictedLoads));
}

async function showLoads(): Promise<void> {
  const { loads, total } = await client.ask({ kind: 'list-loads', most: maxLoads });
  const now = Date.now();
  const all = text('count.loads', { count: total });
  renderLoads({
    rows: loads.map((load) => loadRow(load, now)),
    status:
      total === 0
        ? text('loads.none')
        : loads.length === total
          ? text('loads.all', { loads: all })
          : text('loads.newest', { shown: loads.length, loads: all }),
    hasMore: loads.length < total && loads.length >= maxLoads,
    chosen,
  });
  const wanted = `${total} ${loads[0]?.id} ${candidates.join(' ')}`;
  if (wanted === predictedFor) return;
  predictedFor = wanted;
  askedLoads = total;
  // The section itself shows a failure.
  asker.predict(candidates).catch(() => undefined);
}

/** Shows a load; the focus moves to its heading. */
async function choose(id: string): Promise<void> {
  chosen = id;
  for (const button of document.querySelectorAll<HTMLButtonElement>('#loads-rows button')) markChosen(button, button.value === id);
  show('chosen', true);
  show('chosen-known', false);
  setText('chosen-title', text('loads.chosen'));
  setOptionalText('chosen-status', text('prediction.computing'));
  pageElement('chosen-title', HTMLElement).focus();
  await attempt('failed.predict', async () => {
    const answer = await client.ask({ kind: 'predict-load', id, profiles: [...candidates] });
    // The user may have chosen another load since.
    if (chosen !== id) return;
    if (answer === undefined) setOptionalText('chosen-status', text('loads.gone'));
    else renderChosen(chosenLoadView(answer, Date.now()));
  });
}

function markChosen(button: HTMLButtonElement, isChosen: boolean): void {
  button.closest('tr')?.classList.toggle('on', isChosen);
  if (isChosen) button.setAttribute('aria-current', 'true');
  else button.removeAttribute('aria-current');
}

interface ShownLoads {
  readonly rows: readonly LoadRow[];
  readonly status: string;
  readonly hasMore: boolean;
  /** The chosen load's id. */
  readonly chosen: string | undefined;
}

/** Replaces the rows but keeps their buttons, so that the focus stays where it is. */
function renderLoads({ rows, status, hasMore, chosen }: ShownLoads): void {
  const body = pageElement('loads-rows', HTMLElement);
  const held = new Map([...body.querySelectorAll('button')].map((button) => [button.value, button]));
  const focused = document.activeElement;
  body.replaceChildren(...rows.map((row) => tableRow(row, held.get(row.id) ?? choiceOf(row), row.id === chosen)));
  // An element that is moved loses the focus.
  if (focused instanceof HTMLButtonElement && held.get(focused.value) === focused && focused.isConnected) focused.focus();
  setText('loads-status', status);
  show('loads-table', rows.length > 0);
  show('loads-more', hasMore);
}

function choiceOf({ id, page }: LoadRow): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.value = id;
  button.className = 'choice';
  button.textContent = page;
  return button;
}

function tableRow({ time, link, profile, loadTime, efficiency }: LoadRow, button: HTMLButtonElement, isChosen: boolean): HTMLElement {
  const row = create(
    'tr',
    {},
    create('th', { scope: 'row' }, button, create('small', { className: 'narrow' }, `${time} · ${profile} · ${link}`)),
    create('td', { className: 'wide' }, time),
    create('td', { className: 'wide' }, link),
    create('td', { className: 'wide' }, profile),
    create('td', {}, loadTime),
    create('td', {}, efficiency),
  );
  markChosen(button, isChosen);
  return row;
}

/** Shows the section, which is hidden until a load is chosen. */
function renderChosen({ title, facts, prediction }: ChosenLoadView): void {
  setText('chosen-title', title);
  const terms = facts.map(({ term, value }) => create('div', {}, create('dt', {}, term), create('dd', {}, value)));
  pageElement('chosen-facts', HTMLElement).replaceChildren(...terms);
  renderPrediction('chosen', prediction, { beside: 'measured' });
  show('chosen-known', true);
}

pageElement('loads-rows', HTMLElement).addEventListener('click', ({ target }) =>
  target instanceof HTMLButtonElement ? choose(target.value) : undefined,
);
pageElement('loads-more', HTMLButtonElement).addEventListener('click', () => {
  maxLoads += LOADS_AT_ONCE;
  return refresh();
});
pageElement('chosen-back', HTMLButtonElement).addEventListener('click', () => {
  document.querySelector<HTMLButtonElement>('#loads-rows button[aria-current]')?.focus();
});
wireOwnProfiles((profiles) => {
  showOwnProfiles(profiles);
  return refresh();
});
// The background updates `loadsStored` in session storage after each stored load.
browser.storage.session.onChanged.addListener(() => refresh());
document.addEventListener('visibilitychange', refresh);
window.addEventListener('focus', refresh);

watchAudit();
await refresh();
show('content', true);
