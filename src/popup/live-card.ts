/** Keeps the card up to date, and does what its button says. Predictions and comparisons are made in workers, after the first paint. */
import { browser } from '../adapters/browser.ts';
import { sendRequest } from '../adapters/messaging.ts';
import { type CardState, cardState } from '../core/answer/card.ts';
import type { CardAction } from '../core/answer/card-actions.ts';
import { PreferenceRefused } from '../core/errors.ts';
import type { PlainId } from '../core/text/messages.ts';
import type { FieldAnswer } from '../protocol/field-answer.ts';
import type { HelperFacts } from '../protocol/helper-state.ts';
import type { CardFacts, PopupState } from '../protocol/page-state.ts';
import { type PredictionStanding, shownAnswer } from '../protocol/prediction-answer.ts';
import type { TrialWish } from '../protocol/trial-state.ts';
import { createFieldComparer } from '../views/field-comparison.ts';
import { createFieldPredictor } from '../views/field-prediction.ts';
import { attempt, pageElement, refresher, reportOnPage } from '../views/page.ts';
import { acceptedPrices } from '../views/price-question.ts';
import { readUnits } from '../views/units.ts';
import { cardInput, type Known, provable } from './card-input.ts';
import { cardView } from './card-view.ts';
import type { CardView } from './paint.ts';
import type { ThisPage } from './this-page.ts';

interface CardPage {
  readonly isPanel: boolean;
  readonly onView: (view: CardView) => Promise<void>;
  /** The member of the session's storage that this page writes itself. */
  readonly ignores: string;
}

/** What can be pressed once state and page loads are read; Firefox asks for access without them. */
type ReadAction = Exclude<CardAction, 'allow'>;

interface StartedCard {
  readonly act: (action: string) => unknown;
  /** Settles when all is known that the first card waits for: what the helper app answers, and how long a proof takes. */
  readonly settled: Promise<unknown>;
}

/** Resolves once the card can be pressed. */
export async function startCard({ isPanel, onView, ignores }: CardPage): Promise<StartedCard> {
  let state: PopupState | undefined;
  let facts: CardFacts = {};
  let helper: HelperFacts | undefined;
  let card: CardState | undefined;
  let front: FrontTab | undefined;
  let lengths: Known['lengths'];
  let planned = '';
  let planning: Promise<void> | undefined;
  let asking: Promise<void> | undefined;
  let refusedLocked: string | undefined;
  let named = '';

  const units = readUnits();
  const predictor = await createFieldPredictor({ onChange: () => update() });
  const field = await createFieldComparer({ onChange: () => update() });
  await units;

  function update(): void {
    if (state === undefined) return;
    const prediction = predictor.standing();
    const answer = shownAnswer(state, prediction);
    const { answer: compared } = field.state();
    planProof(provable(answer, state));
    nameSites(prediction);
    card = cardState(cardInput({ state, facts, answer, prediction, helper, compared, lengths, refusedLocked }));
    const view = cardView(card, { now: Date.now(), page: thisPage(facts, compared?.shown, front) });
    attempt('failed.read', () => onView(view)).catch(reportOnPage('failed.read'));
  }

  /** Asks once for the same loads: the prediction holds no address. */
  function nameSites(prediction: PredictionStanding): void {
    const loads = prediction.state === 'predicted' ? prediction.sites.map(({ load }) => load) : [];
    if (loads.length === 0 || loads.join() === named) return;
    named = loads.join();
    sendRequest({ kind: 'card-facts', loads })
      .then(({ hosts }) => {
        facts = { ...facts, ...(hosts && { hosts }) };
        update();
      })
      .catch(() => undefined);
  }

  /** Asks once for the same settings and loads how long a trial would take. */
  function planProof(profileId: string | undefined): void {
    const asked = profileId === undefined ? '' : `${profileId} ${state?.loads}`;
    if (asked === planned || profileId === undefined) return;
    // What is known of other settings says nothing of these.
    if (!planned.startsWith(`${profileId} `)) lengths = undefined;
    planned = asked;
    planning = sendRequest({ kind: 'plan-trial', trial: { candidates: [profileId] } })
      .catch((error: unknown) => ({ why: error instanceof Error ? error.message : String(error) }))
      .then((known) => {
        // More loads were recorded meanwhile: a newer request is under way.
        if (asked !== planned) return;
        lengths = known;
        update();
      })
      .catch(() => undefined);
  }

  const refresh = refresher(() =>
    attempt('failed.read', async () => {
      front = await tabInFront();
      const tab = front && { id: front.id, url: front.url };
      const [now, more] = await Promise.all([
        sendRequest({ kind: 'popup-state' }),
        sendRequest({ kind: 'card-facts', ...(tab && { tab }) }),
      ]);
      state = now;
      facts = { ...more, ...(facts.hosts && { hosts: facts.hosts }) };
      update();
      // Painted first: the rest takes longer.
      predictor.follow(now);
      if (now.loads > 0) field.compare(more.thisPage?.startedAt);
      else await Promise.all([field.forget(), predictor.forget()]);
      // A helper app that does not answer takes seconds: neither the button nor the next refresh waits for it.
      if (now.live === undefined && helper === undefined) {
        asking ??= attempt('failed.read', askHelper).finally(() => {
          asking = undefined;
        });
      }
    }),
  );

  async function askHelper(): Promise<void> {
    helper = await sendRequest({ kind: 'helper-state' });
    // Asking it notes what it has put in effect, and since when.
    const applied = helper.state === 'ready' && !helper.status.restartNeeded ? helper.status.profileId : undefined;
    if (applied !== undefined && state?.active.profileId !== applied) state = await sendRequest({ kind: 'popup-state' });
    update();
  }

  const open = (path: string) =>
    attempt('failed.dashboard', async () => {
      await browser.tabs.create({ url: browser.runtime.getURL(path) });
      if (isPanel) window.close();
    });
  const perform = (what: PlainId, act: () => Promise<unknown>) =>
    attempt(what, async () => {
      const button = pageElement('main', HTMLButtonElement);
      button.setAttribute('aria-busy', 'true');
      try {
        await act();
      } finally {
        button.removeAttribute('aria-busy');
      }
      await refresh();
    });

  /** Settings and their accepted prices; `undefined`: the person does not want to pay them. */
  async function accepted(profileId: string | undefined): Promise<{ profileId: string; accepts: string[] } | undefined> {
    if (profileId === undefined) return undefined;
    const accepts = await acceptedPrices('card-price', [profileId]);
    return accepts && { profileId, accepts };
  }

  async function apply(): Promise<void> {
    // Whether the helper app is there is known only when it has answered.
    await asking;
    const wish = await accepted(profileToApply(card));
    if (wish === undefined) return;
    try {
      // What someone else has changed is theirs: it is left alone, and set anew from there.
      if (card?.kind === 'applied-not-in-effect') await sendRequest({ kind: 'live-revert' });
      if (state?.live !== undefined) await sendRequest({ kind: 'live-apply', ...wish });
      else helper = await sendRequest({ kind: 'helper-apply', ...wish });
    } catch (error) {
      if (!(error instanceof PreferenceRefused && error.reason === 'locked')) throw error;
      refusedLocked = error.preference;
    }
  }

  async function undo(): Promise<void> {
    if (state?.live?.canRevert) await sendRequest({ kind: 'live-revert' });
    else helper = await sendRequest({ kind: 'helper-revert' });
  }

  async function prove(): Promise<void> {
    if (card?.kind !== 'predicted') return;
    const wish = await accepted(card.profileId);
    if (wish === undefined) return;
    const { profileId, accepts } = wish;
    const trial: TrialWish = { candidates: [profileId], accepts, predicted: [{ profileId, ratio: 1 + card.change.gain }] };
    await sendRequest({ kind: 'start-trial', trial });
  }

  const actions: Readonly<Record<ReadAction, () => Promise<void>>> = {
    check: refresh,
    dismiss: () => perform('failed.dismiss', () => sendRequest({ kind: 'dismiss-loss' })),
    try: () => open('welcome/welcome.html#try'),
    measure: () => open('controls/controls.html#trial-setup'),
    prove: () => perform('failed.trialStart', prove),
    pause: () => perform('failed.trialPause', () => sendRequest({ kind: 'pause-trial' })),
    resume: () => perform('failed.trialResume', () => sendRequest({ kind: 'resume-trial' })),
    apply: () => perform('failed.apply', apply),
    'set-again': () => perform('failed.apply', apply),
    undo: () => perform('failed.revert', undo),
    'see-trial': () => open('controls/controls.html#trial'),
    'see-apply': () => open('controls/controls.html#apply'),
    'see-manual': () => open('controls/controls.html#by-hand-guide'),
    'see-never': () => open('dashboard/dashboard.html#never-heading'),
    'see-gateway': () => open('controls/controls.html#gateway'),
  };
  for (const [id, path] of [
    ['open-dashboard', 'dashboard/dashboard.html'],
    ['open-controls', 'controls/controls.html'],
    ['why-link', 'dashboard/dashboard.html#trial-log'],
  ] as const) {
    pageElement(id, HTMLAnchorElement).addEventListener('click', (event) => {
      event.preventDefault();
      return open(path);
    });
  }

  browser.permissions.onAdded.addListener(() => refresh());
  browser.permissions.onRemoved.addListener(() => refresh());
  // The background writes there after each stored load, each step of a trial, and a failure of the store.
  browser.storage.session.onChanged.addListener((changes) => {
    if ('helperChanged' in changes) helper = undefined;
    return Object.keys(changes).every((key) => key === ignores) ? undefined : refresh();
  });
  document.addEventListener('visibilitychange', refresh);
  window.addEventListener('focus', refresh);
  await refresh();
  return {
    act: (action) => (action in actions ? actions[action as ReadAction]() : undefined),
    settled: Promise.resolve(asking).then(() => planning),
  };
}

function profileToApply(card: CardState | undefined): string | undefined {
  if (card?.kind === 'confirmed') return card.found.profileId;
  return card?.kind === 'applied-not-in-effect' ? card.applied.profileId : undefined;
}

interface FrontTab {
  readonly id: number;
  readonly url: string;
  /** One of Plumbfox's own tabs is in front, and the person came to it from this one. */
  readonly isBehind: boolean;
}

/** The tab that the person looks at, or came from where that is one of Plumbfox's own; `undefined`: it has no address that may be known. */
async function tabInFront(): Promise<FrontTab | undefined> {
  const own = browser.runtime.getURL('');
  const tabs = (await browser.tabs.query({ currentWindow: true })).toSorted((a, b) => (b.lastAccessed ?? 0) - (a.lastAccessed ?? 0));
  const { id, url, active } = tabs.find((tab) => !tab.url?.startsWith(own)) ?? {};
  return id === undefined || url === undefined ? undefined : { id, url, isBehind: active !== true };
}

function thisPage({ thisPage: load }: CardFacts, shown: FieldAnswer['shown'], front: FrontTab | undefined): ThisPage | undefined {
  if (load === undefined) return undefined;
  const host = front?.isBehind ? URL.parse(load.url)?.host : undefined;
  return { ...load, ...(host !== undefined && { host }), ...(shown?.startedAt === load.startedAt && { efficiency: shown.efficiency }) };
}
