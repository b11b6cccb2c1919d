/** The section "Data": the records as files, a report to look at, and deleting the loads of one site or all. */
import * as v from 'valibot';
import { browser } from '../adapters/browser.ts';
import { readLinkNames } from '../adapters/field-storage.ts';
import { sendRequest } from '../adapters/messaging.ts';
import type { Answer } from '../core/answer/answer.ts';
import { answerSentence } from '../core/answer/format-answer.ts';
import { PlumbfoxError } from '../core/errors.ts';
import { type DataReply, type DataRequest, dataReplySchema, type OwnReportRequest, type ShownReport } from '../protocol/data-request.ts';
import { attempt, create, pageElement, setOptionalText, setText, show, wireQuestion } from '../views/page.ts';
import { fileTime, saveText } from '../views/save-text.ts';
import { coreLanguage, fixedText, language, text } from '../views/text.ts';
import { countedChoice, fillChoices, rowGroup, tableRow } from './tables.ts';

/** The answer in the type that the worker parses, whose lists are mutable. */
type SentAnswer = NonNullable<Extract<DataRequest, { kind: 'report' }>['answer']>;

interface DataPage {
  /** The answer as the person sees it; `undefined`: not known yet. */
  readonly answer: () => Answer | undefined;
  /** The id of the load that is shown; `undefined`: none. */
  readonly chosen: () => string | undefined;
  readonly refresh: () => Promise<void>;
}

/** Above the largest report there is; see `reportText`. */
const MAX_REPORT_BYTES = 64_000_000;

const siteChoice = () => pageElement('data-site', HTMLSelectElement);
/** The chosen site; `undefined`: all. */
const chosenSite = (): string | undefined => siteChoice().value || undefined;
const ofChosen = () => {
  const site = chosenSite();
  return site === undefined ? {} : { site };
};

/** Call once. */
export function wireData({ answer, chosen, refresh }: DataPage): void {
  pageElement('data', HTMLDetailsElement).addEventListener('toggle', () => attempt('failed.list', showSites));
  siteChoice().addEventListener('change', showQuestion);
  onClick('data-json', 'failed.export', async () => {
    const shown = answer();
    const own = await ownReport();
    const request = { kind: 'report', ...own, ...(shown && { answer: shown as SentAnswer }) } as const;
    await saveFile(request, { name: `plumbfox-report-${fileTime(own.createdAt)}.json`, type: 'application/json' });
  });
  onClick('data-csv', 'failed.export', async () => {
    await saveFile({ kind: 'csv', names: await readLinkNames(), ...ofChosen() }, { name: fileName('csv'), type: 'text/csv' });
  });
  onClick('data-har', 'failed.export', () => saveHar(ofChosen()));
  onClick('chosen-har', 'failed.export', async () => {
    const id = chosen();
    if (id !== undefined) await saveHar({ id });
  });
  wireQuestion('data-delete', () =>
    attempt('failed.delete', async () => {
      const site = chosenSite();
      const done: { readonly deleted: number; readonly leftToDo?: string } =
        site === undefined ? await sendRequest({ kind: 'delete-all' }) : await sendRequest({ kind: 'delete-site', site });
      setText(
        'data-outcome',
        [text('records.deleted', { count: done.deleted }), ...(done.leftToDo ? [`${fixedText(done.leftToDo)}.`] : [])].join(' '),
      );
      await Promise.all([showSites(), refresh()]);
    }),
  );
  pageElement('report-file', HTMLInputElement).addEventListener('change', () => attempt('failed.report', () => showReport('alone')));
  pageElement('report-join', HTMLButtonElement).addEventListener('click', () => attempt('failed.join', () => showReport('joined')));
}

/** The report of the chosen file, alone or joined with the loads of this Firefox. The file is read each time: nothing of it is kept. */
async function showReport(which: 'alone' | 'joined'): Promise<void> {
  const [file] = pageElement('report-file', HTMLInputElement).files ?? [];
  if (file === undefined) return;
  if (which === 'alone') show('report', false);
  if (file.size > MAX_REPORT_BYTES) throw new PlumbfoxError('bad-input', text('report.tooLarge'));
  const own = which === 'joined' && { own: await ownReport() };
  const reply = await askWorker({ kind: 'read-report', text: await file.text(), ...own });
  if (reply.kind !== 'shown') return;
  setOptionalText('report-made', text(which === 'alone' ? 'report.notYours' : 'report.joinedMade'));
  show('report-join', which === 'alone');
  renderReport(reply.report);
}

async function ownReport(): Promise<OwnReportRequest> {
  const [names, facts] = await Promise.all([readLinkNames(), sendRequest({ kind: 'browser-facts' })]);
  const { version, buildId, os, architecture } = facts;
  const provenance = { plumbfox: ownVersion(), firefox: { version, buildId }, os: `${os} ${architecture}` };
  return { names: [...names], provenance, createdAt: new Date().toISOString() };
}

async function saveHar(which: { readonly site?: string } | { readonly id: string }): Promise<void> {
  const { version } = await sendRequest({ kind: 'browser-facts' });
  await saveFile({ kind: 'har', plumbfox: ownVersion(), firefox: version, ...which }, { name: fileName('har'), type: 'application/json' });
}

const ownVersion = (): string => browser.runtime.getManifest().version;
const fileName = (ending: string): string =>
  `plumbfox-loads-${chosenSite() === undefined ? '' : `${chosenSite()}-`}${fileTime(new Date().toISOString())}.${ending}`;

function onClick(id: string, what: 'failed.export', act: () => Promise<void>): void {
  pageElement(id, HTMLButtonElement).addEventListener('click', () => attempt(what, act));
}

async function saveFile(request: DataRequest, { name, type }: { readonly name: string; readonly type: string }): Promise<void> {
  const reply = await askWorker(request);
  if (reply.kind !== 'file') return;
  saveText(name, reply.text, type);
  setText('data-outcome', text('data.saved', { count: reply.loads, name }));
}

/** A worker for one request: it ends with its memory. @throws PlumbfoxError with the reason for which it could not be answered. */
export function askWorker(request: DataRequest): Promise<DataReply> {
  return new Promise((resolve, reject) => {
    const worker = new Worker('data-worker.js', { type: 'module' });
    const end = (settle: () => void) => {
      worker.terminate();
      settle();
    };
    worker.addEventListener('message', ({ data }) => {
      const reply = v.safeParse(dataReplySchema, data);
      const message = !reply.success ? text('failed.mistake') : reply.output.kind === 'failed' ? reply.output.message : undefined;
      end(() => (reply.success && message === undefined ? resolve(reply.output) : reject(new PlumbfoxError('internal', message ?? ''))));
    });
    worker.addEventListener('error', (event) => end(() => reject(new PlumbfoxError('internal', event.message || text('failed.mistake')))));
    worker.postMessage(request);
  });
}

/** Lists the sites when the section is open; the choice stays. */
async function showSites(): Promise<void> {
  if (!pageElement('data', HTMLDetailsElement).open) return;
  const reply = await askWorker({ kind: 'sites' });
  if (reply.kind !== 'sites') return;
  fillChoices(siteChoice(), [
    { value: '', label: text('data.allSites') },
    ...reply.sites.map(({ site, loads }) => countedChoice(site, site, loads)),
  ]);
  showQuestion();
}

function showQuestion(): void {
  const site = chosenSite();
  setText('data-delete-words', site === undefined ? text('records.deleteQuestion.unknown') : text('data.deleteSite', { site }));
}

function renderReport({ lines, answer, facts, groups, notes }: ShownReport): void {
  const said =
    answer === undefined || language === 'en'
      ? lines.map((line) => fromFile('p', line))
      : [create('p', {}, answerSentence(answer, coreLanguage))];
  pageElement('report-lines', HTMLElement).replaceChildren(...said);
  const terms = facts.map(({ term, value }) =>
    create('div', {}, create('dt', {}, text(`report.${term}`)), fromFile('dd', term === 'links' ? linksText(value) : value)),
  );
  pageElement('report-facts', HTMLElement).replaceChildren(...terms);
  const table = pageElement('report-table', HTMLTableElement);
  for (const body of [...table.tBodies]) body.remove();
  table.append(
    ...groups.map(({ heading, rows }) =>
      rowGroup({
        heading: heading && fixedText(heading),
        columns: 5,
        rows: rows.map(({ profile, loads, time, change, verdict }) =>
          tableRow(
            create('code', {}, profile),
            [loads, time, change, verdict].map((cell) => fromFile('span', cell)),
          ),
        ),
      }),
    ),
  );
  pageElement('report-notes', HTMLElement).replaceChildren(...notes.map((note) => fromFile('li', note)));
  // It scrolls by keyboard too.
  pageElement('report-scroll', HTMLElement).tabIndex = 0;
  show('report', true);
  pageElement('report-heading', HTMLElement).focus();
}

/** A text of the file in the person's language; one without a translation is marked as the English that it is. */
function fromFile(tag: string, english: string): HTMLElement {
  const said = fixedText(english);
  const element = create(tag, {}, said);
  if (language !== 'en' && said === english && IS_WORD.test(english)) element.lang = 'en';
  return element;
}

const IS_WORD = /[a-z]{3}/;

/** `home (estimated), office (set)`. */
const linksText = (links: string): string => links.replaceAll(/\((\w+)\)(?=, |$)/g, (_, basis: string) => `(${fixedText(basis)})`);
