/** Parts of the docs that are made from code, each between marks: `<!-- NAME: begin -->` and `<!-- NAME: end -->`. */

import { APPLY_HELP } from '../../../src/cli/apply/apply.ts';
import { MANUAL_HELP } from '../../../src/cli/by-hand.ts';
import { COMPARE_HELP } from '../../../src/cli/compare.ts';
import { HELPER_HELP } from '../../../src/cli/helper.ts';
import { IMPORT_HAR_HELP } from '../../../src/cli/import-har.ts';
import { labHelp } from '../../../src/cli/lab/arguments.ts';
import { POLICY_HELP } from '../../../src/cli/policy/arguments.ts';
import { predictHelp } from '../../../src/cli/predict/arguments.ts';
import { tuneHelp } from '../../../src/cli/tune/arguments.ts';
import {
  conditionsOf,
  conditionsSentences,
  linksSentence,
  PUBLISHED,
  type PublishedConditions,
  type PublishedId,
} from '../../../src/core/audit/published-conditions.ts';
import { groupBy } from '../../../src/core/group-by.ts';
import { LAB_DEVIATIONS } from '../../../src/core/report/lab-deviations.ts';
import { IN_ENGLISH } from '../../../src/core/text/figures.ts';
import { LAB_PREFERENCES, NAMED_SERVER_PREFERENCES, SECURE_SERVER_PREFERENCES } from '../../../src/lab/firefox/lab-preferences.ts';
import { linkFigures, NAMED_LINKS } from '../../../src/lab/link/links.ts';
import { STUDIES } from '../../../src/lab/studies/all-studies.ts';
import { preferencesTables } from './preferences-table.ts';
import { textOf } from './source-tree.ts';

export interface GeneratedPart {
  readonly file: string;
  readonly name: string;
  readonly text: string;
}

const fenced = (text: string, language = ''): string => `\`\`\`${language}\n${text.trim()}\n\`\`\``;

/** The declarations of a file without the comment at its head, as a reader of JSON wants them. */
const declarations = (path: string): string => {
  const source = textOf(path);
  const code = source.slice(source.indexOf('*/') + 2).trim();
  return fenced(code.replaceAll(/^export /gm, '').replaceAll('readonly ', ''), 'ts');
};

/** The declarations of these names, with what is said above each. */
const declarationsOf = (names: Readonly<Record<string, readonly string[]>>): string => {
  const found = Object.entries(names).flatMap(([path, wanted]) => {
    const source = textOf(`src/lab/capture/${path}.ts`);
    return wanted.map((name) => {
      const declared = new RegExp(`(?:^/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n)?^export interface ${name}\\b[\\s\\S]*?^\\}`, 'm').exec(
        source,
      )?.[0];
      if (declared === undefined) throw new Error(`${path} declares no ${name}`);
      return declared;
    });
  });
  return fenced(
    found
      .join('\n\n')
      .replaceAll(/^export /gm, '')
      .replaceAll('readonly ', ''),
    'ts',
  );
};

const STATISTICS: Readonly<Record<string, readonly string[]>> = {
  'multiple-testing': ['holm'],
  'count-tests': ['binomialTest'],
  quantile: ['quantile'],
};

/** What the docstring above a function says before it lists arguments; of the file's head where it has none of its own. */
function saidOf(file: string, name: string): string {
  const source = textOf(`src/core/stats/${file}.ts`);
  const own = new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\nexport (?:function|const) ${name}\\b`).exec(source)?.[1];
  const text = own ?? /^\/\*\*([\s\S]*?)\*\//.exec(source)?.[1];
  if (text === undefined) throw new Error(`${file} says nothing of ${name}`);
  return (
    text
      .replaceAll(/^ \* ?/gm, '')
      .split(/^@/m)[0]
      ?.replaceAll(/\s+/g, ' ')
      .trim() ?? ''
  );
}

const statistics = (): string =>
  Object.entries(STATISTICS)
    .flatMap(([file, names]) => names.map((name) => `- \`${name}\`: ${saidOf(file, name)}`))
    .join('\n');

const linksTable = (): string =>
  ['| link | figures |', '| --- | --- |', ...NAMED_LINKS.map((link) => `| \`${link.name}\` | ${linkFigures(link)} |`)].join('\n');

const studiesTable = (): string =>
  [
    '| study | question | took, min |',
    '| --- | --- | --: |',
    ...STUDIES.map(({ id, question, tookMinutes }) => `| \`${id}\` | ${question} | ${tookMinutes ?? '–'} |`),
  ].join('\n');

const nameOf = ({ id, kind }: PublishedConditions): string => (kind === 'study' ? `[${id}](results/${id}/findings.md)` : `\`test/${id}\``);

/** What measurements were made with, one line each, and what holds for all of them once. */
function madeWith(...ids: readonly PublishedId[]): string {
  const lines = ids.map(conditionsOf).map((made) => `- ${nameOf(made)}: ${conditionsSentences({ ...made, links: 'repaired' })}`);
  return [...lines, '', `Not measured again yet. ${linksSentence()}`].join('\n');
}

const studiesMadeWith = (): string =>
  [
    '| study | made | in Firefox ESR | servers sent with | load average beside it |',
    '| --- | --- | --- | --- | --- |',
    ...PUBLISHED.filter(({ kind }) => kind === 'study').map(
      ({ id, day, firefox, sender, loadAverage }) =>
        `| ${id} | ${IN_ENGLISH.day(day)} | ${firefox} | ${sender === 'reno' ? 'Reno' : 'CUBIC'} | ${
          loadAverage === undefined ? 'none noted' : `${loadAverage.low} to ${loadAverage.high}`
        } |`,
    ),
    '',
    `None is measured again yet. ${linksSentence()}`,
  ].join('\n');

/** Preferences with one reason share a row. */
function labPreferencesTable(): string {
  const rows = [
    ['always', LAB_PREFERENCES],
    ['HTTPS, HTTP/2, HTTP/3', SECURE_SERVER_PREFERENCES],
    ['negotiated', NAMED_SERVER_PREFERENCES],
  ] as const;
  return [
    "| servers | why | preferences | unlike a person's Firefox, it |",
    '| --- | --- | --- | --- |',
    ...rows.flatMap(([servers, preferences]) =>
      [...groupBy(preferences, ({ why }) => why)].map(([why, own]) => {
        const set = own.map(({ preference, value }) => `\`${preference}\` ${value === '' ? '""' : String(value)}`).join(', ');
        const unlike = LAB_DEVIATIONS.filter((each) =>
          own.some(({ preference, value }) => preference === each.preference && value === each.value),
        );
        return `| ${servers} | ${why} | ${set} | ${unlike.map((each) => each.unlike).join('; ') || '–'} |`;
      }),
    ),
  ].join('\n');
}

/** As they are now; `node src/tools/doc-tables.mjs` writes them. */
export const generatedParts = (): readonly GeneratedPart[] => [
  { file: 'docs/tune.md', name: 'help of tune', text: fenced(tuneHelp()) },
  { file: 'docs/compare.md', name: 'help of compare', text: fenced(COMPARE_HELP) },
  { file: 'docs/predict.md', name: 'help of predict', text: fenced(predictHelp()) },
  { file: 'docs/lab.md', name: 'help of lab', text: fenced(labHelp()) },
  { file: 'docs/import-har.md', name: 'help of import-har', text: fenced(IMPORT_HAR_HELP) },
  { file: 'docs/apply.md', name: 'help of helper', text: fenced(HELPER_HELP) },
  { file: 'docs/apply.md', name: 'help of apply', text: fenced(APPLY_HELP) },
  { file: 'docs/apply.md', name: 'help of policy', text: fenced(POLICY_HELP) },
  { file: 'docs/apply.md', name: 'help of by-hand', text: fenced(MANUAL_HELP) },
  { file: 'docs/lab.md', name: 'studies', text: studiesTable() },
  { file: 'docs/lab.md', name: 'lab preferences', text: labPreferencesTable() },
  { file: 'docs/links.md', name: 'links', text: linksTable() },
  {
    file: 'docs/captures.md',
    name: 'document of captures',
    text: declarationsOf({
      'capture-analysis': ['CaptureJson', 'CaptureAnalysis', 'ConnectionAnalysis', 'FlowAnalysis', 'SendingAnalysis'],
      'round-trips': ['RoundTrips'],
      'in-flight': ['ReceiveWindow'],
      'http-exchanges': ['HttpExchange', 'OutstandingStep'],
      'congestion-window': ['WindowRound', 'SlowStart'],
    }),
  },
  { file: 'docs/results/README.md', name: 'conditions', text: studiesMadeWith() },
  { file: 'docs/accuracy.md', name: 'conditions', text: madeWith('corpus', 'corpus-cubic') },
  { file: 'docs/simulator.md', name: 'conditions', text: madeWith('corpus', 'corpus-cubic') },
  { file: 'docs/search.md', name: 'conditions', text: madeWith('exhaustive') },
  { file: 'docs/predict.md', name: 'conditions', text: madeWith('modern-defaults') },
  { file: 'docs/preferences.md', name: 'tables of preferences', text: preferencesTables() },
  { file: 'docs/statistics.md', name: 'functions of statistics', text: statistics() },
  { file: 'docs/tune-json.md', name: 'document of tune', text: declarations('src/cli/tune/document.ts') },
  { file: 'docs/predict.md', name: 'document of predict', text: declarations('src/core/predict/predict-document.ts') },
];

const marksOf = (name: string): readonly [string, string] => [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];

/** @throws Error when the text lacks the marks. */
export function withPart(page: string, { file, name, text }: GeneratedPart): string {
  const [begin, end] = marksOf(name);
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} lacks the marks ${begin} and ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`;
}

/** A page without what is made from code or measured by a command. */
export const withoutGenerated = (page: string): string => page.replaceAll(/<!-- ([\w -]+): begin -->[\s\S]*?<!-- \1: end -->/g, '');
