/** The section "Sites and networks": a table that sorts by every figure, and the trend of a site that is chosen from it. A worker works it out. */

import { GROUPINGS, type Grouping, type GroupSort } from '../core/field/load-groups.ts';
import type { GroupsAnswer } from '../protocol/history-messages.ts';
import { attempt, create, pageElement } from '../views/page.ts';
import { text } from '../views/text.ts';
import { onRedraw } from './drawn.ts';
import type { HistoryClient } from './history.ts';
import { GROUP_COLUMNS, type GroupRowView, groupRowView, groupsSentence } from './sites-view.ts';
import { asRegion, choiceButton, replaceRows } from './tables.ts';
import { createTrend, type Trend } from './trend.ts';

/** Rows at first, and each time more are wanted. Chosen: a screen of them. */
const ROWS = 25;
/** The last columns have no room on a narrow page. */
const FIRST_WIDE_COLUMN = 2;

/** Makes the section. @returns what refreshes it. */
export function createSites(history: HistoryClient): () => Promise<void> {
  let by: Grouping = 'site';
  let sort: { readonly by: GroupSort; readonly ascending: boolean } = { by: 'loads', ascending: false };
  let most = ROWS;
  /** Answers to earlier requests are no longer wanted. */
  let asked = 0;
  let known: { readonly answer: GroupsAnswer; readonly by: Grouping } | undefined;

  const status = create('p', { className: 'quiet' });
  status.setAttribute('role', 'status');
  const head = create('tr', {});
  const rows = create('tbody', {});
  const table = create(
    'table',
    { className: 'loads' },
    create('caption', { className: 'visually-hidden' }, text('sites.caption')),
    create('thead', {}, head),
    rows,
  );
  const choice = document.createElement('select');
  choice.id = 'sites-by';
  choice.append(...GROUPINGS.map((one) => new Option(text(one === 'site' ? 'sites.by.site' : 'sites.by.network'), one)));
  const more = document.createElement('button');
  more.type = 'button';
  more.id = 'sites-more';
  more.textContent = text('sites.more');
  const trend = createTrend(history);
  const scroll = asRegion(create('div', { className: 'scroll' }, table), { labelledBy: 'sites-heading' });
  const note = create('p', { className: 'quiet' });
  const shown = create('label', { className: 'field' }, text('sites.show'), ' ', choice);
  pageElement('sites-body', HTMLElement).append(shown, status, scroll, create('div', { className: 'buttons' }, more), note, trend.section);
  table.id = 'sites-table';
  status.id = 'sites-status';

  async function showGroups(): Promise<void> {
    asked += 1;
    const own = asked;
    const query = { by, sort: sort.by, ascending: sort.ascending, most };
    const answer = await history.ask({ kind: 'groups', query, isNew: false });
    if (own !== asked) return;
    known = { answer, by: query.by };
    render();
  }
  const change = () => attempt('failed.list', showGroups);

  function render(): void {
    if (known === undefined) return;
    const { answer, by } = known;
    const sentence = groupsSentence(answer, by, { isReading: history.isReading() });
    if (status.textContent !== sentence) status.textContent = sentence;
    table.hidden = answer.rows.length === 0;
    // Before anything was recorded there is one line, which says so.
    const isEmpty = answer.total === 0 && answer.unnamed.sites === 0 && by === 'site';
    for (const element of [shown, scroll, note]) element.hidden = isEmpty;
    more.hidden = answer.rows.length >= answer.total;
    renderRows(
      rows,
      answer.rows.map((row) => groupRowView(row, by)),
      trend,
    );
  }

  function renderHead(): void {
    const name = { heading: by === 'site' ? ('sites.site' as const) : ('sites.network' as const), sort: 'name' as const };
    head.replaceChildren(
      ...[name, ...GROUP_COLUMNS].map(({ heading, sort: key }, at) => {
        const cell = create('th', { scope: 'col', ...(at > FIRST_WIDE_COLUMN && { className: 'wide' }) });
        if (key === undefined) cell.textContent = text(heading);
        else {
          const button = document.createElement('button');
          button.type = 'button';
          button.value = key;
          button.textContent = text(heading);
          cell.append(button);
        }
        return cell;
      }),
    );
    note.textContent = [...(by === 'site' ? [text('sites.choose')] : []), text('sites.note'), text('sites.private')].join(' ');
    markSorted();
  }

  function markSorted(): void {
    for (const cell of head.children) {
      const isSorted = cell.querySelector('button')?.value === sort.by;
      if (isSorted) cell.setAttribute('aria-sort', sort.ascending ? 'ascending' : 'descending');
      else cell.removeAttribute('aria-sort');
    }
  }

  head.addEventListener('click', ({ target }) => {
    const key = target instanceof HTMLButtonElement ? (target.value as GroupSort) : undefined;
    if (key === undefined) return undefined;
    // Figures begin with what stands out, names with the first.
    sort = { by: key, ascending: sort.by === key ? !sort.ascending : key === 'name' };
    markSorted();
    return change();
  });
  choice.addEventListener('change', () => {
    by = GROUPINGS.find((one) => one === choice.value) ?? 'site';
    most = ROWS;
    trend.hide();
    renderHead();
    return change();
  });
  more.addEventListener('click', async () => {
    const before = rows.children.length;
    most += ROWS;
    await change();
    // The button may be gone: the first new row is where the reader is.
    rows.children[before]?.querySelector<HTMLElement>('button')?.focus();
  });
  rows.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    return button === null ? undefined : trend.show({ site: Number(button.value), name: button.textContent ?? '' });
  });
  renderHead();
  onRedraw(render);

  return async () => {
    await showGroups();
    await trend.refresh();
  };
}

function renderRows(body: HTMLElement, rows: readonly GroupRowView[], trend: Trend): void {
  replaceRows(body, (held) =>
    rows.map(({ name, site, cells, narrow }) =>
      create(
        'tr',
        {},
        create(
          'th',
          { scope: 'row' },
          site === undefined ? create('bdi', {}, name) : (held.get(String(site)) ?? siteButton(site, name, trend)),
          ...(narrow === '' ? [] : [create('small', { className: 'narrow' }, narrow)]),
        ),
        ...cells.map(({ lines, small }, at) =>
          create(
            'td',
            at >= FIRST_WIDE_COLUMN ? { className: 'wide' } : {},
            ...lines.map((line) => create('div', {}, line)),
            ...small.map((line) => create('small', {}, line)),
          ),
        ),
      ),
    ),
  );
}

function siteButton(site: number, name: string, trend: Trend): HTMLButtonElement {
  const button = choiceButton(String(site), name);
  button.setAttribute('aria-controls', trend.section.id);
  return button;
}
