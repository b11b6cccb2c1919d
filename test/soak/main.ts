/** `npm run soak`: an hour and 10,000 page loads, unless asked otherwise; ended early (Ctrl-C), it says what it saw so far. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { growthOf, REQUESTS_PER_LOAD, type SoakSeen, soak, soakCounts } from './soak.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    loads: { type: 'string', default: '10000' },
    write: { type: 'boolean', default: false },
  },
});

const say = (line: string) => process.stdout.write(`${line}\n`);

let isStopped = false;
process.once('SIGINT', () => {
  isStopped = true;
  say('Ending after this load; once more ends at once.');
});

const loads = Number(values.loads);
/** Four visits are the warm-up. */
const visitEvery = Math.max(5, Math.min(250, Math.round(loads / 40)));
const commit = execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], { encoding: 'utf8' }).trim();
const warmLoads = visitEvery * 4;
const seen = await soak({
  loads,
  minutes: Number(values.minutes),
  warmLoads,
  visitEvery,
  restEvery: 10,
  isStopped: () => isStopped,
  onProgress: (line) => say(line),
});
say(JSON.stringify(seen, null, 2));
const counts = soakCounts(seen, warmLoads);
for (const { bar, what, held, of } of counts) say(`bar ${bar}: ${what}: ${held} of ${of}`);
const megabytes = (bytes: number | undefined) => (bytes === undefined ? 'not known' : `${(bytes / 1e6).toFixed(1)} MB`);
const grown = megabytes(growthOf(seen.readings, warmLoads, 'heldBytes'));
const grownResident = megabytes(growthOf(seen.readings, warmLoads, 'residentBytes'));
say(`growth ${grown}, ${grownResident} with what was handed back; each load asks for ${REQUESTS_PER_LOAD} things`);
if (values.write) writeRow(seen);
process.exitCode = seen.endedBy === undefined && counts.every(({ held, of }) => held === of) ? 0 : 1;

/** As the last row of the table in docs/soak.md. */
function writeRow(run: SoakSeen): void {
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
  const text = readFileSync('docs/soak.md', 'utf8');
  const end = text.indexOf('\n<!-- end of runs -->');
  writeFileSync('docs/soak.md', `${text.slice(0, end)}\n| ${cells.join(' | ')} |${text.slice(end)}`);
}
