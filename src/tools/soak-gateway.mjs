// @ts-check
// Browses thirty origins at random through the gateway and kills its helper meanwhile: npm run soak:gateway -- [--minutes 60] [--seed 1] [--kills 50]
// Its record is written all the while: after an interrupt it ends, and says what it has seen so far.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    kills: { type: 'string', default: '50' },
    record: { type: 'string', default: 'build/gateway-soak.json' },
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
for (const file of [record, stop]) rmSync(file, { force: true });
const began = new Date();
// In a group of its own: an interrupt ends the walk in good order, not Firefox under it.
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
const seen = JSON.parse(readFileSync(record, 'utf8'));
const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
writeFileSync(record, `${JSON.stringify({ commit, date: began.toISOString().slice(0, 10), held: status === 0, ...seen }, null, 2)}\n`);
const { arrivals, connections } = seen;
console.log(
  `${seen.minutes.toFixed(1)} minutes, ${arrivals.requests} requests, ${arrivals.byGateway} through the gateway, ${seen.kills} kills: ` +
    `${seen.wrong.length} shown wrong (${seen.wrongOfSurplusOrigin} more of the origin that answers too much), ` +
    `${arrivals.byGatewayTwice + arrivals.getsTooOften + arrivals.othersTooOften} asked too often, ` +
    `${connections.twoOrigins + connections.twoSites} of ${connections.used} connections shared. Record: ${record}`,
);
process.exit(status ?? 1);
