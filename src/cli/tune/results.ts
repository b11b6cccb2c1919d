/** Writes what a run leaves behind: the report as JSON and HTML, and what is proven by settings alone for administrators and people. */
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PlumbfoxError } from '../../core/errors.ts';
import { policiesJson } from '../../core/profiles/policies-json.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import { userJs } from '../../core/profiles/user-js.ts';
import type { Report } from '../../core/report/report.ts';
import { reportHtml } from '../../core/report/report-html.ts';
import { reportText } from '../../core/report/report-text.ts';
import { keepAside } from '../../lab/run/keep-aside.ts';
import { EXTENSION_ID } from '../../protocol/helper-messages.ts';
import type { TuneFiles } from './json.ts';

export interface WriteOptions {
  readonly folder: string;
  readonly report: Report;
  readonly profiles: readonly Profile[];
  readonly loadsPath: string;
  /** A file of that name was there; it has another name now. */
  readonly onKept: (path: string, aside: string) => void;
}

/** @throws PlumbfoxError `environment` when a file cannot be written. */
export async function writeResults(options: WriteOptions): Promise<TuneFiles> {
  const { folder, report, loadsPath } = options;
  const texts = textsOf(options);
  for (const [name, text] of texts) {
    const path = join(folder, name);
    const aside = text === undefined ? await keepFormerAside(path) : await placeFile(path, text);
    if (aside !== undefined) options.onKept(path, aside);
  }
  const isWritten = report.comparison.recommendation.settingsAlone.state === 'recommended';
  return {
    report: join(folder, REPORT),
    html: join(folder, HTML),
    policies: isWritten ? join(folder, POLICIES) : null,
    userJs: isWritten ? join(folder, USER_JS) : null,
    loads: loadsPath,
  };
}

const REPORT = 'report.json';
const HTML = 'report.html';
const POLICIES = 'policies.json';
const USER_JS = 'user.js';

/**
 * The text of each file; `undefined` if it is not written. A policy and user.js can only set preferences, so they hold the best profile by
 * settings alone.
 */
function textsOf({ report, profiles }: WriteOptions): readonly (readonly [name: string, text: string | undefined])[] {
  const { settingsAlone } = report.comparison.recommendation;
  const proven = settingsAlone.state === 'recommended' ? profiles.find(({ id }) => id === settingsAlone.profileId) : undefined;
  if (settingsAlone.state === 'recommended' && proven === undefined) {
    throw new PlumbfoxError('internal', `${settingsAlone.profileId} is recommended and was not measured`);
  }
  const carrier = report.profiles.find(({ id }) => id === proven?.id)?.carrier ?? 'none';
  const policies = proven && `${JSON.stringify(policiesJson(proven, { extensionId: EXTENSION_ID, carrier }), null, 2)}\n`;
  return [
    [REPORT, reportText(report)],
    [HTML, reportHtml(report)],
    [POLICIES, policies],
    [USER_JS, proven && userJs(proven, { carrier, notes: [settingsAlone.sentence] })],
  ];
}

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
    throw notWritten(path, error);
  }
}

/** A file of a former run would be taken for this one's. @returns the name that it has now. */
async function keepFormerAside(path: string): Promise<string | undefined> {
  try {
    return await keepAside(path);
  } catch (error) {
    throw notWritten(path, error);
  }
}

const notWritten = (path: string, error: unknown): PlumbfoxError =>
  new PlumbfoxError('environment', `${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? error})`, { cause: error });
