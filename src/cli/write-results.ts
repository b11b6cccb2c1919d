/** Writes what a run leaves behind: the report as JSON and HTML, and the recommended profile for administrators and people. */
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PlumbfoxError } from '../core/errors.ts';
import { policiesJson } from '../core/profiles/policies-json.ts';
import { BASELINE_ID, FIREFOX_DEFAULT } from '../core/profiles/presets.ts';
import type { Carrier, Profile } from '../core/profiles/profile.ts';
import { userJs } from '../core/profiles/user-js.ts';
import { gatewayCaution } from '../core/report/gateway-caution.ts';
import type { Report } from '../core/report/report.ts';
import { reportHtml } from '../core/report/report-html.ts';
import { keepAside } from '../lab/run/keep-aside.ts';
import { EXTENSION_ID } from '../protocol/extension-id.ts';
import type { TuneFiles } from './tune-json.ts';

/** @throws PlumbfoxError `environment` when a file cannot be written. */
export async function writeResults(options: {
  folder: string;
  report: Report;
  profiles: readonly Profile[];
  loadsPath: string;
  /** A file of that name was there; it has another name now. */
  onKept: (path: string, aside: string) => void;
}): Promise<TuneFiles> {
  const { folder, report, profiles, loadsPath } = options;
  const profile = profiles.find(({ id }) => id === (report.comparison.recommendation.profileId ?? BASELINE_ID)) ?? FIREFOX_DEFAULT;
  const carrier = carrierOutsideTune(report.profiles.find(({ id }) => id === profile.id)?.carrier);
  const caution = gatewayCaution(report.comparison);
  const notes = [report.comparison.recommendation.sentence, ...(caution === undefined ? [] : [caution])];
  const files: TuneFiles = {
    report: join(folder, 'report.json'),
    html: join(folder, 'report.html'),
    policies: join(folder, 'policies.json'),
    userJs: join(folder, 'user.js'),
    loads: loadsPath,
  };
  const texts: readonly (readonly [string, string])[] = [
    [files.report, `${JSON.stringify(report, null, 2)}\n`],
    [files.html, reportHtml(report)],
    [files.policies, `${JSON.stringify(policiesJson(profile, { extensionId: EXTENSION_ID, carrier }), null, 2)}\n`],
    [files.userJs, userJs(profile, { carrier, notes })],
  ];
  for (const [path, text] of texts) {
    const aside = await placeFile(path, text);
    if (aside !== undefined) options.onKept(path, aside);
  }
  return files;
}

/**
 * The gateway ends with the run. A file that named it as carrier would set what only its presence excuses (no limit towards
 * proxies, no pacing), and the extension would show a depth that nothing carries.
 */
const carrierOutsideTune = (measured: Carrier = 'none'): Carrier => (measured === 'gateway' ? 'none' : measured);

/** A reader never sees half a file. @returns the name that a former file of that name has now. */
async function placeFile(path: string, text: string): Promise<string | undefined> {
  const temporary = `${path}.${process.pid}.part`;
  try {
    await writeFile(temporary, text, { flag: 'wx' });
    const aside = await keepAside(path);
    await rename(temporary, path);
    return aside;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw new PlumbfoxError('environment', `${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? error})`, {
      cause: error,
    });
  }
}
