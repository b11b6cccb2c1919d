// @ts-check
// What came of the mutants, file by file (docs/mutation.json), and the page that people read (docs/mutation.md).
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { MODULES } from './modules.mjs';
import { hashOf, knownOf, linesOf, noteOf } from './tried.mjs';

const DATA = 'docs/mutation.json';
const PAGE = 'docs/mutation.md';
/** Why a survivor can not be killed: it does what the original does. Written by hand. */
const ARGUED = 'src/tools/mutation/equivalent.json';

/**
 * @typedef {{ line: number, from: string, to: string, mutator: string }} Survivor
 * @typedef {{ module: string, mutants: number, tried: number, killed: number, timedOut: number, survivors: readonly Survivor[],
 *   commit: string, date: string }} FileResult
 * @typedef {{ file: string, from: string, to: string, reason: string }} Argued
 */

/** @returns {Record<string, FileResult>} */
const readResults = () => (existsSync(DATA) ? JSON.parse(readFileSync(DATA, 'utf8')) : {});

/**
 * @param {string} module
 * @param {string} path
 * @param {readonly { fileName: string, location: import('./tried.mjs').Line['location'], mutatorName: string, replacement: string }[]} mutants all of the file
 * @returns {string} what came of it, in words
 */
export function noteFile(module, path, mutants) {
  const source = readFileSync(path, 'utf8');
  const known = knownOf(linesOf(module));
  const hash = hashOf(source);
  const tried = mutants.flatMap((mutant) => known.get(noteOf(mutant, hash)) ?? []);
  const count = (/** @type {string} */ wanted) => tried.filter(({ status }) => status === wanted).length;
  const lines = source.split('\n');
  const survivors = tried
    .filter(({ status }) => status === 'survived')
    .map(({ location, replacement, mutatorName }) => ({
      line: location.start.line + 1,
      from: textAt(lines, location),
      to: oneLine(replacement),
      mutator: mutatorName,
    }));
  const [killed, timedOut] = [count('killed'), count('timeout')];
  const result = { module, mutants: mutants.length, tried: tried.length, killed, timedOut, survivors, ...lastCommit(path) };
  const there = Object.entries({ ...readResults(), [path]: result }).filter(([file]) => existsSync(file));
  const sorted = there.toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(DATA, `${JSON.stringify(Object.fromEntries(sorted), null, 1)}\n`);
  return `${path}: ${killed + timedOut} of ${tried.length} killed (${mutants.length} mutants)`;
}

const lastCommit = (/** @type {string} */ file) => {
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%h', '--', file], { encoding: 'utf8' });
  return { commit: stdout.trim(), date: new Date().toISOString().slice(0, 10) };
};

const oneLine = (/** @type {string} */ text) => text.replace(/\s+/g, ' ').trim();

/** @type {(lines: readonly string[], at: { start: { line: number, column: number }, end: { line: number, column: number } }) => string} */
function textAt(lines, { start, end }) {
  const part = lines.slice(start.line, end.line + 1);
  part[part.length - 1] = part.at(-1)?.slice(0, end.column) ?? '';
  part[0] = part[0]?.slice(start.column) ?? '';
  return oneLine(part.join(' '));
}

/** Writes the page from the figures that are there. */
export function writePage() {
  const results = readResults();
  /** @type {readonly Argued[]} */
  const argued = existsSync(ARGUED) ? JSON.parse(readFileSync(ARGUED, 'utf8')) : [];
  const reasonOf = (/** @type {string} */ file, /** @type {Survivor} */ { from, to }) =>
    argued.find((one) => one.file === file && one.from === from && one.to === to)?.reason;
  const rows = [];
  const lists = [];
  for (const { name, bar, files } of MODULES) {
    const known = files.flatMap((file) => (results[file] === undefined ? [] : [{ file, ...results[file] }]));
    if (known.length === 0) {
      rows.push(`| ${name} | 0 of ${files.length} | not run | | | | | ${bar} % | not known |`);
      continue;
    }
    const sum = (/** @type {(one: FileResult) => number} */ of) => known.reduce((total, one) => total + of(one), 0);
    const survivors = known.flatMap(({ file, survivors: found }) => found.map((one) => ({ file, ...one, reason: reasonOf(file, one) })));
    const equivalent = survivors.filter(({ reason }) => reason !== undefined).length;
    const [mutants, tried, timedOut] = [sum((one) => one.mutants), sum((one) => one.tried), sum((one) => one.timedOut)];
    const killed = sum((one) => one.killed) + timedOut;
    const whole = known.length === files.length && tried === mutants;
    const share = whole ? (100 * killed) / (tried - equivalent) : byFile(known, survivors);
    const held = share < bar ? 'not held' : whole ? 'held' : 'not known';
    const said = whole ? '' : ', estimated';
    rows.push(
      `| ${name} | ${known.length} of ${files.length} | ${tried} of ${mutants} | ${killed} | ${timedOut} | ${survivors.length} | ${equivalent} | ${bar} % | ${share.toFixed(1)} %${said}: ${held} |`,
    );
    lists.push(`### ${name}`, '', ...known.map(fileLine), '', ...survivorList(survivors), '');
  }
  writeFileSync(PAGE, `${[...INTRODUCTION, ...rows, '', ...AFTER, ...lists].join('\n').trimEnd()}\n`);
}

/** @type {(one: FileResult & { file: string }) => string} */
const fileLine = ({ file, mutants, tried, killed, timedOut, commit, date }) =>
  `- \`${file}\`: ${killed + timedOut} of ${tried} killed${tried < mutants ? `, of ${mutants} mutants` : ''}, ${commit}, ${date}`;

/** @type {(survivors: readonly (Survivor & { file: string, reason: string | undefined })[]) => readonly string[]} */
const survivorList = (survivors) =>
  survivors.length === 0
    ? ['No mutant survived.']
    : [
        '| survivor | was | became | equivalent, because |',
        '| --- | --- | --- | --- |',
        ...survivors.map(({ file, line, from, to, reason = '' }) => `| ${file}:${line} | ${cell(from)} | ${cell(to)} | ${reason} |`),
      ];

/** Characters of code that a cell shows. */
const MOST_SHOWN = 70;
const cell = (/** @type {string} */ code) =>
  `\`${(code.length > MOST_SHOWN ? `${code.slice(0, MOST_SHOWN)}…` : code).replaceAll('`', 'ˋ').replaceAll('|', '\\|') || ' '}\``;

/**
 * Each file counts by its mutants: files tried whole, whose tests were mended, do not speak for those of which a few were drawn.
 * @param {readonly (FileResult & { file: string })[]} files
 * @param {readonly { file: string, reason: string | undefined }[]} survivors
 */
function byFile(files, survivors) {
  let [killed, of] = [0, 0];
  for (const { file, mutants, tried, killed: own, timedOut } of files) {
    const counted = tried - survivors.filter((one) => one.file === file && one.reason !== undefined).length;
    if (counted === 0) continue;
    killed += (mutants * (own + timedOut)) / counted;
    of += mutants;
  }
  return (100 * killed) / of;
}

const INTRODUCTION = [
  '# Mutation testing',
  '',
  'Does a test fail when the code is wrong? The code is broken a small change at a time (`<` becomes `<=`, `+` becomes `-`, a condition is always true,',
  'a statement is gone; the changes are those of [Stryker](https://stryker-mutator.io)), and the tests that reach the place run. A mutant that no test notices survives.',
  'This page is written by `npm run mutate` from `docs/mutation.json`; nothing in it is typed by hand but why a survivor is equivalent',
  '(`src/tools/mutation/equivalent.json`).',
  '',
  'Each module is judged by the tests that mirror it (`src/tools/mutation/modules.mjs`), not by the whole suite; what other tests would notice counts',
  'as survived. "Killed" includes what ran out of time, which is also listed apart. Where not all mutants of a file were tried, those tried were drawn by a',
  'hash of what they are; the share is then estimated, each file by its number of mutants, and holds no bar.',
  '',
  '| module | files | mutants tried | killed | of these, out of time | survived | of these, equivalent | bar | killed, of those that are not equivalent |',
  '| --- | --: | --: | --: | --: | --: | --: | --: | --- |',
];

const AFTER = [
  '## Files and survivors',
  '',
  'Each line has the last commit of the file and the day of its last run. A survivor without a reason is a gap in the tests.',
  '',
];
