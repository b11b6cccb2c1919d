/** The section "Apply": shows what is applied at once where possible, or else the helper's state, and handles its buttons. */
import { browser } from '../adapters/browser.ts';
import { sendRequest } from '../adapters/messaging.ts';
import { requestHelperPermission } from '../adapters/permissions.ts';
import type { PlainId } from '../core/text/messages.ts';
import type { HelperFacts } from '../protocol/helper-state.ts';
import type { LiveFacts, PopupState } from '../protocol/page-state.ts';
import { create, failureText, pageElement, reportOnPage, setOptionalText, setText, show } from '../views/page.ts';
import { acceptedPrices } from '../views/price-question.ts';
import { text } from '../views/text.ts';
import type { Tick } from './apply-ticks.ts';
import { type ApplyButton, type ApplyContext, type ApplyView, applyView, isLiveShown, liveView, revertedText } from './apply-view.ts';

let facts: HelperFacts | undefined;
/** `undefined`: profiles cannot be applied while this Firefox runs. */
let live: LiveFacts | undefined;
let hasAnswered = false;
let onAnswer: () => void = () => {};
let refresh: () => Promise<void> = async () => {};
/** Requests that are not answered yet. */
let pending = 0;
let isLooking = false;
/** The probe counts once without a press: a failure would happen again. */
let hasLooked = false;
let proposed: Pick<ApplyContext, 'due' | 'recommended' | 'own'> = { due: undefined, recommended: undefined, own: [] };

interface ApplySection {
  /** Call with every state; `recommended`: the profile that the answer recommends. */
  readonly follow: (state: PopupState, recommended: string | undefined) => void;
  /** Whether profiles can be applied here; `undefined`: the helper has not answered yet. */
  readonly isReady: () => boolean | undefined;
  /** Settles when the helper has answered for the first time, or has failed to. */
  readonly answered: Promise<void>;
}

interface ApplyPage {
  /** Called after each answer of the background about the helper, a failure included. */
  readonly onAnswer: () => void;
  /** Reads the whole state from the background. */
  readonly refresh: () => Promise<void>;
}

export function wireApply(page: ApplyPage): ApplySection {
  ({ onAnswer, refresh } = page);
  on('retry', ask);
  on('apply', async () => {
    const profileId = chosenProfile();
    const accepts = await acceptedPrices('apply-price', [profileId]);
    if (accepts === undefined) return;
    if (isLive()) return changeLive('failed.apply', () => applyLive(profileId, accepts));
    await act({ what: 'failed.apply', request: () => sendRequest({ kind: 'helper-apply', profileId, accepts }) });
  });
  on('revert', async () => {
    if (isLive()) return changeLive('failed.revert', revertLive);
    await act({ what: 'failed.revert', request: () => sendRequest({ kind: 'helper-revert' }) });
  });
  on('keep', () => act({ what: 'failed.keep', request: () => sendRequest({ kind: 'helper-keep' }) }));
  on('observe', look);
  applyButton('allow').addEventListener('click', allow);
  const choice = pageElement('apply-profile', HTMLSelectElement);
  choice.addEventListener('input', () => {
    choice.dataset.touched = 'yes';
    enableApply();
  });
  browser.storage.session.onChanged.addListener((changes) => {
    return 'helperChanged' in changes ? ask() : undefined;
  });
  // The person may have installed the helper since.
  const seeAgain = () => {
    if (!document.hidden && facts?.state === 'problem' && facts.problem.why !== 'no-permission') askUnlessAsked();
  };
  document.addEventListener('visibilitychange', seeAgain);
  window.addEventListener('focus', seeAgain);
  return { follow, isReady, answered: ask().catch(reportFault) };
}

/** Applying at once is preferred, unless the helper has written something. */
const isLive = (): boolean => live !== undefined && isLiveShown(live, facts);

const isReady = (): boolean | undefined =>
  live !== undefined ? true : hasAnswered ? facts?.state === 'ready' && facts.profileFound : undefined;

function follow({ trial, live: now, ownProfiles }: PopupState, recommended: string | undefined): void {
  live = now;
  proposed = { due: trial?.current?.due?.profileId, recommended, own: ownProfiles };
  showSection();
}

function showSection(): void {
  const view = viewNow();
  if (view === undefined && facts === undefined) return;
  renderApply(view);
  if (!view?.wantsLook || hasLooked) return;
  hasLooked = true;
  look().catch(reportFault);
}

function viewNow(): ApplyView | undefined {
  if (live !== undefined && isLive()) return liveView(live, facts, { ...proposed, isLooking });
  return facts && applyView(facts, { ...proposed, isLooking });
}

async function applyLive(profileId: string, accepts: string[]): Promise<string> {
  live = await sendRequest({ kind: 'live-apply', profileId, accepts });
  return '';
}

async function revertLive(): Promise<string> {
  const reverted = await sendRequest({ kind: 'live-revert' });
  live = reverted.live;
  return revertedText(reverted);
}

const on = (name: Parameters<typeof applyButton>[0], press: () => Promise<void>): void =>
  applyButton(name).addEventListener('click', press);

const ask = (): Promise<void> => act({ what: 'failed.helper', request: () => sendRequest({ kind: 'helper-state' }) });

/** A request in progress will give the same answer. */
const askUnlessAsked = (): void => {
  if (pending === 0) ask().catch(reportFault);
};

let last: Promise<void> = Promise.resolve();

interface Wish {
  readonly what: PlainId;
  /** `undefined`: the helper is as it was. */
  readonly request: () => Promise<HelperFacts | undefined>;
}

/** `change` returns its outcome in words. The probe has to count again, because it has seen other preferences. */
async function changeLive(what: PlainId, change: () => Promise<string>): Promise<void> {
  let outcome = '';
  await act({
    what,
    request: async () => {
      outcome = await change();
      hasLooked = false;
      if (facts?.state !== 'ready') return undefined;
      const { observed: _, notObserved: __, ...rest } = facts;
      return rest;
    },
  });
  if (outcome !== '') showOutcome(outcome);
  await refresh();
}

/** Requests run one after the other. A failure is shown in the section, and the state known before stays. */
function act(wish: Wish): Promise<void> {
  pending += 1;
  setBusy(true);
  const turn = () => perform(wish);
  last = last.then(turn, turn);
  return last;
}

async function perform({ what, request }: Wish): Promise<void> {
  try {
    facts = (await request()) ?? facts;
    showOutcome('');
  } catch (error) {
    showOutcome(failureText(what, error));
  } finally {
    pending -= 1;
    hasAnswered = true;
    setBusy(pending > 0);
  }
  showSection();
  onAnswer();
}

async function look(): Promise<void> {
  isLooking = true;
  showSection();
  await act({
    what: 'failed.observe',
    request: async () => {
      try {
        return await sendRequest({ kind: 'helper-observe' });
      } finally {
        isLooking = false;
      }
    },
  });
}

/** Called straight from the click: Firefox does not ask otherwise. */
function allow(): void {
  const answer = requestHelperPermission();
  // On desktop the question can lie behind the panel: https://bugzilla.mozilla.org/show_bug.cgi?id=1432083
  showOutcome(text('permission.asks'));
  answer.then(
    (given) => (given ? ask() : showOutcome(text('apply.notAllowed'))),
    (error: unknown) => showOutcome(failureText('failed.ask', error)),
  );
}

const showOutcome = (outcome: string): void => setText('apply-outcome', outcome);

/** `act` shows failures of the background; this is for mistakes in showing its answer. */
const reportFault = reportOnPage('failed.applyShown');

const applyButton = (name: ApplyButton): HTMLButtonElement => pageElement(`apply-${name}`, HTMLButtonElement);
const profileChoice = () => pageElement('apply-profile', HTMLSelectElement);
/** Empty: none. */
const chosenProfile = (): string => profileChoice().value;

/** `undefined` hides the section. */
function renderApply(view: ApplyView | undefined): void {
  show('apply', view !== undefined);
  if (view === undefined) return;
  const focused = document.activeElement;
  setText('apply-standing', view.standing);
  pageElement('apply-problems', HTMLElement).replaceChildren(...view.problems.map((problem) => create('li', {}, problem)));
  show('apply-problems', view.problems.length > 0);
  renderTicks(view.ticks);
  setOptionalText('apply-task', view.task);
  show('apply-profile-field', view.choices.length > 0);
  offer(view);
  for (const [name, can] of Object.entries(view.can)) applyButton(name as ApplyButton).hidden = !can;
  applyButton('apply').classList.toggle('primary', !view.can.revert);
  applyButton('allow').classList.toggle('primary', !view.can.revert);
  enableApply();
  if (focused?.closest('#apply') && !focused.checkVisibility()) pageElement('apply-heading', HTMLElement).focus();
}

function enableApply(): void {
  applyButton('apply').disabled = chosenProfile() === '';
}

/** Tells assistive technology that the section is about to change. */
function setBusy(isBusy: boolean): void {
  pageElement('apply', HTMLElement).setAttribute('aria-busy', String(isBusy));
}

const SIGNS: Readonly<Record<Tick['state'], string>> = { yes: '✓', no: '✗', waiting: '…', nobody: '–' };
const SPOKEN = { yes: 'tick.yes', no: 'tick.no', waiting: 'tick.waiting', nobody: 'tick.nobody' } as const satisfies Record<
  Tick['state'],
  PlainId
>;

function renderTicks(ticks: readonly Tick[]): void {
  show('apply-ticks', ticks.length > 0);
  pageElement('apply-ticks', HTMLElement).replaceChildren(...ticks.map(tickItem));
}

function tickItem({ name, state, text: found }: Tick): HTMLElement {
  const mark = create('span', { className: 'mark' }, SIGNS[state]);
  mark.setAttribute('aria-hidden', 'true');
  const spoken = create('span', { className: 'visually-hidden' }, text(SPOKEN[state]));
  return create(
    'li',
    { className: `tick ${state}` },
    mark,
    create('div', {}, create('strong', {}, name), spoken, create('small', {}, found)),
  );
}

/** The person's choice stays while it is offered. */
function offer({ choices, usual }: ApplyView): void {
  const select = profileChoice();
  const offered = JSON.stringify([choices, usual]);
  if (select.dataset.offered === offered) return;
  const chosen = select.dataset.touched === undefined ? usual : select.value;
  select.dataset.offered = offered;
  select.replaceChildren(new Option(text('apply.choose'), ''), ...choices.map(({ id, label }) => new Option(label, id)));
  select.value = choices.some(({ id }) => id === chosen) ? chosen : '';
}
