/** Profiles by expression and from files, as people give them to `plumbfox`. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { buildOnce } from '../../support/build-once.ts';
import { type Ended, startCommand } from '../../support/command-run.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';
const PACING = 'network.http.pacing.requests.enabled';
const PREFETCH = 'network.prefetch-next';

let home: string;
let directory: string;
beforeAll(() => buildOnce());
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'plumbfox-expressions-'));
  directory = join(home, 'firefox');
  mkdirSync(directory);
  writeFileSync(join(directory, 'prefs.js'), '');
  writeFileSync(join(directory, 'user.js'), '// mine\n');
});
afterEach(() => rmSync(home, { recursive: true }));

async function run(...args: readonly string[]): Promise<Ended> {
  const command = startCommand(args, { env: { ...process.env, HOME: home } });
  const ended = await command.ended;
  await command.dispose();
  return ended;
}
const apply = (profile: string, ...more: readonly string[]) => run('apply', '--profile', profile, '--firefox-profile', directory, ...more);
const userJs = () => readFileSync(join(directory, 'user.js'), 'utf8');
const file = (name: string, text: string): string => {
  writeFileSync(join(home, name), text);
  return join(home, name);
};

it('an expression is applied, shown by its one id, and undone', async () => {
  const id = `c16-d1+${PACING}=false`;
  const applied = await apply(`firefox-default+${PACING}=false+${PER_SERVER}=16`);
  expect(applied).toMatchObject({ code: 0, stderr: '' });
  expect(applied.stdout.replaceAll(/\s+/g, ' ')).toContain(`${id} (16 connections, no request pacing) is written`);
  expect(userJs()).toContain(`user_pref("${PER_SERVER}", 16);\nuser_pref("${PACING}", false);\n`);
  const status = await run('status', '--firefox-profile', directory, '--json');
  expect(JSON.parse(status.stdout)).toMatchObject({ applied: id, prefs: [{ name: PER_SERVER }, { name: PACING, intended: false }] });
  expect((await run('revert', '--firefox-profile', directory)).stdout).toContain(`${id} is removed from`);
  expect(userJs()).toBe('// mine\n');
});

it('a user.js, a policies.json and a profiles.json are applied, and what they have besides is named', async () => {
  const list = file(
    'fast.js',
    `user_pref("${PACING}", false);\nuser_pref("browser.startup.page", 0);\nuser_pref("_user.js.parrot", "SUCCESS");\n`,
  );
  expect(await apply(list)).toMatchObject({
    code: 0,
    stderr: `${list}: 2 preferences outside the catalogue are neither measured nor written: browser.startup.page, _user.js.parrot\n`,
  });
  expect(userJs()).toContain(`user_pref("${PACING}", false);\n`);
  expect(userJs()).not.toMatch(/startup|parrot/);
  const policies = file('policies.json', JSON.stringify({ policies: { Preferences: { [PER_SERVER]: { Value: 12 } } } }));
  expect((await apply(policies)).stdout).toContain('c12-d1 (');
  const own = JSON.stringify({
    format: 'plumbfox-profiles',
    version: 1,
    profiles: [
      { name: 'a', base: 'c8-d1' },
      { name: 'b', base: 'c9-d1' },
    ],
  });
  expect((await apply(`b=${file('profiles.json', own)}`)).stdout).toContain('c9-d1 (');
  expect(await apply(join(home, 'profiles.json'))).toMatchObject({ code: 2, errors: [expect.stringContaining('holds several profiles')] });
});

it('what costs privacy is written only after its price was accepted', async () => {
  const costly = `c8-d1+${PREFETCH}=true`;
  const refused = await apply(costly);
  expect(refused).toMatchObject({ code: 2, stdout: '', errors: [expect.stringContaining(`--accept-price ${PREFETCH}`)] });
  expect(refused.stderr).toContain('their servers see you');
  expect(userJs()).toBe('// mine\n');
  expect(await apply(costly, '--accept-price', PACING)).toMatchObject({ code: 2 });
  expect(userJs()).toBe('// mine\n');
  const policy = join(home, 'etc.json');
  const install = ['policy', '--profile', costly, '--install', '--file', policy];
  expect(await run(...install)).toMatchObject({ code: 2, errors: [expect.stringContaining(`--accept-price ${PREFETCH}`)] });
  expect(readdirSync(home)).not.toContain('etc.json');
  expect(await apply(costly, '--accept-price', PREFETCH)).toMatchObject({ code: 0 });
  expect(userJs()).toContain(`user_pref("${PREFETCH}", true);`);
  expect(await apply(`c8-d1+${PREFETCH}=false`)).toMatchObject({ code: 0 });
});

it('what cannot be a profile is refused in one line, and nothing is written', async () => {
  const garbage = '\x7f(;\0ELF{}"\n'.repeat(100_000);
  const cases = [
    ['c8-d1+browser.startup.page=1', "browser.startup.page is not in Plumbfox's catalogue"],
    [`c8-d1+${PER_SERVER}=256`, `${PER_SERVER}: 256 is not within 1 to 255`],
    [`c8-d1+${PACING}=1`, `${PACING}: "1" is not true or false`],
    [`c8-d1+${PACING}=true+${PACING}=false`, 'is set to true and to false'],
    [`${PACING}=false`, `write firefox-default+${PACING}=false`],
    [`c8-d1+${'x'.repeat(100_000)}`, 'has at most 16384 characters'],
    [file('out.js', `\nuser_pref("${PER_SERVER}", 256);`), `out.js: line 2: ${PER_SERVER}: 256 is not within 1 to 255`],
    [file('type.js', `user_pref("${PACING}", "false");`), `type.js: line 1: ${PACING}: "false" is not true or false`],
    [file('many.js', 'user_pref("a.b", 1);\n'.repeat(5000)), "many.js: It sets no preference of Plumbfox's catalogue"],
    [file('parrot.js', 'user_pref("_user.js.parrot", "START");'), "parrot.js: It sets no preference of Plumbfox's catalogue"],
    [file('garbage.js', garbage), 'garbage.js: Firefox would read no preference from it: line 1: unexpected character'],
    [file('garbage.json', garbage), 'garbage.json: It is not valid JSON'],
    [file('list.json', '[]'), 'list.json: It is not an object'],
    [file('report.json', '{"format": "plumbfox-report"}'), 'report.json: It is neither a policies.json nor a file of profiles'],
    [file('empty.js', ''), 'it has no user_pref line'],
    [join(home, 'nowhere.js'), 'nowhere.js cannot be read'],
    [`${home}/`, 'cannot be read'],
  ] as const;
  for (const [profile, message] of cases) {
    for (const args of [
      ['apply', '--firefox-profile', directory, '--profile', profile],
      ['tune', '--no-install', '--out', join(home, 'results'), '--profiles', profile],
    ]) {
      const ended = await run(...args);
      expect(ended).toMatchObject({ code: 2, stdout: '', errors: [expect.stringContaining(message)] });
      expect(ended.stderr.trim().split('\n')).toHaveLength(1);
    }
  }
  expect(userJs()).toBe('// mine\n');
  expect(readdirSync(home)).not.toContain('results');
});
