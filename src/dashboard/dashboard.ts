/** The dashboard: the loads recorded on this device, and what is predicted for them. It refreshes when something was stored, while it is visible. */
import { browser } from '../adapters/browser.ts';
import { sendRequest } from '../adapters/messaging.ts';
import type { PlainId } from '../core/text/messages.ts';
import type { HistoryAnswer } from '../protocol/history-messages.ts';
import type { DashboardState } from '../protocol/page-state.ts';
import { keptAnswer, type ShownFieldPrediction } from '../protocol/prediction-answer.ts';
import { currentAnswer, dashboardAnswer, renderAnswer } from '../views/answer-view.ts';
import { attempt, create, handleUnhandledErrors, pageElement, refresher, setOptionalText, setText, show } from '../views/page.ts';
import { createPredictionAsker, createPredictionClient } from '../views/prediction-client.ts';
import { predictionView, renderPrediction } from '../views/prediction-view.ts';
import { notRecordingLabel, recordLossText } from '../views/recording-view.ts';
import { text } from '../views/text.ts';
import { readUnits } from '../views/units.ts';
import { watchAudit } from './audit.ts';
import { wireData } from './data.ts';
import { markChosen, showHistory, wireHistory } from './history.ts';
import { type ChosenLoadView, chosenLoadView } from './loads-view.ts';
import { showOwnProfiles, wireOwnProfiles } from './own-profile.ts';
import { wireSettings } from './settings.ts';
import { createSites } from './sites.ts';
import { drawChosen, wireTimeline } from './timeline.ts';
import { createTrialLog } from './trial-log.ts';

handleUnhandledErrors();

const units = readUnits();
const client = createPredictionClient();
const asker = createPredictionAsker(client, () => {
  const state = asker.state();
  if (state !== undefined) renderPrediction('prediction', predictionView(state), { beside: 'nothing' });
  if (state?.state === 'answered' && !state.again) predictedLoads = askedLoads;
  showAnswer();
});
let facts: DashboardState | undefined;
let found: HistoryAnswer | undefined;
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
    predictAgain();
  }),
);
const refreshHistory = refresher(() => attempt('failed.list', () => showHistory({ isNew: true })));
/** Makes a section when it is opened, and refreshes it as long as it is open. @param make - Returns what refreshes it. */
function openedSection(id: string, make: () => Promise<() => Promise<void>>): () => Promise<void> {
  const section = pageElement(id, HTMLDetailsElement);
  let made: Promise<() => Promise<void>> | undefined;
  const refreshSection = refresher(() =>
    attempt('failed.list', async () => {
      if (!section.open) return;
      const isFirst = made === undefined;
      made ??= make();
      await (await made)();
      if (isFirst && isLinked) section.scrollIntoView();
    }),
  );
  section.addEventListener('toggle', refreshSection);
  // The popup's "Why?" leads here.
  const isLinked = location.hash === `#${id}`;
  if (isLinked) section.open = true;
  return refreshSection;
}
const refreshSites = openedSection('sites', async () => createSites(historyClient));
const refreshTrialLog = openedSection('trial-log', async () => createTrialLog());
const refreshAll = () => Promise.all([refreshHistory(), refresh(), refreshSites(), refreshTrialLog()]);

function showAnswer(): void {
  if (facts === undefined) return;
  const state = asker.state();
  renderAnswer(dashboardAnswer(facts, state, predictedLoads));
  const predicted = state?.state === 'answered' && state.answer.state === 'predicted' ? state.answer : undefined;
  // Where no gain is sure the answer itself says what settings reach.
  const isSaid = currentAnswer(facts, state, predictedLoads).from === 'reach';
  setOptionalText('answer-reach', predicted === undefined || isSaid ? undefined : reachSentence(predicted));
}

const reachSentence = ({
  reach: { requests, byConnections },
  pages,
}: Extract<ShownFieldPrediction, { readonly state: 'predicted' }>): string =>
  text('dashboard.reach', { share: requests === 0 ? 0 : byConnections / requests, count: pages });

/** Predicts again where the loads, or what is on offer, have changed since. */
function predictAgain(): void {
  if (found === undefined || facts === undefined) return;
  const { total, newestAt } = found;
  const wanted = `${total} ${newestAt} ${candidates.join(' ')}`;
  if (wanted === predictedFor) return;
  predictedFor = wanted;
  askedLoads = total;
  // The section itself shows a failure.
  asker.predict(candidates).catch(() => undefined);
}

/** What takes a worker seconds, and its code, is not wanted by everybody. */
function makeWhenOpened(id: string, what: PlainId, make: () => Promise<void>): void {
  const section = pageElement(id, HTMLDetailsElement);
  section.addEventListener('toggle', () => (section.open ? attempt(what, make) : undefined));
}

/** Shows a load; the focus moves to its heading. */
async function choose(id: string): Promise<void> {
  chosen = id;
  markChosen(id);
  show('chosen', true);
  show('chosen-known', false);
  setText('chosen-title', text('loads.chosen'));
  setOptionalText('chosen-status', text('prediction.computing'));
  pageElement('chosen-title', HTMLElement).focus();
  await attempt('failed.predict', async () => {
    const answer = await client.ask({ kind: 'predict-load', id, profiles: [...candidates] });
    // The user may have chosen another load since.
    if (chosen !== id) return;
    if (answer === undefined) {
      setOptionalText('chosen-status', text('loads.gone'));
      return;
    }
    const view = chosenLoadView(answer, Date.now());
    renderChosen(view);
    await drawChosen({ id, label: view.label });
  });
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
pageElement('chosen-back', HTMLButtonElement).addEventListener('click', () => {
  document.querySelector<HTMLButtonElement>('#loads-rows button[aria-current]')?.focus();
});
wireOwnProfiles((profiles) => {
  showOwnProfiles(profiles);
  return refresh();
});
// The background updates `loadsStored` in session storage after each stored load.
browser.storage.session.onChanged.addListener(refreshAll);
document.addEventListener('visibilitychange', refreshAll);
window.addEventListener('focus', refreshAll);

wireData({
  answer: () => (facts === undefined ? undefined : keptAnswer(currentAnswer(facts, asker.state(), predictedLoads))),
  chosen: () => chosen,
  refresh: async () => {
    await refreshAll();
  },
});
watchAudit();
makeWhenOpened('models', 'failed.models', async () => (await import('./models.ts')).showModels());
makeWhenOpened('first-bytes', 'failed.firstBytes', async () => (await import('./models.ts')).showFirstBytes());
wireTimeline(client);
const historyClient = wireHistory({
  onAnswer: (answer) => {
    found = answer;
    show('content', true);
    predictAgain();
  },
  onMore: refreshSites,
});
await units;
// Whichever answers first; the other fills its sections when it comes.
await Promise.race([refreshHistory(), refresh()]);
show('content', true);
await wireSettings(async () => {
  await refreshAll();
});
