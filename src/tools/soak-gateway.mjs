// @ts-check
// Browses thirty origins at random through the gateway and kills its helper meanwhile:
//   npm run soak:gateway -- [--minutes 60] [--seed 1] [--kills 50] [--record FILE] [--write]
// Its record is written all the while: after an interrupt it ends, and says what it has seen so far. `--write` adds a row to docs/results/gateway-soak.md.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';

const PAGE = 'docs/results/gateway-soak.md';
const END_OF_ROWS = '<!-- end of walks -->';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    kills: { type: 'string', default: '50' },
    record: { type: 'string', default: 'plumbfox-results/gateway-soak.json' },
    write: { type: 'boolean', default: false },
  },
});
const [minutes, seed, kills] = [values.minutes, values.seed, values.kills].map(Number);
if (!(Number(minutes) > 0) || !Number.isInteger(seed) || !Number.isInteger(kills) || Number(kills) < 0) {
  console.error('Give --minutes a number above 0, and --seed and --kills whole numbers');
  process.exit(2);
}
const { record } = values;
const stop = `${record}.stop`;
mkdirSync(dirname(record), { recursive: true });
for (const file of [record, `${record}l`, stop]) rmSync(file, { force: true });
const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
const date = new Date().toISOString().slice(0, 10);
// In its own group: an interrupt ends the walk in good order, not Firefox under it.
const child = spawn('node_modules/.bin/vitest', ['run', '--project', 'browser', 'test/browser/gateway-soak.test.ts'], {
  stdio: 'inherit',
  detached: true,
  env: {
    ...process.env,
    PLUMBFOX_SOAK_MINUTES: String(minutes),
    PLUMBFOX_SOAK_SEED: String(seed),
    PLUMBFOX_SOAK_KILLS: String(kills),
    PLUMBFOX_SOAK_RECORD: record,
  },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => writeFileSync(stop, ''));
const [status] = await once(child, 'exit');
rmSync(stop, { force: true });
if (!existsSync(record)) {
  console.error('It did not come so far as to see anything');
  process.exit(status || 1);
}
const seen = { commit, date, held: status === 0, ...JSON.parse(readFileSync(record, 'utf8')) };
writeFileSync(record, `${JSON.stringify(seen, null, 2)}\n`);
console.log(summaryOf(seen));
if (values.write) {
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(PAGE, page.replace(END_OF_ROWS, `${rowOf(seen)}\n${END_OF_ROWS}`));
}
process.exit(status ?? 1);

/** @param {any} seen */
function summaryOf({ arrivals, connections, ...seen }) {
  return (
    `${seen.minutes.toFixed(1)} minutes, ${arrivals.requests} requests, ${arrivals.byGateway} through the gateway, ${seen.kills} kills: ` +
    `${seen.wrong.length} shown wrong (${seen.wrongOfSurplusOrigin} more of the origin that answers too much), ` +
    `${arrivals.byGatewayTwice + arrivals.getsTooOften + arrivals.othersTooOften} asked too often, ` +
    `${connections.twoOrigins + connections.twoSites} of ${connections.used} connections shared. Record: ${record}`
  );
}

/** @param {any} seen */
function rowOf({ arrivals, connections, shown, ...seen }) {
  const throughGateway = Object.values(shown).flatMap((/** @type {any} */ manners) => [manners.gateway, manners['handed-back']]);
  const sum = (/** @type {string} */ what) => throughGateway.reduce((all, count) => all + count[what], 0);
  const cells = [
    seen.date,
    seen.commit,
    seen.seed,
    seen.minutes.toFixed(1),
    seen.kills,
    arrivals.requests,
    `${arrivals.byGateway} (${connections.pipelinedRequests})`,
    sum('whole'),
    seen.wrong.length,
    `${seen.wrongOfSurplusOrigin} of ${seen.surplusSent}`,
    sum('failed') + sum('failedAtKill'),
    `${arrivals.twice}, ${arrivals.byGatewayTwice + arrivals.getsTooOften}`,
    `${arrivals.others}, ${arrivals.othersTooOften}`,
    `${connections.used}, ${connections.twoOrigins + connections.twoSites}`,
  ];
  return `| ${cells.join(' | ')} |`;
}
