/** Predictions in words. Every figure is marked as one that was not measured: by its heading, by ≈, and by what stands under the table. */
import { assertNever } from '../core/errors.ts';
import { boundLabel } from '../core/report/waterfall-panel.ts';
import type { Predicted, PredictedRow, ShownFieldPrediction } from '../protocol/prediction-answer.ts';
import type { Figures } from '../core/text/number-format.ts';
import { create, pageElement, setOptionalText, show } from './page.ts';

/** Where a prediction stands. */
export type PredictionState =
  | { readonly state: 'computing' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'answered'; readonly answer: ShownFieldPrediction; readonly again: boolean };

export interface PredictionRow {
  readonly id: string;
  readonly loadTime: string;
  /** Efficiency against the baseline. */
  readonly change: string;
  /** What takes most of the time. */
  readonly bound: string;
  /** Beside the prediction, where there is a measurement; empty: there is none. */
  readonly measured: string;
}

export interface PredictionTable {
  readonly rows: readonly PredictionRow[];
  /** What the figures rest on, and how far they are off, a sentence or two each. */
  readonly notes: readonly string[];
  /** What was assumed, and of how many requests. */
  readonly assumed: readonly string[];
}

export interface PredictionView {
  /** `undefined`: there is nothing to wait for or to explain. */
  readonly status: string | undefined;
  readonly table: PredictionTable | undefined;
}

export function predictionView(state: PredictionState, figures: Figures): PredictionView {
  switch (state.state) {
    case 'computing':
      return { status: 'Computing…', table: undefined };
    case 'failed':
      return { status: `The prediction failed: ${sentenceOf(state.message)}`, table: undefined };
    case 'answered':
      return answeredView(state.answer, { figures, again: state.again });
    default:
      return assertNever(state);
  }
}

function answeredView(
  answer: ShownFieldPrediction,
  { figures, again }: { readonly figures: Figures; readonly again: boolean },
): PredictionView {
  const status = again ? 'Computing anew…' : undefined;
  if (answer.state !== 'predicted') return { status: status ?? whyNone(answer), table: undefined };
  const { link, pages } = answer;
  const page = pages === 1 ? 'a page you loaded of late' : `${pages} different pages you loaded of late`;
  const means = pages === 1 ? '' : '; figures are geometric means';
  const basis = `For ${page}, over ${linkWords(link)} (estimated), with every connection opened anew${means}.`;
  const table = predictionTable(answer, { figures, basis });
  return { status, table: { ...table, notes: [...table.notes, ...besideNotes(answer.beside ?? [], figures)] } };
}

type Beside = NonNullable<Extract<ShownFieldPrediction, { readonly state: 'predicted' }>['beside']>;

/** The simulation beside the loads of the same pages, and what follows where they part. */
function besideNotes(beside: Beside, figures: Figures): readonly string[] {
  if (beside.length === 0) return [];
  const mean = (times: readonly number[]) => Math.exp(times.reduce((sum, time) => sum + Math.log(time), 0) / times.length);
  const [measured, simulated] = [mean(beside.map(({ recordedMs }) => recordedMs)), mean(beside.map(({ simulatedMs }) => simulatedMs))];
  const pages = (count: number) => figures.count(count, { one: 'page', many: 'pages' });
  const parting = beside.filter(({ state }) => state === 'parts').length;
  const both = `Your loads of ${pages(beside.length)} under ${BASELINE} took ${figures.duration(measured)}; simulated ${ABOUT}${figures.duration(simulated)}.`;
  if (parting === 0) return [both];
  const more = 'simulated and measured times part by more than such predictions are off';
  if (parting === beside.length) return [`${both} Of each, ${more}, so nothing is recommended.`];
  return [`${both} ${pages(parting)}, of which ${more}, ${parting === 1 ? 'is' : 'are'} set aside.`];
}

/** A name that a person gave says nothing of the figures. */
export const linkWords = ({ given, name }: { readonly given?: string | undefined; readonly name: string }): string =>
  given === undefined ? name : `${given} (${name})`;

function whyNone(answer: Exclude<ShownFieldPrediction, { readonly state: 'predicted' }>): string {
  switch (answer.state) {
    case 'no-loads':
      return 'No loads recorded yet: open some web pages, then look here again.';
    case 'link-not-known':
      return LINK_NOT_KNOWN;
    case 'rate-not-known':
      return `${RATE_NOT_KNOWN} What is known so far: ${answer.link.name}.`;
    case 'nothing-to-predict':
      return `None of your newest loads over ${linkWords(answer.link)} can be predicted${answer.because === undefined ? ': none was seen to its end.' : `: ${sentenceOf(answer.because)}`}`;
    default:
      return assertNever(answer);
  }
}

/** Why nothing is predicted, and what to do: of the round trip, and of the rate. */
export const LINK_NOT_KNOWN = 'The network cannot be told yet. It takes a few more loads that open new connections.';
export const RATE_NOT_KNOWN =
  'The download rate of the network is not known yet. It takes a load that keeps it busy, such as a page with large pictures.';

/** @param basis what the figures are of, in a sentence. */
export function predictionTable(
  { rows, reach, inferred, error }: Predicted,
  { figures, basis }: { readonly figures: Figures; readonly basis: string },
): PredictionTable {
  return {
    rows: rows.map((one) => row(one, figures)),
    notes: [basis, errorWords(error, figures), ...reachWords(reach, figures), ...partNotes(rows)],
    assumed: inferred.map(({ requests, rule }) =>
      requests === 0 ? sentenceOf(rule) : `${sentenceOf(rule)} (${figures.count(requests, { one: 'request', many: 'requests' })})`,
    ),
  };
}

/** In a cell that has no figure. */
const NONE = '–';
const BASELINE = 'firefox-default';
/** Of the prediction, in every cell: also whoever hears one cell alone hears that it is not exact. */
const ABOUT = '≈\u00a0';

/** Figures of what is not simulated at all are the baseline's, and would look like no effect. */
function row({ id, loadTimeMs, ratio, ratioBand, bound, coverage, measured }: PredictedRow, figures: Figures): PredictionRow {
  const isBaseline = id === BASELINE;
  const isModelled = coverage !== 'not-modelled';
  const range = ratioBand === undefined ? '' : ` (${figures.change(ratioBand.low)} to ${figures.change(ratioBand.high)})`;
  const part = coverage === 'in-part' ? ' (in part)' : '';
  return {
    id,
    loadTime: isModelled ? `${ABOUT}${figures.duration(loadTimeMs)}` : NONE,
    change: !isModelled ? 'not modelled' : isBaseline ? 'baseline' : `${ABOUT}${figures.change(ratio)}${range}${part}`,
    bound: isModelled ? boundLabel(bound) : NONE,
    measured:
      measured === undefined
        ? ''
        : `${figures.duration(measured.medianMs)} (${measured.loads === 1 ? '1 load' : `median of ${figures.count(measured.loads, { one: 'load', many: 'loads' })}`})`,
  };
}

function partNotes(rows: readonly PredictedRow[]): readonly string[] {
  const ids = rows.flatMap(({ id, coverage }) => (coverage === 'in-part' ? [id] : []));
  return ids.length === 0 ? [] : [`Predicted in part, as not all that they set is modelled: ${ids.join(', ')}.`];
}

function errorWords(error: Predicted['error'], figures: Figures): string {
  if (error === undefined) return 'How far such predictions are off has not been measured yet.';
  const { errorP50, errorP90, basis } = error;
  return `Half of such predictions were within ${figures.percent(errorP50)} of the measured load time, nine of ten within ${figures.percent(errorP90)} (${basis}).`;
}

/** Empty: the number of connections acts on every request. */
function reachWords({ requests, byConnections }: Predicted['reach'], figures: Figures): readonly string[] {
  if (byConnections === requests) return [];
  const others = 'HTTP/2 or HTTP/3, where one connection carries all requests';
  if (byConnections === 0) return [`The number of connections has no effect here: every server speaks ${others}.`];
  const all = figures.count(requests, { one: 'request', many: 'requests' });
  return [`The number of connections acts on ${byConnections} of ${all}; the others go to servers with ${others}.`];
}

const sentenceOf = (text: string): string => `${text.trim().replace(/[.\s]+$/, '')}.`;

interface RenderOptions {
  /** A last column for what was measured. */
  readonly beside: 'measured' | 'nothing';
}

/**
 * Puts a prediction into a page that has the elements for it, by a prefix of their ids: -status, -table, -rows, -notes, -assumed
 * and -assumed-list. What can hold the focus is in the page already and only shown or hidden.
 */
export function renderPrediction(prefix: string, { status, table }: PredictionView, options: RenderOptions): void {
  setOptionalText(`${prefix}-status`, status);
  show(`${prefix}-table`, table !== undefined);
  if (table !== undefined) renderTable(prefix, table, options);
}

function renderTable(prefix: string, { rows, notes, assumed }: PredictionTable, options: RenderOptions): void {
  pageElement(`${prefix}-rows`, HTMLElement).replaceChildren(...rows.map((row) => tableRow(row, options)));
  pageElement(`${prefix}-notes`, HTMLElement).replaceChildren(...notes.map((text) => create('p', {}, text)));
  show(`${prefix}-assumed`, assumed.length > 0);
  pageElement(`${prefix}-assumed-list`, HTMLElement).replaceChildren(...assumed.map((text) => create('li', {}, text)));
}

function tableRow({ id, loadTime, change, bound, measured }: PredictionRow, { beside }: RenderOptions): HTMLElement {
  return create(
    'tr',
    {},
    create('th', { scope: 'row' }, id),
    create('td', { className: 'predicted-figure' }, loadTime, create('small', {}, `mostly ${bound}`)),
    create('td', { className: 'predicted-figure' }, change),
    ...(beside === 'measured' ? [create('td', {}, measured === '' ? 'not measured' : measured)] : []),
  );
}
