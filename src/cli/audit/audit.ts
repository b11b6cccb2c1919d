/** `plumbfox audit`: what each line of a list of preferences does in this Firefox, and the list as a whole. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Audit, groupCounts } from '../../core/audit/audit.ts';
import { auditHtml } from '../../core/audit/audit-html.ts';
import { auditList, unspokenBy } from '../../core/audit/audit-list.ts';
import { auditMarkdown } from '../../core/audit/audit-markdown.ts';
import { type BuildFacts, CATALOGUE_MAJOR, catalogueFacts, majorOf } from '../../core/audit/build-facts.ts';
import { withPredictions } from '../../core/audit/predict-list.ts';
import { MAX_LIST_BYTES, MAX_LIST_LINES, type PreferenceList, parsePreferenceList } from '../../core/audit/preference-list.ts';
import { PlumbfoxError } from '../../core/errors.ts';
import type { NamedLink, NamedPage } from '../../core/predict/predict-json.ts';
import { referenceOf } from '../../core/profiles/reference.ts';
import { findFirefox } from '../../lab/firefox/find-firefox.ts';
import { lastSeenIn } from '../../lab/firefox/names-gone.ts';
import { readBuildFacts } from '../../lab/firefox/read-build-facts.ts';
import { findPage } from '../../lab/pages/pages.ts';
import { recipeGraph } from '../../lab/pages/recipe-graph.ts';
import type { ServedBy } from '../../lab/pages/served-by.ts';
import { naming } from '../errors.ts';
import { readInput, writeNewFile } from '../files.ts';
import { jsonText, print, printNotices, terminalWidth } from '../output/terminal.ts';
import { parsePredictLinks } from '../predict/link.ts';
import { readPredictSource } from '../predict/source.ts';
import { type AuditArguments, auditHelp, parseAuditArguments, TYPICAL_LINKS } from './arguments.ts';

import { checkFixable, writeFixed } from './fix.ts';
import { measureList } from './measure.ts';
import { auditText } from './text.ts';

/** Answers the exit code. @throws PlumbfoxError of the kinds of `exitCodeFor`. */
export async function audit(args: readonly string[]): Promise<number> {
  const options = parseAuditArguments(args);
  if (options.help) return print(auditHelp());
  const list = readList(options);
  if (options.fix !== undefined) checkFixable(list.file, list);
  const found = await runAudit(list, options);
  if (options.html !== undefined) await writeNewFile('--html', options.html, auditHtml(found));
  const code = print(textOf(found, options));
  // Last, so that a list that was edited meanwhile costs nobody what was measured.
  if (options.fix !== undefined && list.bytes !== undefined) {
    const { file: path, bytes } = list;
    printNotices([await writeFixed({ path, bytes, list, lines: found.lines, inPlace: options.fix === 'in-place' })]);
  }
  return code;
}

function textOf(found: Audit, { json, markdown }: AuditArguments): string {
  if (json) return jsonText({ format: 'plumbfox-audit', version: 1, ...found });
  return markdown ? auditMarkdown(found) : auditText(found, { width: terminalWidth() });
}

interface NamedList extends PreferenceList {
  /** The name that the person gave. */
  readonly file: string;
  /** Absent: the list is of several files. */
  readonly bytes?: Buffer;
}

/** @throws PlumbfoxError `bad-input`, one line that begins with the file. */
function readList({ file, firefoxProfile }: AuditArguments): NamedList {
  if (file !== undefined) return listIn(file);
  const folder = firefoxProfile ?? '';
  const [prefs, user] = ['prefs.js', 'user.js'].map((name) => {
    const path = join(folder, name);
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? inFile(listIn(path, { mayBeEmpty: true }), name) : undefined;
  });
  if (prefs === undefined && user === undefined)
    throw new PlumbfoxError('bad-input', `${folder} is no Firefox profile: it has neither prefs.js nor user.js`);
  // Firefox reads user.js after prefs.js, and keeps what it read there: of both, user.js counts.
  const inUser = new Set(user?.lines.map(({ name }) => name));
  const lines = [...(prefs?.lines.filter(({ name }) => !inUser.has(name)) ?? []), ...(user?.lines ?? [])];
  return { format: 'preferences', lines, errors: [...(prefs?.errors ?? []), ...(user?.errors ?? [])], file: folder };
}

const inFile = (list: PreferenceList, file: string): PreferenceList => ({ ...list, lines: list.lines.map((line) => ({ ...line, file })) });

function listIn(path: string, options?: Parameters<typeof parsePreferenceList>[1]): NamedList {
  const bytes = readInput(path, { maxBytes: MAX_LIST_BYTES });
  try {
    const list = parsePreferenceList(bytes.toString('latin1'), options);
    if (list.lines.length > MAX_LIST_LINES)
      throw new PlumbfoxError('bad-input', `is too long for a list: up to ${MAX_LIST_LINES} preferences`);
    return { ...list, file: path, bytes };
  } catch (error) {
    if (error instanceof PlumbfoxError) throw new PlumbfoxError(error.kind, `${path} ${error.message}`, { cause: error });
    throw error;
  }
}

async function runAudit({ file, lines, format, errors, scripts }: NamedList, options: AuditArguments): Promise<Audit> {
  const pages = await pagesOf(options);
  const build = await factsFor(
    lines.map(({ name }) => name),
    options,
  );
  const judged = auditList(
    { lines, format, errors },
    {
      build,
      lastSeen: (name) => lastSeenIn(name, majorOf(build.version)),
      sourceOf: (name) => referenceOf(name)?.source,
      unspoken: unspokenBy(pages.pages.map(({ page }) => page)),
    },
  );
  const { lines: predicted, prediction } = naming('the pages of the prediction', () => withPredictions(judged, pages));
  const measured = options.measure && (await measureList(predicted, options.measure));
  const found = measured?.lines ?? predicted;
  return {
    list: { file, format },
    build: {
      ...{ source: build.source, version: build.version, platform: build.platform },
      ...(build.underPolicy && { underPolicy: true }),
    },
    counts: groupCounts(found),
    lines: found,
    errors,
    ...(scripts && { scripts }),
    ...(prediction && { prediction }),
    ...(measured && { measurement: measured.measurement }),
  };
}

/** A Firefox that is installed, or the catalogue. @throws PlumbfoxError `environment` when it does not start. */
async function factsFor(names: readonly string[], { catalogue }: AuditArguments): Promise<BuildFacts> {
  const firefox = catalogue ? undefined : await findFirefox();
  if (firefox !== undefined) return readBuildFacts(firefox.path, names);
  return process.platform === 'win32' ? catalogueFacts({ major: CATALOGUE_MAJOR, platform: 'windows' }) : catalogueFacts();
}

/** Pages that differ in what decides their loading: 12 servers, 6, one; over TLS by each version of HTTP, and plain. */
const TYPICAL_PAGES: readonly (readonly [name: string, servedBy: ServedBy])[] = [
  ['news', 'https'],
  ['shop', 'https'],
  ['wiki', 'embedded'],
  ['news', 'http2'],
  ['shop', 'http2'],
  ['news', 'http3'],
  ['shop', 'http3'],
];

const SERVED_LABELS: Readonly<Record<ServedBy, string>> = {
  embedded: 'plain HTTP/1.1',
  nginx: 'plain HTTP/1.1',
  https: 'HTTP/1.1',
  http2: 'HTTP/2',
  http3: 'HTTP/3',
  negotiated: 'HTTP/3',
};

interface PredictionPages {
  readonly basis: 'typical' | 'yours';
  readonly pages: readonly NamedPage[];
  readonly links: readonly NamedLink[];
}

async function pagesOf({ pagesFrom, links }: AuditArguments): Promise<PredictionPages> {
  const usual = (): readonly NamedLink[] => TYPICAL_LINKS.flatMap(parsePredictLinks);
  if (pagesFrom === undefined) {
    const pages = TYPICAL_PAGES.map(([name, servedBy]) => ({
      name: `${name} by ${SERVED_LABELS[servedBy]}`,
      page: recipeGraph(findPage(name), servedBy),
      inferred: [],
    }));
    return { basis: 'typical', pages, links: links ?? usual() };
  }
  const source = await readPredictSource(pagesFrom, undefined);
  return { basis: 'yours', pages: source.pages, links: links ?? (source.links.length > 0 ? source.links : usual()) };
}
