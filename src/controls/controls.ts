/** The page "More": reads the background's state, shows it, and refreshes when something was stored or the page becomes visible again. */
import { browser } from '../adapters/browser.ts';
import { sendRequest } from '../adapters/messaging.ts';
import { type Answer, gatewayToSwitchOn, settingsToApply } from '../core/answer/answer.ts';
import type { PopupState } from '../protocol/page-state.ts';
import { keptAnswer, shownAnswer } from '../protocol/prediction-answer.ts';
import { renderAnswer } from '../views/answer-view.ts';
import { createFieldComparer } from '../views/field-comparison.ts';
import { attempt, handleUnhandledErrors, landOnNamed, pageElement, refresher, reportOnPage, show } from '../views/page.ts';
import { readUnits } from '../views/units.ts';
import { wireApply } from './apply.ts';
import { renderComparison, wireComparison } from './comparison.ts';
import { type ControlsView, controlsView, withEverydayComparison } from './controls-view.ts';
import { proposeForGateway, wireGateway } from './gateway.ts';
import { renderLoad, showLinkName, wireLinkName } from './load.ts';
import { renderManual, wireManual, wireProbe } from './manual.ts';
import { wirePrediction } from './prediction.ts';
import { renderPrefetch, wirePrefetch } from './prefetch.ts';
import { renderProfile } from './profile-view.ts';
import { renderLoss, renderRecording, wireRecording } from './recording.ts';
import { renderRecords, wireRecords } from './records.ts';
import { renderTrial, showTrialPlan, wireTrial } from './trial.ts';

handleUnhandledErrors();
const isPanel = browser.extension.getViews({ type: 'popup' }).includes(window);
let state: PopupState | undefined;
const units = readUnits();
const apply = wireApply({ onAnswer: showState, refresh: () => refresh() });
const [field, prediction] = await Promise.all([createFieldComparer({ onChange: showState, newestFirst: true }), wirePrediction(showState)]);
await units;

const refresh = refresher(() =>
  attempt('failed.read', async () => {
    state = await sendRequest({ kind: 'popup-state' });
    if (state.loads > 0) field.compare();
    else await Promise.all([field.forget(), prediction.forget()]);
    showState();
  }),
);

/** Shows the background's last state with the results of the comparison so far. */
function showState(): void {
  if (state === undefined) return;
  const whole = withEverydayComparison(state, field.state());
  const answer = shownAnswer(whole, prediction.standing());
  const toApply = settingsToApply(answer);
  const view = controlsView(whole, { answer, now: Date.now() });
  render(view);
  apply.follow(whole, toApply);
  proposeForGateway(gatewayToSwitchOn(answer));
  // Offered only where nothing better is; manual settings can be undone in any case.
  const byHand = apply.isReady() === false || whole.byHand?.said ? whole.byHand : undefined;
  renderManual(byHand, whole.trial?.current?.due?.profileId ?? toApply);
  renderPrefetch(byHand !== undefined).catch(reportOnPage('failed.prefetchShown'));
  showTrialPlan(view.trial);
  // The first comparison has the processors to itself.
  if (state.loads === 0 || field.state().answer !== undefined || field.state().comparing === undefined) prediction.follow(state);
  showLinkName(whole.lastLoad?.link);
}

/**
 * Elements that can have the focus are in the page already and only shown, hidden or renamed, so that a refresh never moves the focus or closes
 * what is open.
 */
function render(view: ControlsView): void {
  renderRecording(view.recording);
  renderLoss(view.loss);
  renderAnswer(view.answer);
  show('answer-trial', view.answer.offersTrial);
  renderProfile(view.profile);
  renderTrial(view.trial);
  renderLoad(view.load);
  renderComparison(view.comparison, view.comparisonStatus);
  renderRecords(view.records);
  show('content', true);
}

/** A file's answer waits for the prediction, unless it is a trial's. */
async function settledAnswer(onWait: () => void): Promise<Answer | undefined> {
  const awaitsPrediction = state?.trial !== undefined && state.trial.current?.answer === undefined;
  if (awaitsPrediction) onWait();
  const standing = awaitsPrediction ? await prediction.settled() : prediction.standing();
  return state && keptAnswer(shownAnswer(state, standing));
}

pageElement('open-dashboard', HTMLAnchorElement).addEventListener('click', (event) => {
  event.preventDefault();
  return attempt('failed.dashboard', async () => {
    await browser.tabs.create({ url: browser.runtime.getURL('dashboard/dashboard.html') });
    if (isPanel) window.close();
  });
});

pageElement('answer-trial', HTMLButtonElement).addEventListener('click', () => {
  pageElement('trial-setup', HTMLDetailsElement).open = true;
  pageElement('trial-summary', HTMLElement).focus();
});

wireRecording(refresh);
wireRecords({ field, settledAnswer, refresh });
wireComparison(showState);
wireTrial({ refresh, predict: prediction.predict });
wireManual(refresh);
wirePrefetch(refresh);
wireProbe();
wireGateway();
wireLinkName((work) =>
  attempt('failed.name', async () => {
    await work();
    prediction.renamed();
    field.compare();
  }),
);

// The background writes `loadsStored` there after each stored load, and a failure of the store.
browser.storage.session.onChanged.addListener(() => refresh());
document.addEventListener('visibilitychange', refresh);
window.addEventListener('focus', refresh);
// A toolbar panel takes its width from its content; a tab has its own.
document.documentElement.classList.toggle('panel', isPanel);

await refresh();

// The card's buttons lead to a section.
landOnNamed();
