/** The section in which three of the person's tabs are loaded twice: the choice, the progress, and what was measured. */
import { sendRequest } from '../adapters/messaging.ts';
import { assertNever } from '../core/errors.ts';
import { LOADS_PER_SITE, type Refusal, TRYOUT_SITES, type Tryout, type TryoutSite } from '../core/field/tryout.ts';
import type { PlainId } from '../core/text/messages.ts';
import type { TabChoice, TryoutFacts } from '../protocol/tryout-state.ts';
import { attempt, create, pageElement, setText, show } from '../views/page.ts';
import { format, text } from '../views/text.ts';

const REASONS: Readonly<Record<Refusal, PlainId>> = {
  private: 'welcome.refused.private',
  'not-web': 'welcome.refused.notWeb',
  'form-answer': 'welcome.refused.formAnswer',
  'asks-to-stay': 'welcome.refused.asksToStay',
  asleep: 'welcome.refused.asleep',
  'no-access': 'welcome.refused.noAccess',
  closed: 'welcome.refused.closed',
  'not-started': 'welcome.refused.notStarted',
  failed: 'welcome.refused.failed',
  'not-finished': 'welcome.refused.notFinished',
};

const chosen = new Set<number>();
/** What was found out about tabs when they were to be loaded; a tab may be chosen again. */
const found = new Map<number, Refusal>();
/** The person wants to choose again, though the last tryout is still known. */
let choosesAgain = false;
let last: TryoutFacts | undefined;

export function renderTryout(facts: TryoutFacts): void {
  last = facts;
  const { tryout } = facts;
  if (tryout?.step.state === 'loading') choosesAgain = false;
  const isShown = tryout !== undefined && !choosesAgain;
  show('choose', !isShown);
  show('running', isShown);
  if (isShown) renderProgress(tryout);
  else renderChoice(facts);
}

function renderChoice({ tabs, recording }: TryoutFacts): void {
  const open = tabs.filter(({ refused }) => refused === undefined);
  for (const tabId of chosen) if (!open.some((tab) => tab.tabId === tabId)) chosen.delete(tabId);
  const status = found.size > 0 ? text('welcome.refusedAll') : choiceStatus(tabs, open);
  setText('tabs-status', status);
  const list = pageElement('tabs', HTMLElement);
  const held = new Map([...list.querySelectorAll('input')].map((input) => [input.value, input]));
  const focused = document.activeElement;
  const sorted = [...open, ...tabs.filter(({ refused }) => refused !== undefined)];
  list.replaceChildren(...sorted.map((tab) => choiceRow(tab, held.get(String(tab.tabId)))));
  // An element that is moved loses the focus.
  if (focused instanceof HTMLInputElement && held.get(focused.value) === focused && focused.isConnected) focused.focus();
  pageElement('start', HTMLButtonElement).disabled = chosen.size !== TRYOUT_SITES || recording.state !== 'recording';
}

function choiceStatus(tabs: readonly TabChoice[], open: readonly TabChoice[]): string {
  if (tabs.every(({ refused }) => refused === 'not-web' || refused === 'private')) return text('welcome.tabs.none');
  if (open.length < TRYOUT_SITES) return text('welcome.tabs.few');
  return text('welcome.tabs.choose', { count: chosen.size, wanted: TRYOUT_SITES });
}

/** The check box is kept, so that the focus stays where it is. */
function choiceRow({ tabId, title, host, refused }: TabChoice, held: HTMLInputElement | undefined): HTMLElement {
  const box = held ?? document.createElement('input');
  box.type = 'checkbox';
  box.value = String(tabId);
  box.checked = chosen.has(tabId);
  box.disabled = refused !== undefined || (chosen.size >= TRYOUT_SITES && !chosen.has(tabId));
  const why = refused ?? found.get(tabId);
  const about = [host, ...(why === undefined ? [] : [text(REASONS[why])])].filter((part) => part !== '').join(' · ');
  return create(
    'li',
    {},
    create('label', {}, box, create('span', {}, create('b', {}, create('bdi', {}, title)), create('small', {}, about))),
  );
}

function renderProgress({ sites, step }: Tryout): void {
  const all = TRYOUT_SITES * LOADS_PER_SITE;
  const loads = sites.reduce((sum, site) => sum + site.loads.length, 0);
  setText('progress-text', progressText());
  const bar = pageElement('progress', HTMLProgressElement);
  bar.max = all;
  bar.value = loads;
  show('progress', step.state === 'loading');
  pageElement('sites', HTMLElement).replaceChildren(
    ...sites.map((site, at) => siteRow(site, step.state === 'loading' && step.site === at)),
  );
  show('cancel', step.state === 'loading');
  show('again', step.state !== 'loading');

  function progressText(): string {
    switch (step.state) {
      case 'loading':
        return text('welcome.loading', { host: sites[step.site]?.host ?? '', loads, all });
      case 'done':
        return text('welcome.done', { loads, all });
      case 'cancelled':
        return text('welcome.cancelled', { loads, all });
      default:
        return assertNever(step);
    }
  }
}

function siteRow(site: TryoutSite, isLoading: boolean): HTMLElement {
  const cells = Array.from({ length: LOADS_PER_SITE }, (_, at) => create('td', {}, loadText(site, at, isLoading)));
  return create('tr', {}, create('th', { scope: 'row' }, site.host), ...cells);
}

function loadText({ loads, refused }: TryoutSite, at: number, isLoading: boolean): string {
  const load = loads[at];
  if (load !== undefined) return load.loadTimeMs === undefined ? text('welcome.site.noTime') : format.duration(load.loadTimeMs);
  if (refused !== undefined) return at === loads.length ? text(REASONS[refused]) : '';
  return text(isLoading && at === loads.length ? 'welcome.site.loading' : 'welcome.site.waiting');
}

/** @param onFacts - Called with how things stand after each press. */
export function wireTryout(onFacts: (facts: TryoutFacts) => void): void {
  pageElement('tabs', HTMLElement).addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    const tabId = Number(target.value);
    if (target.checked) chosen.add(tabId);
    else chosen.delete(tabId);
    found.clear();
    if (last !== undefined) renderTryout(last);
  });
  pageElement('start', HTMLButtonElement).addEventListener('click', () =>
    attempt('failed.load', async () => {
      found.clear();
      const facts = await sendRequest({ kind: 'start-tryout', tabIds: [...chosen] });
      for (const { tabId, why } of facts.refused ?? []) {
        found.set(tabId, why);
        chosen.delete(tabId);
      }
      choosesAgain = found.size > 0;
      onFacts(facts);
      // The button that had it is hidden now.
      if (found.size === 0) pageElement('cancel', HTMLButtonElement).focus();
    }),
  );
  pageElement('cancel', HTMLButtonElement).addEventListener('click', () =>
    attempt('failed.stop', async () => {
      onFacts(await sendRequest({ kind: 'cancel-tryout' }));
      pageElement('again', HTMLButtonElement).focus();
    }),
  );
  pageElement('again', HTMLButtonElement).addEventListener('click', () => {
    choosesAgain = true;
    chosen.clear();
    if (last !== undefined) onFacts(last);
    pageElement('try-heading', HTMLElement).focus();
  });
}
