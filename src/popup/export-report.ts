/** Saves the report as a file. */
import { sendRequest } from '../adapters/messaging.ts';
import { saveText } from './save-text.ts';

/** @returns the file's name. @throws PlumbfoxError when the background cannot build the report. */
export async function exportReport(): Promise<string> {
  const report = await sendRequest({ kind: 'export-report' });
  // Colons are not allowed in file names on Windows.
  return saveText(`plumbfox-report-${report.createdAt.replaceAll(/[^0-9TZ-]+/g, '-')}.json`, `${JSON.stringify(report, null, 2)}\n`);
}
