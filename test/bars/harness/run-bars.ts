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
import { runTests } from './run-tests.ts';

const MS_PER_MINUTE = 60_000;
const say = (line: string) => process.stdout.write(`${line}\n`);
const startedMs = performance.now();
const isTimeUp = () => performance.now() - startedMs > MAX_MINUTES * MS_PER_MINUTE;

/** After each bar, so that an interrupt loses none that was finished. */
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
  for (const file of new Set(bars.flatMap(filesOf).filter((name) => !noFirefox || !needsFirefox(name)))) {
    const kept = readRecords().runs.find((run) => run.file === file && run.extent === extent);
    if (!fresh && kept?.ended && kept.failed.length === 0 && kept.files === hashFor(file)) say(`${file}: run before`);
    else if (isTimeUp()) say(`${file}: left for another run, ${MAX_MINUTES} minutes are over`);
    else {
      const run = runFile(file, extent);
      writeRecords(withRun(readRecords(), run));
      const failed = run.failed.length > 0 || !run.ended;
      say(`${file}: ${failed ? `failed (${run.failed.join('; ') || 'did not run to its end'})` : 'passed'}, ${run.seconds} s`);
    }
  }
  const { runs } = readRecords();
  const current = runs.filter((run) => run.files === hashFor(run.file));
  const results = bars.map((bar) => ({ bar, result: barResult(bar, current, extent) }));
  for (const { bar, result } of results) {
    const state = result?.held ? 'held' : `not held, ${result?.why ?? 'no test yet'}`;
    say(`${bar.number} ${bar.title}: ${state} (${countsText(result?.counts ?? [])})`);
  }
  const held = results.filter(({ result }) => result?.held).length;
  say(`${held} of ${bars.length} bars held${cut ? ' in their short form' : ''}`);
  return held === bars.length;
}

function runFile(file: string, extent: FileRun['extent']): FileRun {
  const beganMs = performance.now();
  const { exitCode, passed, failed, counts } = runTests(file, { full: extent === 'full' });
  const numbers = [...new Set(counts.map(({ bar }) => bar))].toSorted((a, b) => a - b);
  return {
    file,
    extent,
    failed: failed.map(({ name }) => name),
    ended: passed > 0 && (exitCode === 0 || failed.length > 0),
    counts: numbers.flatMap((bar) => added(counts.filter((line) => line.bar === bar)).map((count) => ({ bar, ...count }))),
    ...standingNow(),
    files: hashFor(file),
    seconds: Math.round((performance.now() - beganMs) / 100) / 10,
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
