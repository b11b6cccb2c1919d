/** The section "Comparison": its table, the chart, and the choice among HTTP versions. */
import { create, pageElement, reportOnPage, setOptionalText, setText, show } from '../views/page.ts';
import { text } from '../views/text.ts';
import type { ComparisonChart } from './chart.ts';
import { type ComparisonPoint, type ComparisonRow, type ComparisonView, chosenGroup } from './comparison-view.ts';
import type { ControlsView } from './controls-view.ts';

/** Loaded while loads are compared, or with the first points there are. */
let chart: Promise<ComparisonChart> | undefined;
let points: readonly ComparisonPoint[] = [];
let drawn = '';
/** The key of the chosen group; `undefined`: the largest. */
let chosenProtocol: string | undefined;

/** @param onChoice - Called when the person has chosen another HTTP version. */
export function wireComparison(onChoice: () => void): void {
  pageElement('comparison-protocol', HTMLSelectElement).addEventListener('change', ({ target }) => {
    chosenProtocol = target instanceof HTMLSelectElement ? target.value : undefined;
    onChoice();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => drawPoints({ evenIfSame: true }));
}

export function renderComparison(comparison: ControlsView['comparison'], status: string | undefined): void {
  setOptionalText('comparison-status', status);
  setOptionalText('comparison-empty', comparison.state === 'empty' ? comparison.text : undefined);
  const known = comparison.state === 'known';
  show('comparison', known);
  if (known) renderKnownComparison(comparison.view);
  points = known ? chosenGroup(comparison.view, chosenProtocol).points : [];
  // In its own task: together with the text it would block the page for a noticeable time.
  setTimeout(() => drawPoints({ evenIfSame: false, areComing: status !== undefined }));
}

const drawPoints = (options: DrawOptions) => drawChart(options).catch(reportOnPage('failed.chart'));

interface DrawOptions {
  readonly evenIfSame: boolean;
  readonly areComing?: boolean;
}

async function drawChart({ evenIfSame, areComing = false }: DrawOptions): Promise<void> {
  if (points.length === 0 && !areComing) return;
  chart ??= import('./chart.ts').then(({ createComparisonChart }) => createComparisonChart(pageElement('chart', HTMLCanvasElement)));
  const { show } = await chart;
  // Other points may be wanted by the time the chart is loaded.
  const wanted = JSON.stringify(points);
  if (points.length === 0 || (wanted === drawn && !evenIfSame)) return;
  drawn = wanted;
  show(points);
}

function renderKnownComparison(view: ComparisonView): void {
  const group = chosenGroup(view, chosenProtocol);
  renderGroupChoice(view, group.key);
  show('chart-frame', group.points.length > 0);
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
