/** `npm run accuracy` as a person runs it, on the committed corpus. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const run = (script: string, args: readonly string[]) => spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
/** Bundles once, for all that follow. */
const help = run('src/tools/accuracy.mjs', ['--help']);
const accuracy = (...args: string[]) => run('dist/accuracy/accuracy.mjs', args);

it('is bundled, and says what it can', () => {
  expect(help.stderr).toBe('');
  expect(help.status).toBe(0);
  expect(help.stdout).toContain('npm run accuracy -- [options]');
});

/** 18 s of a processor, which others may have meanwhile. */
const WHOLE_CORPUS = { timeout: 600_000 };

it('prints both halves, and what it is compared with, without a network', WHOLE_CORPUS, () => {
  const { status, stdout, stderr } = accuracy('--no-lantern', '--worst', '2');
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^Calibration half: .*\n[\s\S]*^Reporting half: /m);
  expect(stdout.match(/^one real load +\d+ /gm)).toHaveLength(2);
  expect(stdout).not.toContain('Lantern');
});

it('says the same twice, as JSON', () => {
  const one = () => accuracy('--no-lantern', '--json', '--scenario', 'wiki/far-2m').stdout;
  const said = one();
  expect(one()).toBe(said);
  expect(JSON.parse(said)).toMatchObject({ name: 'wiki/far-2m' });
});

it('refuses what it cannot use in one line', () => {
  for (const [args, message] of [
    [['--scenario', 'nothing/nowhere'], /^There is no scenario "nothing\/nowhere"\. Scenarios: .*wiki\/far-2m.*\n$/],
    [['--corpus', 'docs'], /^There is no corpus in docs: loads\.json cannot be read\n$/],
    [['--worst', 'all'], /^--worst must be a whole number from 0 to 1000, not all\n$/],
  ] as const) {
    const { status, stdout, stderr } = accuracy(...args);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(message);
  }
});
