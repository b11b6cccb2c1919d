/** Saves the report as a file. */
import { browser } from '../adapters/browser.ts';
import { sendRequest } from '../adapters/messaging.ts';
import type { Answer } from '../core/answer/answer.ts';
import type { WorkerRequest } from '../protocol/field-answer.ts';
import type { FieldComparer } from './field-comparison.ts';
import { saveText } from './save-text.ts';

/** As the worker parses it: its lists could be changed there. */
type SentAnswer = NonNullable<Extract<WorkerRequest, { kind: 'report' }>['answer']>;

/** @param answer - What the popup shows; absent: not known yet. @returns the file's name. @throws PlumbfoxError when the report cannot be made. */
export async function exportReport(field: FieldComparer, answer: Answer | undefined): Promise<string> {
  const { version, buildId, os, architecture } = await sendRequest({ kind: 'browser-facts' });
  const createdAt = new Date().toISOString();
  const provenance = { plumbfox: browser.runtime.getManifest().version, firefox: { version, buildId }, os: `${os} ${architecture}` };
  const text = await field.report({ provenance, createdAt, ...(answer && { answer: answer as SentAnswer }) });
  // Colons are not allowed in file names on Windows.
  return saveText(`plumbfox-report-${createdAt.replaceAll(/[^0-9TZ-]+/g, '-')}.json`, text);
}
