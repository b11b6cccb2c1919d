/** `npm run bars`: the thirty bars, counted, and docs/reliability.md. */
import { renameSync, writeFileSync } from 'node:fs';
import { endWithCodeOf } from '../../support/command-end.ts';
import type { Bar } from '../bar.ts';
import { BARS } from '../bars.ts';
import { BARS_HELP, type BarsArguments, MAX_MINUTES, parseBarsArguments } from './bars-arguments.ts';
import { hashForBar, standingNow } from './files-that-count.ts';
import { hashForGuard, openGuardTree } from './guard-tree.ts';
import { measureBar } from './measure-bar.ts';
import { PAGE_FILE, RECORDS_FILE, type Records, readRecords, withGuard, withRun } from './records.ts';
import { countsText, reliabilityPage } from './reliability-page.ts';

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

function runBars(bars: readonly Bar[], { cut, fresh }: BarsArguments): boolean {
  const extent = cut ? 'cut' : 'full';
  let notHeld = 0;
  for (const bar of bars) {
    const kept = readRecords().runs.find((run) => run.bar === bar.number && run.extent === extent);
    if (!fresh && kept?.held && kept.files === hashForBar(bar)) {
      say(`${bar.number} ${bar.title}: held before (${countsText(kept.counts)})`);
      continue;
    }
    if (isTimeUp()) {
      say(`${bar.number} ${bar.title}: left for another run, ${MAX_MINUTES} minutes are over`);
      notHeld += 1;
      continue;
    }
    const run = measureBar(bar, { full: !cut, standing: standingNow() });
    writeRecords(withRun(readRecords(), run));
    say(`${bar.number} ${bar.title}: ${run.held ? 'held' : `not held, ${run.why}`} (${countsText(run.counts)}), ${run.seconds} s`);
    if (!run.held) notHeld += 1;
  }
  say(`${bars.length - notHeld} of ${bars.length} bars held${cut ? ' in their short form' : ''}`);
  return notHeld === 0;
}

function runGuards(bars: readonly Bar[], { fresh }: BarsArguments): boolean {
  const all = bars.flatMap((bar) => bar.guards.map((guard) => ({ bar, guard })));
  const known = readRecords().guards;
  const left = all.filter(
    ({ bar, guard }) =>
      fresh ||
      !known.some(
        (one) =>
          one.bar === bar.number && one.removed === guard.removed && one.outcome === 'failed' && one.files === hashForGuard(bar, guard),
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
