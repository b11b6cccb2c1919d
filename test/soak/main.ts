/**
 * `npm run soak`: an hour and 10,000 page loads, unless asked otherwise. Ended early (Ctrl-C), it says what it saw so far; `--resume` goes on
 * after that or after an interruption, with the same profile in another Firefox.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PlumbfoxError } from '../../src/core/errors.ts';
import { endWithCodeOf } from '../support/command-end.ts';
import { soak } from './soak.ts';
import { parseSoakArguments, SOAK_HELP } from './soak-arguments.ts';
import { growthOf, REQUESTS_PER_LOAD, type SoakSeen, soakCounts } from './soak-seen.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const megabytes = (bytes: number | undefined) => (bytes === undefined ? 'not known' : `${(bytes / 1e6).toFixed(1)} MB`);

const DIRECTORY = resolve('dist/soak-run');
const JOURNAL = join(DIRECTORY, 'seen.json');

async function main(): Promise<number> {
  const { minutes, loads, write, resume, help } = parseSoakArguments(process.argv.slice(2));
  if (help) {
    process.stdout.write(SOAK_HELP);
    return 0;
  }
  const before = resume ? seenBefore() : undefined;
  if (!resume) rmSync(DIRECTORY, { recursive: true, force: true });
  mkdirSync(DIRECTORY, { recursive: true });
  let isStopped = false;
  process.once('SIGINT', () => {
    isStopped = true;
    say('Ending after this load; once more ends at once.');
  });
  /** Four visits are the warm-up. */
  const visitEvery = Math.max(5, Math.min(250, Math.round(loads / 40)));
  const warmLoads = visitEvery * 4;
  const commit = execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], { encoding: 'utf8' }).trim();
  const seen = await soak({
    loads,
    minutes,
    everyMs: (minutes * 60_000) / loads,
    warmLoads,
    visitEvery,
    restEvery: 10,
    directory: DIRECTORY,
    isResumable: true,
    before,
    isStopped: () => isStopped,
    onVisit: async (sofar) => {
      note(sofar);
      say(progress(sofar));
    },
  });
  note(seen);
  say(JSON.stringify(seen, null, 2));
  const counts = soakCounts(seen, warmLoads);
  for (const { bar, what, held, of } of counts) say(`bar ${bar}: ${what}: ${held} of ${of}`);
  const grown = megabytes(growthOf(seen.readings, warmLoads, 'heldBytes'));
  const grownResident = megabytes(growthOf(seen.readings, warmLoads, 'residentBytes'));
  say(`growth ${grown}, ${grownResident} with what was handed back; each load asks for ${REQUESTS_PER_LOAD} things`);
  if (write) writeRow(seen, { commit, grown, grownResident });
  return seen.endedBy === undefined && counts.every(({ held, of }) => held === of) ? 0 : 1;
}

/** @throws PlumbfoxError bad-input where no run was interrupted. */
function seenBefore(): SoakSeen {
  if (!existsSync(JOURNAL)) throw new PlumbfoxError('bad-input', 'There is no interrupted run to resume');
  return JSON.parse(readFileSync(JOURNAL, 'utf8')) as SoakSeen;
}

function note(sofar: SoakSeen): void {
  writeFileSync(`${JOURNAL}.new`, JSON.stringify(sofar));
  renameSync(`${JOURNAL}.new`, JOURNAL);
}

function progress(sofar: SoakSeen): string {
  const last = sofar.readings.at(-1);
  return [
    `${sofar.loads} loads in ${sofar.minutes.toFixed(1)} min`,
    `${sofar.requests} requests, ${sofar.strays.length} that no page made`,
    `process ${megabytes(last?.heldBytes)} (${megabytes(last?.residentBytes)} with what was handed back, explicit ${megabytes(last?.explicitBytes)})`,
    `kept for the event page ${sofar.kept.at(-1)?.count ?? 'not known'}`,
    `database ${megabytes(last?.databaseBytes)}`,
    `ghosts ${last?.ghosts}`,
  ].join('; ');
}

/** As the last row of the table in docs/results/soak.md. */
function writeRow(
  run: SoakSeen,
  { commit, grown, grownResident }: { readonly [name in 'commit' | 'grown' | 'grownResident']: string },
): void {
  const cells = [
    new Date().toISOString().slice(0, 10),
    commit,
    run.loads,
    Math.round(run.minutes),
    run.recorded,
    run.requests,
    run.strays.length + run.ofExtension,
    run.nativeMessages,
    run.undocumented.length,
    run.wakes,
    grown,
    grownResident,
    megabytes(run.readings.at(-1)?.databaseBytes),
    run.readings.at(-1)?.ghosts ?? 'not known',
  ];
  const text = readFileSync('docs/results/soak.md', 'utf8');
  const end = text.indexOf('\n<!-- end of runs -->');
  writeFileSync('docs/results/soak.md', `${text.slice(0, end)}\n| ${cells.join(' | ')} |${text.slice(end)}`);
}

await endWithCodeOf(main);
