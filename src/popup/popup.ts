/** The popup: asks the background for the facts, shows them, and asks again when something was stored or the page is looked at again. */
import { browser } from '../adapters/browser.ts';
import { sendRequest } from '../adapters/messaging.ts';
import { salvageLoads } from '../adapters/record-salvage.ts';
import { gatewayToSwitchOn, settingsToApply } from '../core/answer/answer.ts';
import type { PopupState } from '../protocol/popup-state.ts';
import { keptAnswer, shownAnswer } from '../protocol/shown-answer.ts';
import { attempt, ownStrays, tellOnPage } from '../views/attempt.ts';
import { pageElement } from '../views/page-element.ts';
import { refresher } from '../views/refresher.ts';
import { wireApply } from './apply.ts';
import type { ComparisonChart } from './chart.ts';
import { render } from './comparison.ts';
import { type ComparisonBar, chosenGroup } from './comparison-view.ts';
import { createFieldComparer } from './field-comparison.ts';
import { proposeForGateway, wireGateway } from './gateway.ts';
import { showLinkName, wireLinkName } from './load.ts';
import { renderByHand, wireByHand } from './manual.ts';
import { viewModel } from './popup-view.ts';
import { wirePrediction } from './prediction.ts';
import { renderGuessAhead, wireGuessAhead } from './prefetch.ts';
import { wireProbe } from './probe-form.ts';
import { wireQuestion } from './question.ts';
import { requestHostPermission, watchHostPermission } from './recording.ts';
import { exportReport } from './records.ts';
import { saveText } from './save-text.ts';
import { showTrialPlan, wireTrial } from './trial.ts';
import { withField } from './with-field.ts';

ownStrays();
const outcome = pageElement('records-outcome', HTMLElement);
const isPanel = browser.extension.getViews({ type: 'popup' }).includes(window);
/** Loaded with the first bars: it is two thirds of the popup's script. */
let chart: Promise<ComparisonChart> | undefined;
let bars: readonly ComparisonBar[] = [];
let drawn = '';
/** Of the comparison's groups; `undefined`: the largest. */
let chosenProtocol: string | undefined;
let state: PopupState | undefined;
const apply = wireApply({ onAnswer: show, refresh: () => refresh() });
const prediction = await wirePrediction(show);
const field = await createFieldComparer(show);

const refresh = refresher(() =>
  attempt('Plumbfox could not read its records', async () => {
    state = await sendRequest({ kind: 'popup-state' });
    if (state.loads > 0) field.compare();
    else await Promise.all([field.forget(), prediction.forget()]);
    show();
  }),
);

/** What the background told last, with what the comparison has found so far. */
function show(): void {
  if (state === undefined) return;
  const whole = withField(state, field.state());
  const answer = shownAnswer(whole, prediction.standing());
  const toApply = settingsToApply(answer);
  const view = viewModel(whole, { answer, now: Date.now() });
  render(view, chosenProtocol);
  apply.follow(whole, toApply);
  proposeForGateway(gatewayToSwitchOn(answer));
  // Only where nothing better is; what was set by hand has its way back in any case.
  const byHand = apply.isReady() === false || whole.byHand?.said ? whole.byHand : undefined;
  renderByHand(byHand, whole.trial?.current?.due?.profileId ?? toApply);
  renderGuessAhead(byHand !== undefined).catch(tellOnPage('What Firefox guesses ahead could not be shown'));
  showTrialPlan(view.trial);
  prediction.follow(state);
  showLinkName(whole.lastLoad?.link);
  bars = view.comparison.state === 'known' ? chosenGroup(view.comparison.view, chosenProtocol).bars : [];
  // By itself: the words and the picture together would hold up the page for longer than one notices.
  setTimeout(drawBars);
}

const drawBars = () => drawChart({ evenIfSame: false }).catch(tellOnPage('The bars could not be drawn'));

async function drawChart({ evenIfSame }: { readonly evenIfSame: boolean }): Promise<void> {
  const wanted = JSON.stringify(bars);
  if (bars.length === 0 || (wanted === drawn && !evenIfSame)) return;
  drawn = wanted;
  chart ??= import('./chart.ts').then(({ createComparisonChart }) => createComparisonChart(pageElement('chart', HTMLCanvasElement)));
  // Other bars may be wanted by the time it is there.
  (await chart).show(bars);
}

pageElement('export', HTMLButtonElement).addEventListener('click', () =>
  attempt('The report could not be exported', async () => {
    // A trial's answer waits for no prediction.
    const awaitsPrediction = state?.trial !== undefined && state.trial.current?.answer === undefined;
    if (awaitsPrediction) outcome.textContent = 'Working out the prediction …';
    const standing = awaitsPrediction ? await prediction.settled() : prediction.standing();
    const answer = state && keptAnswer(shownAnswer(state, standing));
    outcome.textContent = `Saved as ${await exportReport(field, answer)}.`;
  }),
);

wireQuestion('delete', () =>
  attempt('The loads could not be deleted', async () => {
    const { deleted, leftToDo } = await sendRequest({ kind: 'delete-all' });
    const words = deleted === 1 ? 'Deleted 1 load.' : `Deleted ${deleted} loads.`;
    outcome.textContent = leftToDo === undefined ? words : `${words} ${leftToDo}.`;
    await refresh();
  }),
);

pageElement('comparison-protocol', HTMLSelectElement).addEventListener('change', ({ target }) => {
  chosenProtocol = target instanceof HTMLSelectElement ? target.value : undefined;
  show();
});

pageElement('grant', HTMLButtonElement).addEventListener('click', () => {
  const answer = requestHostPermission();
  const hint = pageElement('grant-hint', HTMLElement);
  hint.hidden = false;
  // On desktop the question can lie behind the panel: https://bugzilla.mozilla.org/show_bug.cgi?id=1432083
  hint.textContent = 'Firefox asks you now. If you do not see its question, click outside this panel: it may be behind it.';
  return attempt('Firefox refused the question', async () => {
    if (await answer) await refresh();
    else hint.textContent = 'Access was not given, so nothing is recorded.';
  });
});

pageElement('open-dashboard', HTMLAnchorElement).addEventListener('click', (event) => {
  event.preventDefault();
  return attempt('The dashboard could not be opened', async () => {
    await browser.tabs.create({ url: browser.runtime.getURL('dashboard/dashboard.html') });
    if (isPanel) window.close();
  });
});

pageElement('answer-trial', HTMLButtonElement).addEventListener('click', () => {
  pageElement('trial-setup', HTMLDetailsElement).open = true;
  pageElement('trial-summary', HTMLElement).focus();
});

wireTrial({ attempt, refresh, predict: prediction.predict });
wireByHand({ attempt, refresh });
wireGuessAhead({ attempt, refresh });
wireProbe({ attempt });
wireRecordRescue();
wireGateway();
wireLinkName((work) =>
  attempt('The name could not be kept', async () => {
    await work();
    field.compare();
  }),
);

watchHostPermission(refresh);
// The background raises `loadsStored` there after each stored load, and notes there when the store fails.
browser.storage.session.onChanged.addListener(() => refresh());
document.addEventListener('visibilitychange', refresh);
window.addEventListener('focus', refresh);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
  drawChart({ evenIfSame: true }).catch(tellOnPage('The bars could not be drawn')),
);
// A toolbar panel takes its width from its content; a tab gives its own.
document.documentElement.classList.toggle('panel', isPanel);

await refresh();

/** Where Firefox has lost or damaged the records: what can still be read goes into a file, and the records begin anew. */
function wireRecordRescue(): void {
  const rescued = pageElement('rescue-outcome', HTMLElement);
  pageElement('salvage', HTMLButtonElement).addEventListener('click', () =>
    attempt('The records could not be saved', async () => {
      rescued.textContent = 'Reading…';
      const { loads, unreadable } = await salvageLoads().catch((reason: unknown) => {
        rescued.textContent = '';
        throw reason;
      });
      const createdAt = new Date().toISOString();
      const name = `plumbfox-salvage-${createdAt.replaceAll(/[^0-9TZ-]+/g, '-')}.json`;
      saveText(name, `${JSON.stringify({ kind: 'plumbfox-salvage', format: 1, createdAt, unreadable, loads })}\n`);
      const words = loads.length === 1 ? '1 load' : `${loads.length} loads`;
      rescued.textContent = `Saved ${words} as ${name}. It holds addresses of pages: keep it to yourself.`;
    }),
  );
  wireQuestion('reset', () =>
    attempt('The records could not be reset', async () => {
      await sendRequest({ kind: 'reset-records' });
      rescued.textContent = 'The records begin anew.';
      await refresh();
    }),
  );
  pageElement('loss-dismiss', HTMLButtonElement).addEventListener('click', () =>
    attempt('It could not be noted that you have read this', async () => {
      await sendRequest({ kind: 'dismiss-loss' });
      await refresh();
    }),
  );
}
