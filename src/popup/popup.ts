/** The popup: one card that says whether other settings are faster here, and what to do. Everything else is a page behind "More". */
import { browser } from '../adapters/browser.ts';
import { readLastFieldPrediction } from '../adapters/field-storage.ts';
import { sendRequest } from '../adapters/messaging.ts';
import type { PopupState } from '../protocol/page-state.ts';
import { heldStanding, shownAnswer } from '../protocol/prediction-answer.ts';
import { answerView } from '../views/answer-view.ts';
import { attempt, handleUnhandledErrors, pageElement, refresher, setOptionalText, setText, show } from '../views/page.ts';
import { recordingView } from '../views/recording-view.ts';
import { format, text } from '../views/text.ts';

handleUnhandledErrors();
const isPanel = browser.extension.getViews({ type: 'popup' }).includes(window);

const refresh = refresher(() =>
  attempt('failed.read', async () => {
    const [state, held] = await Promise.all([sendRequest({ kind: 'popup-state' }), readLastFieldPrediction().catch(() => undefined)]);
    const { loads, lastLoad } = state;
    render(state, answerView(shownAnswer(state, heldStanding(held, { loads, newestAt: lastLoad?.startedAt })), state));
  }),
);

function render({ recording, lastLoad }: PopupState, { label, sentence }: ReturnType<typeof answerView>): void {
  setText('recording', recordingView(recording).title);
  setText('headline', label);
  setText('sentence', sentence);
  setText('main', text('card.measure'));
  setOptionalText('this-page', lastLoad && text('card.thisPage', { time: format.duration(lastLoad.measures.loadTimeMs) }));
  show('card', true);
}

const openPage = (path: string) =>
  attempt('failed.dashboard', async () => {
    await browser.tabs.create({ url: browser.runtime.getURL(path) });
    if (isPanel) window.close();
  });

for (const [id, path] of [
  ['open-dashboard', 'dashboard/dashboard.html'],
  ['open-controls', 'controls/controls.html'],
] as const) {
  pageElement(id, HTMLAnchorElement).addEventListener('click', (event) => {
    event.preventDefault();
    return openPage(path);
  });
}
pageElement('main', HTMLButtonElement).addEventListener('click', () => openPage('controls/controls.html'));

browser.storage.session.onChanged.addListener(() => refresh());
document.addEventListener('visibilitychange', refresh);
window.addEventListener('focus', refresh);
document.documentElement.classList.toggle('panel', isPanel);

await refresh();
