/** The dashboard: the loads recorded on this device, and what is predicted for them. It refreshes when something was stored, while it is visible. */
import { browser } from '../adapters/browser.ts';
import { sendRequest } from '../adapters/messaging.ts';
import type { PlainId } from '../core/text/messages.ts';
import type { DashboardState } from '../protocol/page-state.ts';
import { keptAnswer, type ShownFieldPrediction, type ShownLoadPrediction, shownAnswer } from '../protocol/prediction-answer.ts';
import { dashboardAnswer, renderAnswer } from '../views/answer-view.ts';
import { createFieldPredictor, type FieldPredictor } from '../views/field-prediction.ts';
import {
  attempt,
  create,
  handleUnhandledErrors,
  landOnNamed,
  pageElement,
  refresher,
  setOptionalText,
  setText,
  show,
} from '../views/page.ts';
import { createPredictionClient } from '../views/prediction-client.ts';
import { type PredictionState, predictionView, renderPrediction } from '../views/prediction-view.ts';
import { notRecordingLabel, recordLossText } from '../views/recording-view.ts';
import { text } from '../views/text.ts';
import { readUnits } from '../views/units.ts';
import { watchAudit } from './audit.ts';
import { wireData } from './data.ts';
import { onRedraw } from './drawn.ts';
import { showFirstBytes } from './first-bytes.ts';
import { knownNetworks, markChosen, showHistory, wireHistory } from './history.ts';
import { type ChosenLoadView, chosenLoadView } from './loads-view.ts';
import { showModels } from './models.ts';
import { showOwnProfiles, wireOwnProfiles } from './own-profile.ts';
import { type SettingsSection, wireSettings } from './settings.ts';
import { createSites } from './sites.ts';
import { drawChosen, wireTimeline } from './timeline.ts';
import { createTrialLog } from './trial-log.ts';

handleUnhandledErrors();

const units = readUnits();
const client = createPredictionClient();
let predictor: FieldPredictor | undefined;
let facts: DashboardState | undefined;
/** All loads are listed, or cannot be: until then the list does not share the processor with predictions. */
let isListed = false;
let chosen: string | undefined;
let chosenLoad: ShownLoadPrediction | undefined;
let prediction: PredictionState = { state: 'computing' };

const refresh = refresher(() =>
  attempt('failed.read', async () => {
    facts = await sendRequest({ kind: 'dashboard-state' });
    setOptionalText('recording', notRecordingLabel(facts.recording));
    setOptionalText('loss', recordLossText(facts, Date.now()));
    showOwnProfiles(facts.ownProfiles ?? []);
    follow();
  }),
);
const refreshHistory = refresher(() =>
  attempt('failed.list', async () => {
    try {
      await showHistory({ isNew: true });
    } catch (error) {
      listed();
      throw error;
    }
  }),
);

function listed(): void {
  if (isListed) return;
  isListed = true;
  follow();
}

function follow(): void {
  if (facts === undefined || predictor === undefined) return;
  predictor.follow(facts, { later: !isListed });
  showAnswer();
}

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
  if (facts === undefined || predictor === undefined) return;
  const standing = predictor.standing();
  renderAnswer(dashboardAnswer(facts, standing));
  const predicted = standing.state === 'predicted' ? standing : undefined;
  // Where no gain is sure the answer itself says what settings reach.
  const isSaid = shownAnswer(facts, standing).from === 'reach';
  setOptionalText('answer-reach', predicted === undefined || isSaid ? undefined : reachSentence(predicted));
}

const reachSentence = ({
  reach: { requests, byConnections },
  pages,
}: Extract<ShownFieldPrediction, { readonly state: 'predicted' }>): string =>
  text('dashboard.reach', { share: requests === 0 ? 0 : byConnections / requests, count: pages });

function renderPredicted(state: PredictionState): void {
  prediction = state;
  renderPrediction('prediction', predictionView(state), { beside: 'nothing' });
}

/** What takes a worker seconds, and its code, is not wanted by everybody. */
function makeWhenOpened(id: string, what: PlainId, make: () => Promise<void>): void {
  const section = pageElement(id, HTMLDetailsElement);
  section.addEventListener('toggle', () => (section.open ? attempt(what, make) : undefined));
}

/** Shows a load; the focus moves to its heading. */
async function choose(id: string): Promise<void> {
  chosen = id;
  chosenLoad = undefined;
  markChosen(id);
  show('chosen', true);
  show('chosen-known', false);
  setText('chosen-title', text('loads.chosen'));
  setOptionalText('chosen-status', text('prediction.computing'));
  pageElement('chosen-title', HTMLElement).focus();
  await attempt('failed.predict', async () => {
    const answer = await client.ask({ kind: 'predict-load', id, profiles: [...(facts?.candidates ?? [])] });
    // The user may have chosen another load since.
    if (chosen !== id) return;
    if (answer === undefined) {
      setOptionalText('chosen-status', text('loads.gone'));
      return;
    }
    chosenLoad = answer;
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
  answer: () => (facts === undefined || predictor === undefined ? undefined : keptAnswer(shownAnswer(facts, predictor.standing()))),
  chosen: () => chosen,
  refresh: async () => {
    await refreshAll();
  },
});
watchAudit();
makeWhenOpened('models', 'failed.models', showModels);
makeWhenOpened('first-bytes', 'failed.firstBytes', showFirstBytes);
wireTimeline(client);
onRedraw(() => {
  renderPredicted(prediction);
  showAnswer();
  if (chosenLoad !== undefined) renderChosen(chosenLoadView(chosenLoad, Date.now()));
});
const historyClient = wireHistory({
  onAnswer: ({ isPart }) => {
    show('content', true);
    if (!isPart) listed();
    return settings?.showNames();
  },
  onMore: refreshSites,
  onFailure: listed,
});
let settings: SettingsSection | undefined;
renderPredicted(prediction);
await units;
// Whichever answers first; the other fills its sections when it comes.
const first = Promise.race([refreshHistory(), refresh()]);
predictor = await createFieldPredictor({ onState: renderPredicted, onChange: showAnswer, isShown: () => true });
follow();
await first;
show('content', true);
settings = await wireSettings({
  onNamed: () => predictor?.renamed(),
  refresh: async () => {
    await refreshAll();
  },
  networks: knownNetworks,
});
landOnNamed();
