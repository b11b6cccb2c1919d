/** `plumbfox apply`, `status` and `revert` as people run them. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { buildOnce } from '../../support/build-once.ts';
import { COMMAND, type Ended, eventually, type RunningCommand, startCommand } from '../../support/command-run.ts';
import { startPretendedFirefox } from '../../support/pretended-firefox.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';

let home: string;
let directory: string;
const disposals: (() => Promise<void>)[] = [];
beforeAll(() => buildOnce());
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'plumbfox-apply-command-'));
  const root = join(home, '.mozilla/firefox');
  directory = join(root, 'abc.default-esr');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(root, 'profiles.ini'), '[Profile0]\nName=default-esr\nIsRelative=1\nPath=abc.default-esr\nDefault=1\n');
  writeFileSync(join(directory, 'user.js'), '// mine\n');
});
afterEach(async () => {
  for (const dispose of disposals.splice(0)) await dispose();
  rmSync(home, { recursive: true });
});

const run = (...args: readonly string[]): Promise<Ended> => start(...args).ended;

function start(...args: readonly string[]): RunningCommand {
  const { XDG_CONFIG_HOME: _, ...env } = process.env;
  const command = startCommand(args, { env: { ...env, HOME: home, XDG_CONFIG_HOME: join(home, '.config') } });
  disposals.push(command.dispose);
  return command;
}
const userJs = () => readFileSync(join(directory, 'user.js'), 'utf8');
const statusJson = async () => JSON.parse((await run('status', '--firefox-profile', directory, '--json')).stdout) as unknown;

it('a profile is written, shown, kept, taken back', async () => {
  const applied = await run('apply', '--profile', 'c4-d6', '--firefox-profile', directory);
  expect(applied).toMatchObject({ code: 0, stderr: '' });
  for (const said of [
    `${directory}/user.js`,
    `${PER_SERVER}  4`,
    'Depth 6 has no effect',
    'start Firefox',
    // Works where it is pasted.
    `${COMMAND} revert --firefox-profile ${directory}`,
    'nothing is restored by itself',
  ]) {
    expect(applied.stdout.replaceAll(/\s+/g, ' ')).toContain(said.replaceAll(/\s+/g, ' '));
  }
  expect(userJs()).toContain(`user_pref("${PER_SERVER}", 4);\n`);
  expect(await statusJson()).toEqual({
    applied: 'c4-d6',
    pending: true,
    prefs: [{ name: PER_SERVER, intended: 4, found: 4, locked: false }],
  });
  expect((await run('apply', '--confirm', '--firefox-profile', directory)).stdout).toContain('c4-d6 stays in');
  expect(await statusJson()).toMatchObject({ pending: false });
  await startPretendedFirefox(directory).then(({ save }) => save());
  expect((await run('revert', '--firefox-profile', directory)).stdout).toContain('everything is as it was before');
  expect(userJs()).toBe('// mine\n');
  expect(readFileSync(join(directory, 'prefs.js'), 'utf8')).not.toContain('network');
  expect(readdirSync(directory)).toEqual(['prefs.js', 'user.js']);
  expect(await statusJson()).toEqual({ applied: null, pending: false, prefs: [] });
  expect((await run('revert', '--firefox-profile', directory)).stdout).toContain('Plumbfox has written nothing into');
});

it('the only profile need not be named, and several have to be', async () => {
  expect((await run('apply', '--profile', 'betterfox', '--confirm', '--json')).stdout).toContain('"applied": "betterfox"');
  expect(userJs()).toContain('user_pref("network.prefetch-next", false);');
  expect((await run('status')).stdout).toMatch(/betterfox is written into\s.*user\.js\./);
  mkdirSync(join(home, '.config/mozilla/firefox/new'), { recursive: true });
  writeFileSync(join(home, '.config/mozilla/firefox/profiles.ini'), '[Profile0]\nName=new\nIsRelative=1\nPath=new\nDefault=1\n');
  expect(await run('status')).toMatchObject({ code: 2, errors: [expect.stringMatching(/There are several Firefox profiles; name one/)] });
});

it('what cannot be done is told in one line', async () => {
  const cases = [
    [['apply'], 'Name a profile'],
    [['apply', '--profile', 'c4-d66'], 'There is no profile "c4-d66"'],
    [['apply', '--profile', 'fennec-18'], 'is a set of profiles'],
    [['apply', '--profile', 'again=c4-d6'], 'without "NAME="'],
    [['apply', '--profile', 'c4-d6', '--firefox-profile', ''], 'needs the name of a folder'],
    [['apply', '--profile', 'c4-d6', '--firefox-profile', '/nowhere'], '/nowhere does not exist'],
    [['apply', '--confirm', '--firefox-profile', directory], 'waits to be confirmed'],
    [['revert', '--all'], 'See plumbfox revert --help'],
    [['status', 'now'], 'See plumbfox status --help'],
  ] as const;
  const all = await Promise.all(cases.map(([args]) => run(...args)));
  for (const [at, [, message]] of cases.entries()) {
    const ended = all[at];
    expect(ended).toMatchObject({ code: 2, stdout: '', errors: [expect.stringContaining(message)] });
    expect(ended?.stderr.trim().split('\n')).toHaveLength(1);
  }
  symlinkSync(`127.0.1.1:+${process.pid}`, join(directory, 'lock'));
  expect(await run('apply', '--profile', 'c4-d6')).toMatchObject({
    code: 2,
    errors: [expect.stringContaining('close it, and try again')],
  });
  expect(userJs()).toBe('// mine\n');
});

it('where the helper is installed it watches, until somebody says that all is well', async () => {
  expect(await run('helper', 'install', '--home', home)).toMatchObject({ code: 0 });
  const applied = start('apply', '--profile', 'c4-d6');
  expect((await applied.ended).stdout).toContain('The helper app watches: it restores');
  expect(applied.processes().map(({ command }) => command)).toEqual([expect.stringMatching(/plumbfox-helper\.mjs guard /)]);
  expect((await run('apply', '--confirm')).code).toBe(0);
  await eventually('the guard has ended', () => applied.processes().length === 0);
  const kept = start('apply', '--profile', 'betterfox', '--confirm');
  expect((await kept.ended).stdout).not.toContain('watches');
  expect(kept.processes()).toEqual([]);
});

it('what is written is written, also where the helper cannot note it', async () => {
  expect(await run('helper', 'install', '--home', home)).toMatchObject({ code: 0 });
  const notes = join(home, '.local/share/plumbfox/profiles.json');
  mkdirSync(notes);
  const { code, stderr } = await run('apply', '--profile', 'c4-d6');
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^plumbfox: \S+profiles\.json is a folder.*uninstall" may not find/)]);
  expect(await run('revert')).toMatchObject({ code: 0 });
});

it.each(['apply', 'revert', 'status'])('%s --help says what it does', async (command) => {
  const { code, stdout } = await run(command, '--help');
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`^plumbfox ${command}: `));
  expect(stdout).toContain('--firefox-profile DIR');
  expect(stdout).toContain('exit codes:');
});
