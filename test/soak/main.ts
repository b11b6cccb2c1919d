/** `npm run soak`: an hour and 10,000 page loads, unless asked otherwise; ended early (Ctrl-C), it says what it saw so far. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { REQUESTS_PER_LOAD, type SoakSeen, soak, soakCounts } from './soak.ts';

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
const seen = await soak({
  loads,
  minutes: Number(values.minutes),
  warmLoads: visitEvery * 4,
  visitEvery,
  isStopped: () => isStopped,
  onProgress: (line) => say(line),
});
say(JSON.stringify(seen, null, 2));
const counts = soakCounts(seen);
for (const { bar, what, held, of } of counts) say(`bar ${bar}: ${what}: ${held} of ${of}`);
const grown =
  seen.warmBytes !== undefined && seen.endBytes !== undefined ? `${((seen.endBytes - seen.warmBytes) / 1e6).toFixed(1)} MB` : 'not known';
say(`growth ${grown}; each load asks for ${REQUESTS_PER_LOAD} things`);
if (values.write) writeRow(seen);
process.exitCode = counts.every(({ held, of }) => held === of) ? 0 : 1;

/** As the last row of the table in docs/soak.md. */
function writeRow({
  loads: made,
  minutes,
  recorded,
  requests,
  strays,
  ofExtension,
  nativeMessages,
  undocumented,
  ghostWindows,
}: SoakSeen): void {
  const cells = [
    new Date().toISOString().slice(0, 10),
    commit,
    made,
    Math.round(minutes),
    recorded,
    requests,
    strays.length + ofExtension,
    nativeMessages,
    undocumented.length,
    grown,
    ghostWindows,
  ];
  const text = readFileSync('docs/soak.md', 'utf8');
  const end = text.indexOf('\n<!-- end of runs -->');
  writeFileSync('docs/soak.md', `${text.slice(0, end)}\n| ${cells.join(' | ')} |${text.slice(end)}`);
}
