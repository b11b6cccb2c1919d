/** `npm run bars`: the thirty bars, counted, and docs/reliability.md. */
import { renameSync, writeFileSync } from 'node:fs';
import { endWithCodeOf } from '../../support/command-end.ts';
import type { Bar } from '../bar.ts';
import { BARS } from '../bars.ts';
import { filesOf } from '../counting-files.ts';
import { added, barResult } from './bar-result.ts';
import { BARS_HELP, type BarsArguments, MAX_MINUTES, parseBarsArguments } from './bars-arguments.ts';
import { hashFor, standingNow } from './files-that-count.ts';
import { hashForGuard, openGuardTree } from './guard-tree.ts';
import { type FileRun, PAGE_FILE, RECORDS_FILE, type Records, readRecords, withGuard, withRun } from './records.ts';
import { countsText, reliabilityPage } from './reliability-page.ts';
import { runTests, runTogether, type TestsRun } from './run-tests.ts';

const MS_PER_MINUTE = 60_000;
const say = (line: string) => process.stdout.write(`${line}\n`);
const startedMs = performance.now();
const isTimeUp = () => performance.now() - startedMs > MAX_MINUTES * MS_PER_MINUTE;

function writeRecords(records: Records): void {
  for (const [file, text] of [
    [RECORDS_FILE, `${JSON.stringify(records, null, 2)}\n`],
    [PAGE_FILE, reliabilityPage(BARS, records)],
  ] as const) {
    writeFileSync(`${file}.part`, text);
    renameSync(`${file}.part`, file);
  }
}

/** Where tests that drive Firefox are; what measures with one is among them. */
const needsFirefox = (file: string): boolean => file.startsWith('test/browser/');

function runBars(bars: readonly Bar[], { cut, fresh, noFirefox }: BarsArguments): boolean {
  const extent = cut ? 'cut' : 'full';
  const files = [...new Set(bars.flatMap(filesOf).filter((name) => !noFirefox || !needsFirefox(name)))];
  const left = files.filter((file) => {
    const kept = readRecords().runs.find((run) => run.file === file && run.extent === extent);
    const isDone = !fresh && kept?.ended === true && kept.failed.length === 0 && kept.files === hashFor(file);
    if (isDone) say(`${file}: run before`);
    return !isDone;
  });
  const beganMs = performance.now();
  if (cut) for (const [file, tests] of left.length > 0 ? runTogether(left) : []) note(file, extent, tests);
  else {
    for (const file of left) {
      if (isTimeUp()) say(`${file}: left for another run, ${MAX_MINUTES} minutes are over`);
      else note(file, extent, runTests(file, { full: true }));
    }
  }
  const tookSeconds = tenths((performance.now() - beganMs) / 1000);
  const { runs } = readRecords();
  const current = runs.filter((run) => run.files === hashFor(run.file));
  const results = bars.map((bar) => ({ bar, result: barResult(bar, current, extent) }));
  for (const { bar, result } of results) {
    const state = result?.held ? 'held' : `not held, ${result?.why ?? 'no test yet'}`;
    say(`${bar.number} ${bar.title}: ${state} (${countsText(result?.counts ?? [])})`);
  }
  const held = results.filter(({ result }) => result?.held).length;
  say(`${held} of ${bars.length} bars held${cut ? ' in their short form' : ''}`);
  if (cut && left.length === files.length) {
    say(`The short forms took ${tookSeconds} s together`);
    if (bars.length === BARS.length && !noFirefox)
      writeRecords({ ...readRecords(), cut: { ...standingNow(), seconds: tookSeconds, held } });
  }
  return held === bars.length;
}

const tenths = (number: number): number => Math.round(number * 10) / 10;

/** After each file, so that an interrupt loses none that was finished. */
function note(file: string, extent: FileRun['extent'], tests: TestsRun): void {
  const run = fileRun(file, extent, tests);
  writeRecords(withRun(readRecords(), run));
  const failed = run.failed.length > 0 || !run.ended;
  say(`${file}: ${failed ? `failed (${run.failed.join('; ') || 'did not run to its end'})` : 'passed'}, ${run.seconds} s`);
}

function fileRun(file: string, extent: FileRun['extent'], { exitCode, passed, failed, counts, seconds }: TestsRun): FileRun {
  const numbers = [...new Set(counts.map(({ bar }) => bar))].toSorted((a, b) => a - b);
  return {
    file,
    extent,
    failed: failed.map(({ name }) => name),
    ended: passed > 0 && (exitCode === 0 || failed.length > 0),
    counts: numbers.flatMap((bar) => added(counts.filter((line) => line.bar === bar)).map((count) => ({ bar, ...count }))),
    ...standingNow(),
    files: hashFor(file),
    seconds: tenths(seconds),
  };
}

function runGuards(bars: readonly Bar[], { fresh, noFirefox }: BarsArguments): boolean {
  const all = bars
    .flatMap((bar) => bar.guards.map((guard) => ({ bar, guard })))
    .filter(({ guard }) => !noFirefox || !needsFirefox(guard.test.file));
  const known = readRecords().guards;
  const left = all.filter(
    ({ bar, guard }) =>
      fresh ||
      !known.some(
        (one) => one.bar === bar.number && one.removed === guard.removed && one.outcome === 'failed' && one.files === hashForGuard(guard),
      ),
  );
  let noticed = all.length - left.length;
  if (left.length > 0) {
    const tree = openGuardTree();
    try {
      for (const { bar, guard } of left) {
        const run = tree.try(bar, guard, standingNow());
        writeRecords(withGuard(readRecords(), run));
        const words = { failed: 'seen failing', survived: 'NOT noticed', broken: 'nothing shown' }[run.outcome];
        say(`${bar.number} without ${guard.removed}: ${words}, ${run.seconds} s (${run.said})`);
        if (run.outcome === 'failed') noticed += 1;
      }
    } finally {
      tree.remove();
    }
  }
  const without = bars.filter(({ guards }) => guards.length === 0).map(({ number }) => number);
  if (without.length > 0) say(`No guard is named for ${without.join(', ')}`);
  say(`${noticed} of ${all.length} guards seen to be missed by a test`);
  return noticed === all.length && without.length === 0;
}

async function main(): Promise<number> {
  const args = parseBarsArguments(
    process.argv.slice(2),
    BARS.map(({ number }) => number),
  );
  if (args.help) {
    process.stdout.write(BARS_HELP);
    return 0;
  }
  const bars = BARS.filter(({ number }) => args.only.length === 0 || args.only.includes(number));
  if (args.page) {
    writeRecords(readRecords());
    return 0;
  }
  return (args.guards ? runGuards(bars, args) : runBars(bars, args)) ? 0 : 1;
}

await endWithCodeOf(main);
