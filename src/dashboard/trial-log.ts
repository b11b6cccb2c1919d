/** The section "Trial log": what was on when, what was excluded and why, and the checks of the newest trial, ended or not. A worker works it out. */
import { create, pageElement } from '../views/page.ts';
import { askWorker } from './data.ts';
import { asRegion, rowGroup, tableRow } from './tables.ts';
import { type TrialLogView, trialLogView } from './trial-log-view.ts';

/** Makes the section. @returns what refreshes it. */
export function createTrialLog(): () => Promise<void> {
  let shown = '';
  return async () => {
    const reply = await askWorker({ kind: 'trial-log' });
    if (reply.kind !== 'trial-log') return;
    const view = trialLogView(reply.log, Date.now());
    const text = JSON.stringify(view);
    if (text === shown) return;
    shown = text;
    render(view);
  };
}

function render({ sentences, tables }: TrialLogView): void {
  const body = pageElement('trial-log-body', HTMLElement);
  // A region that has the focus, as it scrolls, keeps it.
  const focused = document.activeElement?.id;
  body.replaceChildren(...sentences.map((sentence) => create('p', {}, sentence)), ...tables.flatMap(tableElements));
  if (focused !== undefined && focused !== '') body.querySelector<HTMLElement>(`#${focused}`)?.focus();
}

function tableElements({ id, heading, columns, groups }: TrialLogView['tables'][number]): readonly HTMLElement[] {
  const title = create('h3', {}, heading);
  title.id = `${id}-heading`;
  const table = create(
    'table',
    {},
    create('thead', {}, create('tr', {}, ...columns.map((column) => create('th', { scope: 'col' }, column)))),
    ...groups.map((group) =>
      rowGroup({ ...group, columns: columns.length, rows: group.rows.map(([name = '', ...cells]) => tableRow(name, cells)) }),
    ),
  );
  table.id = id;
  const scroll = asRegion(create('div', { className: 'scroll' }, table), { labelledBy: title.id });
  scroll.id = `${id}-scroll`;
  return [title, scroll];
}
