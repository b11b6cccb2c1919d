/** The welcome page: what is recorded, access, three of the person's sites loaded twice, and the toolbar button. */
import { browser } from '../adapters/browser.ts';
import { sendRequest } from '../adapters/messaging.ts';
import { readSettings } from '../adapters/settings.ts';
import type { Tryout } from '../core/field/tryout.ts';
import type { DashboardState } from '../protocol/page-state.ts';
import { BADGES } from '../protocol/settings.ts';
import type { TryoutFacts } from '../protocol/tryout-state.ts';
import { dashboardAnswer, renderAnswer } from '../views/answer-view.ts';
import { createFieldPredictor, type FieldPredictor } from '../views/field-prediction.ts';
import { attempt, handleUnhandledErrors, pageElement, refresher, setOptionalText, setText, show } from '../views/page.ts';
import { notRecordingLabel } from '../views/recording-view.ts';
import { text, useUnits } from '../views/text.ts';
import { renderTryout, wireTryout } from './try.ts';

handleUnhandledErrors();

/** What the answer is made of. */
let state: DashboardState | undefined;
/** Made with the first answer. */
let predictor: Promise<FieldPredictor> | undefined;

async function showAnswer(): Promise<void> {
  if (state !== undefined && predictor !== undefined) renderAnswer(dashboardAnswer(state, (await predictor).standing()));
}

/** Shows the answer once a tryout has ended with something recorded: the stored one that popup and dashboard show too. */
function followAnswer(tryout: Tryout | undefined): void {
  const hasEnded = tryout !== undefined && tryout.step.state !== 'loading' && tryout.sites.some(({ loads }) => loads.length > 0);
  show('answer', hasEnded);
  if (!hasEnded) return;
  attempt('failed.read', async () => {
    state = await sendRequest({ kind: 'dashboard-state' });
    predictor ??= createFieldPredictor({ onChange: () => showAnswer() });
    const { follow, settled } = await predictor;
    follow(state);
    await showAnswer();
    // A failure is part of the answer. Out of sight too: whoever comes back finds it.
    await settled();
  }).catch(() => undefined);
}

/**
 * When the first state should be there. Firefox restarts an extension when the person allows private windows; a page that opened just before is
 * never answered, or only with errors (bug 1399655), and begins anew. Chosen, not measured.
 */
const CUT_OFF_MS = 4_000;
/** More often something else is wrong, and the page says so. */
const MAX_BEGINNINGS = 5;
const BEGINNINGS = 'beginnings';

/** `undefined`: the first state is shown. */
let cutOff: number | undefined = window.setTimeout(beginAnew, CUT_OFF_MS);

function beginAnew(): void {
  // Out of sight, the page has asked for nothing.
  if (document.hidden) {
    cutOff = window.setTimeout(beginAnew, CUT_OFF_MS);
    return;
  }
  const times = Number(sessionStorage.getItem(BEGINNINGS) ?? 0);
  if (times >= MAX_BEGINNINGS) return;
  sessionStorage.setItem(BEGINNINGS, String(times + 1));
  location.reload();
}

function noteBeginning(): void {
  if (cutOff === undefined) return;
  clearTimeout(cutOff);
  cutOff = undefined;
  sessionStorage.removeItem(BEGINNINGS);
}

const refresh = refresher(() =>
  attempt('failed.read', async () => {
    render(await sendRequest({ kind: 'tryout-state' }));
    noteBeginning();
  }),
);

function render(facts: TryoutFacts): void {
  const isMissing = facts.recording.state === 'no-permission';
  setText('access-state', text(isMissing ? 'welcome.access.missing' : 'welcome.access.given'));
  setOptionalText('access-detail', isMissing ? undefined : notRecordingLabel(facts.recording));
  show('access-state', isMissing || facts.recording.state === 'recording');
  show('grant', isMissing);
  if (!isMissing) show('grant-hint', false);
  renderTryout(facts);
  followAnswer(facts.tryout);
  show('content', true);
}

pageElement('grant', HTMLButtonElement).addEventListener('click', () => {
  // Called straight from the click: Firefox does not ask otherwise.
  const answer = browser.permissions.request({ origins: ['<all_urls>'] });
  return attempt('failed.ask', async () => {
    const isGiven = await answer;
    setOptionalText('grant-hint', isGiven ? undefined : text('permission.refused'));
    await refresh();
  });
});

const badge = pageElement('badge', HTMLSelectElement);
badge.addEventListener('change', () =>
  attempt('failed.setting', async () => {
    const chosen = BADGES.find((one) => one === badge.value);
    if (chosen !== undefined) await sendRequest({ kind: 'change-settings', change: { badge: chosen } });
  }),
);

/** Firefox for Android has no shortcuts; a person may have removed this one. */
async function showShortcut(): Promise<void> {
  const commands = (await browser.commands?.getAll()) ?? [];
  const shortcut = commands.find(({ name }) => name === '_execute_action')?.shortcut;
  setOptionalText('shortcut', shortcut || undefined);
  show('shortcut-text', Boolean(shortcut));
}

wireTryout(render);
browser.permissions.onAdded.addListener(() => refresh());
browser.permissions.onRemoved.addListener(() => refresh());
// The background keeps the tryout there; and the tabs are the person's, who may open more while this page is in sight.
browser.storage.session.onChanged.addListener(() => refresh());
for (const event of [browser.tabs.onUpdated, browser.tabs.onRemoved]) event.addListener(() => refresh());
document.addEventListener('visibilitychange', refresh);

await attempt('failed.read', async () => {
  const settings = await readSettings();
  badge.value = settings.badge;
  useUnits(settings);
  await showShortcut();
});

await refresh();
// The popup's offer leads here; the section was hidden until now.
if (location.hash === '#try') pageElement('try-heading', HTMLElement).focus();
