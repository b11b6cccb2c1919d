/** The section "Apply": shows what is applied at once, where that can be, or else how the helper stands, and does what the person presses. */
import { browser } from '../adapters/browser.ts';
import { requestHelperPermission } from '../adapters/helper-permission.ts';
import { sendRequest } from '../adapters/messaging.ts';
import type { HelperFacts } from '../protocol/helper-facts.ts';
import type { LiveFacts } from '../protocol/live-facts.ts';
import type { PopupState } from '../protocol/popup-state.ts';
import { tellOnPage } from '../views/attempt.ts';
import { setText } from '../views/page.ts';
import { pageElement } from '../views/page-element.ts';
import { applyButton, chosenProfile, enableApply, renderApply, setBusy } from './apply-render.ts';
import { type ApplyView, applyView } from './apply-view.ts';
import { isLiveShown, liveView, revertedWords } from './live-view.ts';

let facts: HelperFacts | undefined;
/** `undefined`: profiles cannot be put in effect while this Firefox runs. */
let live: LiveFacts | undefined;
let hasAnswered = false;
let answered: () => void = () => {};
let refresh: () => Promise<void> = async () => {};
/** Questions and presses that are not answered yet. */
let pending = 0;
let isLooking = false;
/** It is looked at without being asked once: what fails would fail again. */
let hasLooked = false;
let proposed: { readonly due: string | undefined; readonly recommended: string | undefined } = { due: undefined, recommended: undefined };

export interface ApplySection {
  /** To be called with every state; `recommended`: what the answer says to apply. */
  readonly follow: (state: PopupState, recommended: string | undefined) => void;
  /** Whether profiles can be applied here; `undefined`: the helper has not answered yet. */
  readonly isReady: () => boolean | undefined;
}

interface ApplyPage {
  /** Called whenever the background has told how the helper stands, or could not. */
  readonly onAnswer: () => void;
  /** Asks the background for the whole state. */
  readonly refresh: () => Promise<void>;
}

export function wireApply(page: ApplyPage): ApplySection {
  answered = page.onAnswer;
  refresh = page.refresh;
  on('retry', ask);
  on('apply', async () => {
    const profileId = chosenProfile();
    if (isLive()) return changeLive('Not applied', () => applyLive(profileId));
    await act({ what: 'Not applied', request: () => sendRequest({ kind: 'helper-apply', profileId }) });
  });
  on('revert', async () => {
    if (isLive()) return changeLive('Not taken back', revertLive);
    await act({ what: 'Not taken back', request: () => sendRequest({ kind: 'helper-revert' }) });
  });
  on('keep', () => act({ what: 'Not kept', request: () => sendRequest({ kind: 'helper-keep' }) }));
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
  // Whoever comes back may have installed it meanwhile.
  const seeAgain = () => {
    if (!document.hidden && facts?.state === 'problem' && facts.problem.why !== 'no-permission') askUnlessAsked();
  };
  document.addEventListener('visibilitychange', seeAgain);
  window.addEventListener('focus', seeAgain);
  ask().catch(tellFault);
  return { follow, isReady };
}

/** What acts at once is the first choice; not beside what the helper has written. */
const isLive = (): boolean => live !== undefined && isLiveShown(live, facts);

const isReady = (): boolean | undefined =>
  live !== undefined ? true : hasAnswered ? facts?.state === 'ready' && facts.profileFound : undefined;

function follow({ trial, live: told }: PopupState, recommended: string | undefined): void {
  live = told;
  proposed = { due: trial?.current?.due?.profileId, recommended };
  show();
}

function show(): void {
  const view = viewNow();
  if (view === undefined && facts === undefined) return;
  renderApply(view);
  if (!view?.wantsLook || hasLooked) return;
  hasLooked = true;
  look().catch(tellFault);
}

function viewNow(): ApplyView | undefined {
  if (live !== undefined && isLiveShown(live, facts)) return liveView(live, facts, { ...proposed, isLooking });
  return facts && applyView(facts, { ...proposed, isLooking });
}

async function applyLive(profileId: string): Promise<string> {
  live = await sendRequest({ kind: 'live-apply', profileId });
  return '';
}

async function revertLive(): Promise<string> {
  const reverted = await sendRequest({ kind: 'live-revert' });
  live = reverted.live;
  return revertedWords(reverted);
}

const on = (name: Parameters<typeof applyButton>[0], press: () => Promise<void>): void =>
  applyButton(name).addEventListener('click', press);

const ask = (): Promise<void> => act({ what: 'The helper could not be asked', request: () => sendRequest({ kind: 'helper-state' }) });

/** What is under way answers the same. */
const askUnlessAsked = (): void => {
  if (pending === 0) ask().catch(tellFault);
};

let last: Promise<void> = Promise.resolve();

interface Wish {
  readonly what: string;
  /** `undefined`: the helper is as it was. */
  readonly request: () => Promise<HelperFacts | undefined>;
}

/** `change` answers what came of it. What the probe has seen was of other preferences, so that it looks again. */
async function changeLive(what: string, change: () => Promise<string>): Promise<void> {
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
  if (outcome !== '') tell(outcome);
  await refresh();
}

/** One after the other: a press waits for what is asked already. A failure is told where it was asked for, and what was known before stays. */
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
    tell('');
  } catch (error) {
    tell(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    pending -= 1;
    hasAnswered = true;
    setBusy(pending > 0);
  }
  show();
  answered();
}

async function look(): Promise<void> {
  isLooking = true;
  show();
  await act({
    what: 'Firefox could not be looked at',
    request: async () => {
      try {
        return await sendRequest({ kind: 'helper-observe' });
      } finally {
        isLooking = false;
      }
    },
  });
}

/** From the click itself: Firefox refuses the question otherwise. */
function allow(): void {
  const answer = requestHelperPermission();
  // On desktop the question can lie behind the panel: https://bugzilla.mozilla.org/show_bug.cgi?id=1432083
  tell('Firefox asks you now. If you do not see its question, click outside this panel: it may be behind it.');
  answer.then(
    (given) => (given ? ask() : tell('It was not allowed, so that Plumbfox cannot speak to its helper.')),
    (error: unknown) => tell(`Firefox refused the question: ${String(error)}`),
  );
}

const tell = (text: string): void => setText('apply-outcome', text);

/** What the background answers is told by `act`; this is a fault in showing it. */
const tellFault = tellOnPage('The section “Apply” could not be shown');
