/** The section "Recorded loads": search, filters, sorting, and a window of rows. A worker finds; this page only draws what it shows. */
import type { HistoryQuery, HistorySort } from '../core/field/history.ts';
import type { ShownLink } from '../protocol/field-answer.ts';
import { type HistoryAnswer, type HistoryAnswers, type HistoryRequest, historyReplySchema } from '../protocol/history-messages.ts';
import { attempt, create, pageElement, reportOnPage, setText, show } from '../views/page.ts';
import { createWorkerClient, type WorkerClient } from '../views/worker-client.ts';
import { onRedraw, redrawAll } from './drawn.ts';
import { FILTERS, type Filter, filterOptions, filterQuery, foundSentence, type HistoryRowView, historyRowView } from './history-view.ts';
import { choiceButton, fillFilter, replaceRows } from './tables.ts';

/** Rows that are drawn at once. Chosen: with more the rest of the page is screens away, and they are slow to lay out. */
const ROWS = 25;

export interface HistoryClient extends WorkerClient<HistoryRequest, HistoryAnswers> {
  /** False once what was not known yet could not be read. */
  isReading(): boolean;
}

interface HistoryOptions {
  /** Called with each answer. */
  readonly onAnswer: (answer: HistoryAnswer) => Promise<void> | undefined;
  /** Called when the worker knows more than it has answered. */
  readonly onMore: () => Promise<void>;
  /** Called when loads could not be read that no request waits for. */
  readonly onFailure: () => void;
}

let client: WorkerClient<HistoryRequest, HistoryAnswers>;
let onAnswer: HistoryOptions['onAnswer'];
let isReading = true;
let sort: { readonly by: HistorySort; readonly ascending: boolean } = { by: 'startedAt', ascending: false };
let from = 0;
let answer: HistoryAnswer | undefined;
/** The last request: answers to earlier ones are no longer wanted. */
let asked = 0;
let chosen: string | undefined;

const filter = (name: Filter) => pageElement(`history-${name}`, HTMLSelectElement);
const search = () => pageElement('history-search', HTMLInputElement);

/** Call once. */
export function wireHistory(options: HistoryOptions): HistoryClient {
  onAnswer = options.onAnswer;
  client = createWorkerClient<HistoryRequest, HistoryAnswers>({
    path: 'history-worker.js',
    replySchema: historyReplySchema,
    badReply: 'history.badReply',
    notStarted: 'history.notStarted',
    onMore: () => {
      isReading = true;
      return Promise.all([attempt('failed.list', () => showHistory({ isNew: false })), options.onMore()]);
    },
    onFailure: (error) => {
      isReading = false;
      redrawAll();
      reportOnPage('failed.list')(error);
      options.onFailure();
    },
  });
  onRedraw(() => {
    if (answer !== undefined) renderHistory(answer);
  });
  const change = () => {
    from = 0;
    return attempt('failed.list', () => showHistory({ isNew: false }));
  };
  const turn = (step: number) => {
    from = Math.max(0, from + step);
    return attempt('failed.list', async () => {
      await showHistory({ isNew: false });
      pageElement('history-scroll', HTMLElement).scrollIntoView({ block: 'nearest' });
    });
  };
  search().addEventListener('input', change);
  for (const name of FILTERS) filter(name).addEventListener('input', change);
  pageElement('history-clear', HTMLButtonElement).addEventListener('click', () => {
    search().value = '';
    for (const name of FILTERS) filter(name).value = '';
    return change();
  });
  for (const button of document.querySelectorAll<HTMLButtonElement>('#loads-table thead button'))
    button.addEventListener('click', () => {
      const by = button.value as HistorySort;
      // Times and shares begin with what stands out: the newest, the slowest.
      sort = {
        by,
        ascending: sort.by === by ? !sort.ascending : by === 'page' || by === 'network' || by === 'profile' || by === 'protocol',
      };
      return change();
    });
  pageElement('history-newer', HTMLButtonElement).addEventListener('click', () => turn(-ROWS));
  pageElement('loads-more', HTMLButtonElement).addEventListener('click', () => turn(ROWS));
  return { ...client, isReading: () => isReading };
}

/** @param isNew - Something may have been stored since. */
export async function showHistory({ isNew }: { readonly isNew: boolean }): Promise<void> {
  asked += 1;
  const own = asked;
  const query: HistoryQuery = {
    search: search().value.slice(0, 200),
    ...filterQuery(chosenFilters()),
    sort: sort.by,
    ascending: sort.ascending,
    from,
    most: ROWS,
  };
  const found = await client.ask({ kind: 'find', query, isNew });
  if (own !== asked) return;
  answer = found;
  if (isNew) isReading = true;
  const links = found.choices.networks.flatMap(({ link }) => link ?? []);
  // While they are inferred anew, those of before stay.
  if (links.length > 0 || !found.pending) networks = links.slice(0, MAX_NETWORKS);
  renderHistory(found);
  await onAnswer(found);
}

/** Networks to name at once. Chosen: the most frequent. */
const MAX_NETWORKS = 12;

let networks: readonly ShownLink[] | undefined;

/** The networks of the loads, the most frequent first, as far as they are known; `undefined`: nothing was answered yet. */
export const knownNetworks = (): readonly ShownLink[] | undefined => networks;

/** Marks the load whose details are shown. */
export function markChosen(id: string): void {
  chosen = id;
  for (const button of document.querySelectorAll<HTMLButtonElement>('#loads-rows button')) mark(button);
}

const chosenFilters = (): Readonly<Record<Filter, string>> => ({
  site: filter('site').value,
  network: filter('network').value,
  profile: filter('profile').value,
  protocol: filter('protocol').value,
  excluded: filter('excluded').value,
});

function renderHistory(shown: HistoryAnswer): void {
  const options = filterOptions(shown);
  for (const name of FILTERS) fillFilter(filter(name), options[name]);
  const isFiltered = search().value !== '' || Object.values(chosenFilters()).some((value) => value !== '');
  show('history-controls', shown.total > 0);
  show('loads-hint', shown.total > 0);
  show('history-clear', isFiltered);
  setText('loads-status', foundSentence(shown, from, { isReading }));
  show('loads-table', shown.rows.length > 0);
  pageElement('history-scroll', HTMLElement).setAttribute('aria-busy', String(shown.isPart && isReading));
  const now = Date.now();
  renderRows(shown.rows.map((row) => historyRowView(row, { now, pending: shown.pending })));
  pageElement('history-newer', HTMLButtonElement).hidden = from === 0;
  pageElement('loads-more', HTMLButtonElement).hidden = from + shown.rows.length >= shown.found;
  for (const head of document.querySelectorAll<HTMLElement>('#loads-table thead th')) {
    const isSorted = head.querySelector('button')?.value === sort.by;
    if (isSorted) head.setAttribute('aria-sort', sort.ascending ? 'ascending' : 'descending');
    else head.removeAttribute('aria-sort');
  }
}

function renderRows(rows: readonly HistoryRowView[]): void {
  replaceRows(pageElement('loads-rows', HTMLElement), (held) =>
    rows.map((row) => loadRow(row, row.id === undefined ? undefined : (held.get(row.id) ?? choiceButton(row.id, row.page)))),
  );
}

function loadRow(
  { page, time, link, profile, protocol, loadTime, efficiency, excluded }: HistoryRowView,
  button?: HTMLButtonElement,
): HTMLElement {
  const row = create(
    'tr',
    {},
    create('th', { scope: 'row' }, button ?? page, create('small', { className: 'narrow' }, `${time} · ${profile} · ${link}`)),
    create('td', { className: 'wide' }, time),
    create('td', { className: 'wide' }, link),
    create('td', { className: 'wide' }, profile),
    create('td', { className: 'wide' }, protocol),
    create('td', {}, loadTime, ...(excluded === '' ? [] : [create('small', {}, excluded)])),
    create('td', {}, efficiency),
  );
  if (button) mark(button, row);
  return row;
}

function mark(button: HTMLButtonElement, row: HTMLElement | null = button.closest('tr')): void {
  const isChosen = button.value === chosen;
  row?.classList.toggle('on', isChosen);
  if (isChosen) button.setAttribute('aria-current', 'true');
  else button.removeAttribute('aria-current');
}
