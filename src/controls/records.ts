/** The section "Records": how many loads are stored, saving the report, and deleting all loads. */
import { browser } from '../adapters/browser.ts';
import { sendRequest } from '../adapters/messaging.ts';
import type { Answer } from '../core/answer/answer.ts';
import type { WorkerRequest } from '../protocol/field-answer.ts';
import type { FieldComparer } from '../views/field-comparison.ts';
import { attempt, pageElement, setText, wireQuestion } from '../views/page.ts';
import { fileTime, saveText } from '../views/save-text.ts';
import { text } from '../views/text.ts';
import type { ControlsView } from './controls-view.ts';

/** The answer in the type that the worker parses, whose lists are mutable. */
type SentAnswer = NonNullable<Extract<WorkerRequest, { kind: 'report' }>['answer']>;

interface RecordsPage {
  readonly field: FieldComparer;
  /** The answer for the report; `onWait`: called when it has to be computed first. */
  readonly settledAnswer: (onWait: () => void) => Promise<Answer | undefined>;
  readonly refresh: () => Promise<void>;
}

export function wireRecords({ field, settledAnswer, refresh }: RecordsPage): void {
  const outcome = pageElement('records-outcome', HTMLElement);
  pageElement('export', HTMLButtonElement).addEventListener('click', () =>
    attempt('failed.export', async () => {
      try {
        const answer = await settledAnswer(() => {
          outcome.textContent = text('predicting');
        });
        outcome.textContent = text('saved', { name: await exportReport(field, answer) });
      } catch (error) {
        // The failure is said at the top of the page.
        outcome.textContent = '';
        throw error;
      }
    }),
  );
  wireQuestion('delete', () =>
    attempt('failed.delete', async () => {
      const { deleted, leftToDo } = await sendRequest({ kind: 'delete-all' });
      const done = text('records.deleted', { count: deleted });
      outcome.textContent = leftToDo === undefined ? done : `${done} ${leftToDo}.`;
      await refresh();
    }),
  );
}

export function renderRecords(view: ControlsView['records']): void {
  setText('records-text', view.text);
  setText('delete-words', view.deleteQuestion);
  pageElement('export', HTMLButtonElement).disabled = !view.canExport;
  pageElement('delete', HTMLButtonElement).disabled = !view.canDelete;
}

async function exportReport(field: FieldComparer, answer: Answer | undefined): Promise<string> {
  const { version, buildId, os, architecture } = await sendRequest({ kind: 'browser-facts' });
  const createdAt = new Date().toISOString();
  const provenance = { plumbfox: browser.runtime.getManifest().version, firefox: { version, buildId }, os: `${os} ${architecture}` };
  const report = await field.report({ provenance, createdAt, ...(answer && { answer: answer as SentAnswer }) });
  return saveText(`plumbfox-report-${fileTime(createdAt)}.json`, report);
}
