// @ts-check
// Runs every test that uses fast-check again and again, each time with a new seed, and stops at the first that fails: npm run soak:properties -- ROUNDS
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const DEFAULT_ROUNDS = 10;
/** fast-check takes 32 bits. */
const SEEDS = 2 ** 31;

const rounds = Number(process.argv[2] ?? DEFAULT_ROUNDS);
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error(`The number of rounds must be a whole number from 1, not ${process.argv[2]}`);
  process.exit(2);
}

const files = ['unit', 'property', 'contract'].flatMap((folder) => {
  const root = join('test', folder);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => join(root, name))
    .filter((path) => path.endsWith('.test.ts') && readFileSync(path, 'utf8').includes("from 'fast-check'"));
});

for (let round = 1; round <= rounds; round += 1) {
  const seed = randomInt(SEEDS);
  const env = { ...process.env, PLUMBFOX_PROPERTY_SEED: String(seed) };
  const { status, stdout, stderr, error } = spawnSync('node_modules/.bin/vitest', ['run', '--reporter=dot', ...files], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) {
    console.error(error?.message ?? `${stdout}${stderr}`);
    console.error(`Round ${round} failed. Again: PLUMBFOX_PROPERTY_SEED=${seed} npx vitest run ${files.join(' ')}`);
    process.exit(1);
  }
  console.log(`round ${round} of ${rounds}: ${files.length} files held with seed ${seed}`);
}
