/** The section "Comparison": its table, the bars, and the choice among HTTP versions. */
import { create, pageElement, reportOnPage, setOptionalText, setText, show } from '../views/page.ts';
import { text } from '../views/text.ts';
import type { ComparisonChart } from './chart.ts';
import { type ComparisonBar, type ComparisonRow, type ComparisonView, chosenGroup } from './comparison-view.ts';
import type { ControlsView } from './controls-view.ts';

/** Loaded with the first bars, because it is two thirds of the popup's script. */
let chart: Promise<ComparisonChart> | undefined;
let bars: readonly ComparisonBar[] = [];
let drawn = '';
/** The key of the chosen group; `undefined`: the largest. */
let chosenProtocol: string | undefined;

/** @param onChoice - Called when the person has chosen another HTTP version. */
export function wireComparison(onChoice: () => void): void {
  pageElement('comparison-protocol', HTMLSelectElement).addEventListener('change', ({ target }) => {
    chosenProtocol = target instanceof HTMLSelectElement ? target.value : undefined;
    onChoice();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => drawBars({ evenIfSame: true }));
}

export function renderComparison(comparison: ControlsView['comparison'], status: string | undefined): void {
  setOptionalText('comparison-status', status);
  setOptionalText('comparison-empty', comparison.state === 'empty' ? comparison.text : undefined);
  const known = comparison.state === 'known';
  show('comparison', known);
  if (known) renderKnownComparison(comparison.view);
  bars = known ? chosenGroup(comparison.view, chosenProtocol).bars : [];
  // In its own task: together with the text it would block the page for a noticeable time.
  setTimeout(() => drawBars({ evenIfSame: false }));
}

const drawBars = (options: DrawOptions) => drawChart(options).catch(reportOnPage('failed.bars'));

interface DrawOptions {
  readonly evenIfSame: boolean;
}

async function drawChart({ evenIfSame }: DrawOptions): Promise<void> {
  const wanted = JSON.stringify(bars);
  if (bars.length === 0 || (wanted === drawn && !evenIfSame)) return;
  drawn = wanted;
  chart ??= import('./chart.ts').then(({ createComparisonChart }) => createComparisonChart(pageElement('chart', HTMLCanvasElement)));
  // Other bars may be wanted by the time the chart is loaded.
  (await chart).show(bars);
}

function renderKnownComparison(view: ComparisonView): void {
  const group = chosenGroup(view, chosenProtocol);
  renderGroupChoice(view, group.key);
  show('chart-frame', group.bars.length > 0);
  setText('comparison-caption', group.caption);
  setText('against-heading', text('comparison.against', { baseline: view.baseline }));
  pageElement('comparison-rows', HTMLElement).replaceChildren(...group.rows.map(tableRow));
  setOptionalText('comparison-control', group.control);
  setOptionalText('comparison-excluded', view.excluded);
  const reasons = group.rows
    .filter(({ reason }) => reason !== '')
    .flatMap(({ id, reason }) => [create('dt', {}, id), create('dd', {}, reason)]);
  pageElement('comparison-reasons', HTMLElement).replaceChildren(...reasons);
}

/** An open choice must not close because a load was stored: its options are replaced only if they differ. */
function renderGroupChoice({ groups }: ComparisonView, chosen: string): void {
  show('comparison-protocols', groups.length > 1);
  const choice = pageElement('comparison-protocol', HTMLSelectElement);
  const shown = [...choice.options].map(({ value, text }) => `${value} ${text}`).join();
  if (shown !== groups.map(({ key, label }) => `${key} ${label}`).join())
    choice.replaceChildren(...groups.map(({ key, label }) => new Option(label, key)));
  choice.value = chosen;
}

function tableRow(row: ComparisonRow): HTMLElement {
  const small = (note: string) => (note === '' ? [] : [create('small', {}, note)]);
  return create(
    'tr',
    { className: row.kind },
    create('th', { scope: 'row' }, row.id, ...small(row.note)),
    create('td', {}, row.efficiency),
    create('td', {}, row.loadTime),
    create('td', {}, create('span', { className: `verdict ${row.verdict.tone}` }, row.verdict.word), ...small(row.change)),
  );
}
