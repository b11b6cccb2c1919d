/** Saves the report as a file. */
import { browser } from '../adapters/browser.ts';
import { sendRequest } from '../adapters/messaging.ts';
import type { FieldComparer } from './field-comparison.ts';
import { saveText } from './save-text.ts';

/** @returns the file's name. @throws PlumbfoxError when the report cannot be made. */
export async function exportReport(field: FieldComparer): Promise<string> {
  const { version, buildId, os, architecture } = await sendRequest({ kind: 'browser-facts' });
  const createdAt = new Date().toISOString();
  const provenance = { plumbfox: browser.runtime.getManifest().version, firefox: { version, buildId }, os: `${os} ${architecture}` };
  const text = await field.report({ provenance, createdAt });
  // Colons are not allowed in file names on Windows.
  return saveText(`plumbfox-report-${createdAt.replaceAll(/[^0-9TZ-]+/g, '-')}.json`, text);
}
