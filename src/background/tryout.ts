/** Carries out a tryout: loads the tabs that the person has chosen, one after another, whether or not the welcome tab is still open. */
import { browser } from '../adapters/browser.ts';
import { showsFormAnswer } from '../adapters/form-answers.ts';
import { readRunState, writeRunState } from '../adapters/run-state.ts';
import { setAlarm } from '../adapters/wake-alarms.ts';
import { PlumbfoxError } from '../core/errors.ts';
import { loadSummary } from '../core/field/load-summary.ts';
import {
  advanceTryout,
  beginTryout,
  type LoadCommand,
  type Refusal,
  type Tryout,
  type TryoutInput,
  type TryoutStep,
  tryoutDueAt,
} from '../core/field/tryout.ts';
import type { RawRequestEvent } from '../core/measure/page-load.ts';
import { withoutFragment } from '../core/measure/stored-url.ts';
import { createMutex } from '../core/mutex.ts';
import type { MarkedPageLoad } from '../core/trial/trial-mark.ts';
import { type TabChoice, type TryoutFacts, WOULD_ASK } from '../protocol/tryout-state.ts';
import type { PageState } from './page-state.ts';
import type { RecordStores } from './record-stores.ts';
import { isTrialOver } from './trial-step.ts';

type Tab = Awaited<ReturnType<typeof browser.tabs.get>>;

interface TryoutDeps {
  readonly stores: Pick<RecordStores, 'newestTrial'>;
  readonly pageState: Pick<PageState, 'recordingState'>;
}

export type TryoutRunner = ReturnType<typeof createTryout>;

export function createTryout({ stores: { newestTrial }, pageState: { recordingState } }: TryoutDeps) {
  const runExclusive = createMutex();
  /** What is stored; only this event page writes it. */
  let stored: Promise<Tryout | undefined> | undefined;

  const current = (): Promise<Tryout | undefined> => {
    stored ??= readRunState().then(({ tryout }) => tryout);
    return stored;
  };

  async function keep(tryout: Tryout): Promise<void> {
    stored = Promise.resolve(tryout);
    await writeRunState('tryout', tryout);
    await setAlarm('tryout', tryoutDueAt(tryout));
  }

  async function tryoutFacts(): Promise<TryoutFacts> {
    const [recording, tryout, tabs] = await Promise.all([recordingState(), current(), browser.tabs.query({})]);
    const own = browser.runtime.getURL('');
    const others = tabs.filter(({ url }) => url?.startsWith(own) !== true);
    return { recording, ...(tryout && { tryout }), tabs: (await Promise.all(others.map(choiceOf))).flatMap((choice) => choice ?? []) };
  }

  /**
   * Begins where every tab can be loaded; otherwise nothing is loaded, and the answer says why not.
   * @throws PlumbfoxError `bad-input` while a trial switches settings: these loads are not everyday ones.
   */
  async function startTryout(tabIds: readonly number[]): Promise<TryoutFacts> {
    const refused = await runExclusive(async () => {
      if ((await current())?.step.state === 'loading') return [];
      if (!isTrialOver(await newestTrial())) throw new PlumbfoxError('bad-input', 'a trial is running: it needs your everyday pages only');
      const looked = await Promise.all(tabIds.map(async (tabId) => ({ tabId, why: await whyNot(tabId) })));
      const no = looked.flatMap(({ tabId, why }) => (why === undefined ? [] : [{ tabId, why }]));
      if (no.length > 0) return no;
      const tabs = await Promise.all(tabIds.map((tabId) => browser.tabs.get(tabId)));
      await carryOut(
        beginTryout(
          tabs.map((tab, at) => ({ tabId: tabIds[at] ?? -1, host: hostOf(tab.url ?? '') })),
          Date.now(),
        ),
      );
      return [];
    });
    return { ...(await tryoutFacts()), ...(refused.length > 0 && { refused }) };
  }

  async function cancelTryout(): Promise<TryoutFacts> {
    await advance({ kind: 'cancel' });
    return tryoutFacts();
  }

  /** Never rejects: nothing awaits what an event leads to. */
  const advance = (input: TryoutInput): Promise<void> =>
    runExclusive(async () => {
      const tryout = await current();
      if (tryout === undefined) return;
      const next = advanceTryout(tryout, input);
      if (next.tryout !== tryout) await carryOut(next);
    }).catch(() => undefined);

  /** Until a load was asked for that Firefox takes, or there is none left. */
  async function carryOut(first: TryoutStep): Promise<void> {
    let step = first;
    await keep(step.tryout);
    while (step.load !== undefined) {
      const { tabId } = step.load;
      const why = await refusedLoad(step.load);
      if (why === undefined) return;
      step = advanceTryout(step.tryout, { kind: 'refused', tabId, why, now: Date.now() });
      await keep(step.tryout);
    }
  }

  /** `event`: of any tab. */
  async function noteEvent({ type, phase, tabId, frameId }: RawRequestEvent): Promise<void> {
    if (type !== 'main_frame' || frameId !== 0 || (await current())?.step.state !== 'loading') return;
    if (phase === 'started') await advance({ kind: 'begun', tabId });
    if (phase === 'failed') await failed(tabId);
  }

  /** Only the load under way: another of the tab's navigations may end because this one began. */
  async function failed(tabId: number): Promise<void> {
    const tryout = await current();
    if (tryout?.step.state !== 'loading' || !tryout.step.begun || tryout.sites[tryout.step.site]?.tabId !== tabId) return;
    await advance({ kind: 'refused', tabId, why: 'failed', now: Date.now() });
  }

  async function noteLoad(load: MarkedPageLoad, tabId: number): Promise<void> {
    if ((await current())?.step.state !== 'loading') return;
    const { standing, loadTimeMs } = loadSummary(load);
    await advance({
      kind: 'recorded',
      tabId,
      startedAt: load.startedAt,
      loadTimeMs: standing === 'whole' ? loadTimeMs : undefined,
      now: Date.now(),
    });
  }

  const noteTime = (): Promise<void> => advance({ kind: 'time', now: Date.now() });

  return { tryoutFacts, startTryout, cancelTryout, noteEvent, noteLoad, noteTime };
}

/** A page may have any title; the list needs only to tell them apart. */
const MAX_TITLE_CHARACTERS = 120;

async function choiceOf(tab: Tab): Promise<TabChoice | undefined> {
  const { id, url, title } = tab;
  if (id === undefined) return undefined;
  const refused = await refusedAtSight(tab);
  // Nothing of a private window leaves the event page.
  if (refused === 'private') return { tabId: id, title: '', host: '', refused };
  // An empty tab, a page of Firefox's own, or any page where access is missing: neither says what it is.
  if (url === undefined) return undefined;
  const host = hostOf(url);
  return { tabId: id, title: (title ?? host).slice(0, MAX_TITLE_CHARACTERS), host, ...(refused !== undefined && { refused }) };
}

const hostOf = (url: string): string => (URL.canParse(url) && new URL(url).host) || url;

/** What can be seen without asking the page. */
async function refusedAtSight({ id, incognito, url, discarded }: Tab): Promise<Refusal | undefined> {
  if (incognito) return 'private';
  // Firefox shows no address where it gives no access.
  if (url === undefined) return 'no-access';
  if (!/^https?:/.test(url)) return 'not-web';
  if (discarded) return 'asleep';
  return id !== undefined && (await showsFormAnswer(id)) ? 'form-answer' : undefined;
}

async function whyNot(tabId: number): Promise<Refusal | undefined> {
  const tab = await browser.tabs.get(tabId).catch(() => undefined);
  if (tab === undefined) return 'closed';
  return (await refusedAtSight(tab)) ?? (await refusedByPage(tabId));
}

/** Pages without a content script are those that Firefox keeps extensions out of, and its error pages. */
async function refusedByPage(tabId: number): Promise<Refusal | undefined> {
  try {
    return (await browser.tabs.sendMessage(tabId, WOULD_ASK, { frameId: 0 })) === true ? 'asks-to-stay' : undefined;
  } catch {
    return 'no-access';
  }
}

/**
 * Asks Firefox for the load. The first opens the page's address, which sends no form again whatever the page was made by; the second loads the page
 * without its cache, as on a first visit. @returns why it was not asked for.
 */
async function refusedLoad({ tabId, again }: LoadCommand): Promise<Refusal | undefined> {
  const why = await whyNot(tabId);
  if (why !== undefined) return why;
  try {
    const { url = '' } = await browser.tabs.get(tabId);
    if (again) await browser.tabs.reload(tabId, { bypassCache: true });
    else await browser.tabs.update(tabId, { url: withoutFragment(url), loadReplace: true });
    return undefined;
  } catch {
    return 'closed';
  }
}
