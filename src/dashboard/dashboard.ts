/** The dashboard: the loads recorded on this device, and what is predicted for them. Asks again when something was stored and it is looked at. */
import { browser } from '../adapters/browser.ts';
import { sendRequest } from '../adapters/messaging.ts';
import type { DashboardState } from '../protocol/page-state.ts';
import { renderAnswer } from '../views/answer-view.ts';
import { attempt, handleUnhandledErrors } from '../views/attempt.ts';
import { pageElement, setOptionalText, setText, show } from '../views/page.ts';
import { createPredictionAsker, createPredictionClient } from '../views/prediction-client.ts';
import { predictionView, renderPrediction } from '../views/prediction-view.ts';
import { notRecordingLabel, recordLossText } from '../views/recording-view.ts';
import { refresher } from '../views/refresher.ts';
import { text } from '../views/text.ts';
import { dashboardAnswer } from './dashboard-answer.ts';
import { renderChosen, renderLoads } from './dashboard-render.ts';
import { chosenLoadView, loadRow } from './loads-view.ts';

handleUnhandledErrors();

/** Loads that are shown at first, and that each press of the button adds. Our own choice. */
const LOADS_AT_ONCE = 50;

const client = createPredictionClient();
const asker = createPredictionAsker(client, () => {
  const state = asker.state();
  if (state !== undefined) renderPrediction('prediction', predictionView(state), { beside: 'nothing' });
  if (state?.state === 'answered' && !state.again) predictedLoads = askedLoads;
  showAnswer();
});
let facts: DashboardState | undefined;
let most = LOADS_AT_ONCE;
let chosen: string | undefined;
let candidates: readonly string[] = [];
let predictedFor = '';
/** How many loads there were when a prediction was asked for, and when the one that is shown was. */
let askedLoads = 0;
let predictedLoads: number | undefined;

const refresh = refresher(() =>
  attempt('failed.read', async () => {
    facts = await sendRequest({ kind: 'dashboard-state' });
    candidates = facts.candidates;
    setOptionalText('recording', notRecordingLabel(facts.recording));
    setOptionalText('loss', recordLossText(facts, Date.now()));
    showAnswer();
    await showLoads();
  }),
);

function showAnswer(): void {
  if (facts !== undefined) renderAnswer(dashboardAnswer(facts, asker.state(), predictedLoads));
}

async function showLoads(): Promise<void> {
  const { loads, total } = await client.ask({ kind: 'list-loads', most });
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
    hasMore: loads.length < total && loads.length >= most,
    chosen,
  });
  const wanted = `${total} ${loads[0]?.id} ${candidates.join(' ')}`;
  if (wanted === predictedFor) return;
  predictedFor = wanted;
  askedLoads = total;
  // A failure is said in its section.
  asker.predict(candidates).catch(() => undefined);
}

/** The heading takes the focus: what follows it is what was asked for. */
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
    // Another may have been chosen meanwhile.
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

pageElement('loads-rows', HTMLElement).addEventListener('click', ({ target }) =>
  target instanceof HTMLButtonElement ? choose(target.value) : undefined,
);
pageElement('loads-more', HTMLButtonElement).addEventListener('click', () => {
  most += LOADS_AT_ONCE;
  return refresh();
});
pageElement('chosen-back', HTMLButtonElement).addEventListener('click', () => {
  document.querySelector<HTMLButtonElement>('#loads-rows button[aria-current]')?.focus();
});
// The background raises `loadsStored` there after each stored load.
browser.storage.session.onChanged.addListener(() => refresh());
document.addEventListener('visibilitychange', refresh);
window.addEventListener('focus', refresh);

await refresh();
show('content', true);
