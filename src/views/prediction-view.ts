/** Predictions. Every figure is marked as not measured: by its heading, by ≈, and by the notes under the table. */
import { answerSentence } from '../core/answer/format-answer.ts';
import { assertNever } from '../core/errors.ts';
import { boundLabel, formatGatewayVisit, formatWithheld, linkFigures } from '../core/text/labels.ts';
import type { Predicted, PredictedRow, ShownFieldPrediction } from '../protocol/prediction-answer.ts';
import { create, pageElement, setOptionalText, show } from './page.ts';
import { settingsText } from './profile-text.ts';
import { coreLanguage, fixedText, format, text } from './text.ts';

/** How far a prediction is that a page has asked for. `unreadable`: there is nothing to predict from. */
export type PredictionState =
  | { readonly state: 'computing' | 'unreadable' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'answered'; readonly answer: ShownFieldPrediction; readonly again: boolean };

interface PredictionRow {
  readonly id: string;
  readonly loadTime: string;
  /** Efficiency against the baseline. */
  readonly change: string;
  /** What takes most of the time. */
  readonly bound: string;
  /** The measured time; empty: there is none. */
  readonly measured: string;
}

interface PredictionTable {
  readonly rows: readonly PredictionRow[];
  /** What the figures are based on, and how accurate they are, a sentence or two each. */
  readonly notes: readonly string[];
  /** Assumptions, and for how many requests. */
  readonly assumed: readonly string[];
}

export interface PredictionView {
  /** `undefined`: there is nothing to wait for or explain. */
  readonly status: string | undefined;
  readonly table: PredictionTable | undefined;
}

export function predictionView(state: PredictionState): PredictionView {
  switch (state.state) {
    case 'computing':
      return { status: text('prediction.computing'), table: undefined };
    case 'unreadable':
      return { status: answerSentence({ from: 'nothing', why: 'unreadable' }, coreLanguage), table: undefined };
    case 'failed':
      return { status: text('prediction.failed', { why: sentenceOf(fixedText(state.message)) }), table: undefined };
    case 'answered':
      return answeredView(state.answer, state.again);
    default:
      return assertNever(state);
  }
}

function answeredView(answer: ShownFieldPrediction, again: boolean): PredictionView {
  const status = again ? text('prediction.again') : undefined;
  if (answer.state !== 'predicted') return { status: status ?? whyNone(answer), table: undefined };
  const { link, pages } = answer;
  const table = predictionTable(answer, text('prediction.basis', { count: pages, network: linkLabel(link) }));
  return { status, table: { ...table, notes: [...table.notes, ...besideNotes(answer.beside ?? [])] } };
}

type Beside = NonNullable<Extract<ShownFieldPrediction, { readonly state: 'predicted' }>['beside']>;

/** Compares the simulation with loads of the same pages, and says what follows where they differ. */
function besideNotes(beside: Beside): readonly string[] {
  if (beside.length === 0) return [];
  const mean = (times: readonly number[]) => Math.exp(times.reduce((sum, time) => sum + Math.log(time), 0) / times.length);
  const [measured, simulated] = [mean(beside.map(({ recordedMs }) => recordedMs)), mean(beside.map(({ simulatedMs }) => simulatedMs))];
  const count = beside.length;
  const parting = beside.filter(({ state }) => state === 'parts').length;
  const both = text('prediction.beside', { count, measured, simulated });
  if (parting === 0) return [both];
  return [`${both} ${parting === count ? text('prediction.allParting') : text('prediction.parting', { count: parting })}`];
}

/** A link's label keeps its figures, which a name given by a person does not show. */
export function linkLabel({ given, name }: { readonly given?: string | undefined; readonly name: string }): string {
  const figures = linkFigures(name, format);
  return given === undefined ? figures : text('load.network.given', { given, name: figures });
}

function whyNone(answer: Exclude<ShownFieldPrediction, { readonly state: 'predicted' }>): string {
  switch (answer.state) {
    case 'no-loads':
      return text('prediction.noLoads');
    case 'link-not-known':
      return text('load.networkUnknown');
    case 'rate-not-known':
      return text('prediction.knownSoFar', { unknown: text('prediction.rateUnknown'), network: linkLabel(answer.link) });
    case 'nothing-to-predict': {
      const network = linkLabel(answer.link);
      return answer.because === undefined
        ? text('prediction.nothing', { network })
        : text('prediction.nothing.because', { network, why: sentenceOf(fixedText(answer.because)) });
    }
    default:
      return assertNever(answer);
  }
}

/** Pure. @param basis - What the figures are for, in a sentence. */
export function predictionTable({ rows, reach, inferred, error }: Predicted, basis: string): PredictionTable {
  return {
    rows: rows.map(row),
    notes: [basis, errorNote(error), ...reachNotes(reach), ...partNotes(rows), ...gatewayNotes(rows)],
    assumed: inferred.map(({ requests, rule }) =>
      requests === 0
        ? sentenceOf(fixedText(rule))
        : text('prediction.assumed', { rule: sentenceOf(fixedText(rule)), requests: text('count.requests', { count: requests }) }),
    ),
  };
}

/** Fills a cell without a figure. */
const NONE = '–';
const BASELINE = 'firefox-default';
/** Marks the figure of every cell, for a user whose screen reader reads single cells. */
const about = (figure: string): string => text('prediction.about', { figure });

/** The figures of a profile that is not modelled, or cannot act, are the baseline's, which would look like no effect. */
function row(one: PredictedRow): PredictionRow {
  const { id, loadTimeMs, bound, coverage, measured } = one;
  const isSimulated = coverage !== 'not-modelled' && coverage !== 'cannot-act' && coverage !== 'short-round-trips';
  return {
    id,
    loadTime: isSimulated ? about(format.duration(loadTimeMs)) : NONE,
    change: id === BASELINE ? text('comparison.baseline') : changeLabel(one),
    bound: isSimulated ? fixedText(boundLabel(bound)) : NONE,
    measured: measured === undefined ? '' : text('prediction.measured', { count: measured.loads, time: measured.medianMs }),
  };
}

function changeLabel({ ratio, ratioBand, coverage }: PredictedRow): string {
  if (coverage === 'short-round-trips') return formatWithheld(coverage, coreLanguage);
  if (coverage === 'not-modelled') return text('prediction.notModelled');
  if (coverage === 'cannot-act') return text('prediction.cannotAct');
  if (coverage === 'unchanged') return text('prediction.unchanged');
  const figure = about(format.change(ratio));
  const change =
    ratioBand === undefined
      ? figure
      : text('figure.interval', { figure, low: format.change(ratioBand.low), high: format.change(ratioBand.high) });
  return coverage === 'in-part' ? text('prediction.inPart', { change }) : change;
}

function partNotes(rows: readonly PredictedRow[]): readonly string[] {
  const ids = rows.flatMap(({ id, coverage }) => (coverage === 'in-part' ? [id] : []));
  return ids.length === 0 ? [] : [text('prediction.partNote', { profiles: ids.map(settingsText).join(', ') })];
}

function gatewayNotes(rows: readonly PredictedRow[]): readonly string[] {
  const visit = rows.find(({ gateway }) => gateway !== undefined)?.gateway;
  return visit === undefined ? [] : [formatGatewayVisit(visit, coreLanguage)];
}

function errorNote(error: Predicted['error']): string {
  if (error === undefined) return text('prediction.errorUnknown');
  const { errorP50: half, errorP90: most, basis } = error;
  return text('prediction.error', { half, most, basis: basisText(basis) });
}

/** `HTTP/1.1, no packet lost: 42 pairs; ... out of 2998 loads of ...`, piece by piece. */
const basisText = (basis: string): string =>
  basis
    .split(/(, (?=no |packets )|: |; (?=HTTP)| (?=out of )|(?<=out of) )/)
    .map(fixedText)
    .join('');

/** Empty if the number of connections acts on every request. */
function reachNotes({ requests, byConnections }: Predicted['reach']): readonly string[] {
  if (byConnections === requests) return [];
  if (byConnections === 0) return [text('prediction.reach.none')];
  return [text('prediction.reach.part', { reached: byConnections, requests: text('count.requests', { count: requests }) })];
}

const sentenceOf = (reason: string): string => `${reason.trim().replace(/[.\s]+$/, '')}.`;

interface RenderOptions {
  /** A last column for what was measured. */
  readonly beside: 'measured' | 'nothing';
}

/**
 * Puts a prediction into a page that has the elements for it, with this prefix of their ids: -status, -table, -rows, -notes, -assumed and
 * -assumed-list. Elements that can have the focus are in the page already and only shown or hidden.
 */
export function renderPrediction(prefix: string, { status, table }: PredictionView, options: RenderOptions): void {
  setOptionalText(`${prefix}-status`, status);
  show(`${prefix}-table`, table !== undefined);
  if (table !== undefined) renderTable(prefix, table, options);
}

function renderTable(prefix: string, { rows, notes, assumed }: PredictionTable, options: RenderOptions): void {
  pageElement(`${prefix}-rows`, HTMLElement).replaceChildren(...rows.map((row) => tableRow(row, options)));
  pageElement(`${prefix}-notes`, HTMLElement).replaceChildren(...notes.map((note) => create('p', {}, note)));
  show(`${prefix}-assumed`, assumed.length > 0);
  pageElement(`${prefix}-assumed-list`, HTMLElement).replaceChildren(...assumed.map((one) => create('li', {}, one)));
}

function tableRow({ id, loadTime, change, bound, measured }: PredictionRow, { beside }: RenderOptions): HTMLElement {
  const settings = create('th', { scope: 'row' }, settingsText(id));
  settings.dataset.profile = id;
  return create(
    'tr',
    {},
    settings,
    create('td', { className: 'predicted-figure' }, loadTime, create('small', {}, text('prediction.mostly', { bound }))),
    create('td', { className: 'predicted-figure' }, change),
    ...(beside === 'measured' ? [create('td', {}, measured === '' ? text('prediction.notMeasured') : measured)] : []),
  );
}
