/** Saves the report as a file through a link to a Blob: no `downloads` permission, and nothing leaves the machine. */
import { sendRequest } from '../adapters/messaging.ts';

let lastUrl: string | undefined;

/** @returns the file's name. @throws PlumbfoxError when the background cannot build the report. */
export async function exportReport(): Promise<string> {
  const report = await sendRequest({ kind: 'export-report' });
  // The former URL goes only now: revoking straight after the click can lose the download while Firefox asks where to save it.
  if (lastUrl !== undefined) URL.revokeObjectURL(lastUrl);
  lastUrl = URL.createObjectURL(new Blob([`${JSON.stringify(report, null, 2)}\n`], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = lastUrl;
  // Colons are not allowed in file names on Windows.
  link.download = `plumbfox-report-${report.createdAt.replaceAll(/[^0-9TZ-]+/g, '-')}.json`;
  link.click();
  return link.download;
}
