/** Writes what a run leaves behind: the report as JSON and HTML, and the recommended profile for administrators and people. */
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { policiesJson } from '../core/profiles/policies-json.ts';
import { BASELINE_ID, FIREFOX_DEFAULT } from '../core/profiles/presets.ts';
import type { Profile } from '../core/profiles/profile.ts';
import { userJs } from '../core/profiles/user-js.ts';
import type { Report } from '../core/report/report.ts';
import { reportHtml } from '../core/report/report-html.ts';
import { EXTENSION_ID } from '../lab/firefox/extension-session.ts';
import type { TuneFiles } from './tune-json.ts';

export async function writeResults(options: {
  folder: string;
  report: Report;
  profiles: readonly Profile[];
  loadsPath: string;
}): Promise<TuneFiles> {
  const { folder, report, profiles, loadsPath } = options;
  const profile = profiles.find(({ id }) => id === (report.comparison.recommendation.profileId ?? BASELINE_ID)) ?? FIREFOX_DEFAULT;
  const carrier = report.profiles.find(({ id }) => id === profile.id)?.carrier ?? 'none';
  const files: TuneFiles = {
    report: join(folder, 'report.json'),
    html: join(folder, 'report.html'),
    policies: join(folder, 'policies.json'),
    userJs: join(folder, 'user.js'),
    loads: loadsPath,
  };
  await replaceFile(files.report, `${JSON.stringify(report, null, 2)}\n`);
  await replaceFile(files.html, reportHtml(report));
  await replaceFile(files.policies, `${JSON.stringify(policiesJson(profile, { extensionId: EXTENSION_ID, carrier }), null, 2)}\n`);
  await replaceFile(files.userJs, userJs(profile, { carrier, notes: [report.comparison.recommendation.sentence] }));
  return files;
}

/** A reader never sees half a file. */
async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.part`;
  await writeFile(temporary, text);
  await rename(temporary, path);
}
