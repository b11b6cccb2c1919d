/** `plumbfox helper`, in homes of its own. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildOnce } from '../../support/build-once.ts';
import { COMMAND } from '../../support/command-run.ts';

let root: string;
let home: string;
let manifest: string;
let data: string;

beforeAll(buildOnce);
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'plumbfox-helper-'));
  // Whatever a shell would stumble over.
  home = join(root, `Ann's $HOME "é"`);
  await mkdir(home);
  manifest = join(home, '.mozilla/native-messaging-hosts/plumbfox.json');
  data = join(home, '.local/share/plumbfox');
});
afterEach(() => rm(root, { recursive: true, force: true }));

function helper(...args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [COMMAND, 'helper', ...args, '--home', home], { encoding: 'utf8' });
}

/** Every file and folder of the home, with what is in it and its rights. */
function treeOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const content = entry.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
      return `${path} ${(lstatSync(path).mode & 0o777).toString(8)} ${content}`;
    })
    .toSorted();
}

async function firefoxProfile(): Promise<string> {
  const folder = join(home, '.mozilla/firefox');
  const profile = join(folder, 'x.default');
  await mkdir(profile, { recursive: true });
  await writeFile(join(folder, 'profiles.ini'), '[Profile0]\nName=default\nIsRelative=1\nPath=x.default\n');
  await writeFile(join(profile, 'prefs.js'), '// Mozilla User Preferences\n\nuser_pref("browser.x", 1);\n');
  await writeFile(join(profile, 'user.js'), '// mine\r\n');
  return profile;
}

function apply(profile: string): void {
  const { status, stderr } = spawnSync(
    process.execPath,
    [COMMAND, 'apply', '--profile', 'c4-d6', '--firefox-profile', profile, '--confirm'],
    {
      encoding: 'utf8',
      env: { ...process.env, HOME: home },
    },
  );
  expect([status, stderr]).toEqual([0, '']);
}

describe('install', () => {
  it('names one extension alone, puts nothing twice, and goes without a trace', async () => {
    await mkdir(join(home, '.mozilla'));
    const before = treeOf(home);
    expect(helper('install')).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(readFileSync(manifest, 'utf8'))).toEqual({
      name: 'plumbfox',
      description: expect.any(String),
      path: join(data, 'plumbfox-helper'),
      type: 'stdio',
      allowed_extensions: ['plumbfox@plumbfox.org'],
    });
    const installed = treeOf(home);
    expect(JSON.parse(helper('install', '--json').stdout)).toEqual({ version: '0.1.0', written: [] });
    expect(treeOf(home)).toEqual(installed);
    expect(helper('doctor').stdout).toMatch(/OK +answer: the helper app answered after \d/);
    expect(helper('uninstall')).toMatchObject({ status: 0, stderr: '' });
    expect(treeOf(home)).toEqual(before);
  });

  it('puts right what was damaged', async () => {
    helper('install');
    const installed = treeOf(home);
    await writeFile(join(data, 'plumbfox-helper.mjs'), 'broken');
    await chmod(join(data, 'plumbfox-helper'), 0o600);
    await rm(manifest);
    expect(helper('install').status).toBe(0);
    expect(treeOf(home)).toEqual(installed);
  });

  it('writes where later Firefoxes may look, if that folder is there', async () => {
    const later = join(home, '.config/mozilla');
    await mkdir(later, { recursive: true });
    helper('install');
    expect(readFileSync(join(later, 'native-messaging-hosts/plumbfox.json'))).toEqual(readFileSync(manifest));
    helper('uninstall');
    expect(readdirSync(later)).toEqual([]);
  });

  it('refuses to write through a link, and touches what it leads to in no way', async () => {
    await mkdir(join(manifest, '..'), { recursive: true });
    const victim = join(root, 'victim');
    await writeFile(victim, 'precious');
    await symlink(victim, manifest);
    const { status, stderr } = helper('install');
    expect(status).toBe(2);
    expect(stderr).toContain('symbolic link');
    expect(readFileSync(victim, 'utf8')).toBe('precious');
  });
});

describe('uninstall', () => {
  it('takes back what is written into profiles, to the byte', async () => {
    const profile = await firefoxProfile();
    const before = treeOf(home);
    helper('install');
    apply(profile);
    expect(JSON.parse(helper('status', '--json').stdout)).toMatchObject({
      installed: '0.1.0',
      profiles: [{ directory: profile, status: { phase: 'confirmed', profileId: 'c4-d6' } }],
    });
    const { status, stdout } = helper('uninstall');
    expect(status).toBe(0);
    expect(stdout).toContain(`Undone: c4-d6, confirmed in ${profile}`);
    expect(treeOf(home)).toEqual(before);
  });

  it('leaves it with --keep-profile, and says so', async () => {
    const profile = await firefoxProfile();
    helper('install');
    apply(profile);
    expect(helper('uninstall', '--keep-profile').stdout).toContain(`Still written: c4-d6, confirmed in ${profile}`);
    expect(readFileSync(join(profile, 'user.js'), 'utf8')).toContain('c4-d6');
    expect(existsSync(data)).toBe(false);
  });

  it('changes nothing while Firefox has such a profile open', async () => {
    const profile = await firefoxProfile();
    helper('install');
    apply(profile);
    // As Firefox does it; this process is alive.
    await symlink(`127.0.0.1:+${process.pid}`, join(profile, 'lock'));
    const before = treeOf(home);
    const { status, stderr } = helper('uninstall');
    expect(status).toBe(3);
    expect(stderr).toMatch(/^plumbfox: A running Firefox has .* close it, or keep the profile with --keep-profile\n$/);
    expect(treeOf(home)).toEqual(before);
  });

  it('leaves nothing of an installation that was killed, nor of another uninstall', async () => {
    const before = treeOf(home);
    helper('install');
    const half = '.plumbfox-0123456789abcdef.tmp';
    for (const folder of [data, join(manifest, '..')]) await writeFile(join(folder, half), 'half');
    // The manifest comes last, and goes first.
    await rm(manifest);
    expect(helper('uninstall').status).toBe(0);
    expect(treeOf(home)).toEqual(before);
    await mkdir(data, { recursive: true });
    await writeFile(join(data, half), 'half');
    expect(helper('uninstall').stdout).toBe('The helper app was not installed.\n');
    expect(existsSync(data)).toBe(false);
  });

  it('has nothing to do where nothing is', () => {
    expect(helper('uninstall')).toMatchObject({ status: 0, stdout: 'The helper app was not installed.\n' });
  });
});

describe('doctor', () => {
  const problems = (): readonly string[] => {
    const { status, stdout } = helper('doctor', '--json');
    const { findings } = JSON.parse(stdout) as { findings: readonly { check: string; state: string; todo?: string }[] };
    const found = findings.filter(({ state }) => state === 'problem');
    expect(status).toBe(found.length > 0 ? 3 : 0);
    expect(found.every(({ todo = '' }) => todo.length > 0)).toBe(true);
    // A machine without Firefox has that problem too.
    return found.map(({ check }) => check).filter((check) => check !== 'Firefox');
  };

  it('finds nothing to do after install, and what to do before', () => {
    expect(problems()).toEqual(['helper']);
    helper('install');
    expect(problems()).toEqual([]);
  });

  it.each([
    ['the helper is gone', 'helper', () => rm(join(data, 'plumbfox-helper.mjs'))],
    ['the launcher may not be run', 'launcher', () => chmod(join(data, 'plumbfox-helper'), 0o600)],
    ['Node is gone', 'Node', () => replace(join(data, 'plumbfox-helper'), process.execPath, '/nowhere/node')],
    [
      'two extensions are allowed',
      'manifest',
      () => replace(manifest, '"plumbfox@plumbfox.org"', '"plumbfox@plumbfox.org", "b@example.org"'),
    ],
    ['another program is named', 'manifest', () => replace(manifest, '/plumbfox-helper"', '/other"')],
    ['the helper does not answer', 'answer', () => replace(join(data, 'plumbfox-helper'), 'exec "$node"', 'exit 1 #')],
  ])('says so where %s', async (_, check, damage) => {
    helper('install');
    await damage();
    expect(problems()).toEqual([check]);
  });

  it('says why the helper does not answer', async () => {
    helper('install');
    await writeFile(join(data, 'plumbfox-helper.mjs'), 'damaged (');
    expect(helper('doctor').stdout).toMatch(/PROBLEM +answer: SyntaxError: /);
  });

  async function replace(path: string, what: string, by: string): Promise<void> {
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(what);
    await writeFile(path, text.replace(what, by));
  }
});

it.each([
  [['nothing'], 'Name one of install, uninstall, status, doctor'],
  [['install', 'twice'], 'Name one of'],
  [['install', '--keep-profile'], '--keep-profile is for uninstall'],
  [['install', '--root'], "Unknown option '--root'"],
])('refuses %j in one line', (args, words) => {
  const { status, stderr } = helper(...args);
  expect(status).toBe(2);
  expect(stderr).toContain(words);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

it('refuses a home that is not there', () => {
  const { status, stderr } = spawnSync(process.execPath, [COMMAND, 'helper', 'install', '--home', join(root, 'nobody')], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([2, expect.stringContaining('does not exist')]);
});

it.runIf(process.getuid?.() === 0)('refuses root in somebody else’s home', async () => {
  spawnSync('chown', ['65534', home]);
  const { status, stderr } = helper('install');
  expect(status).toBe(2);
  expect(stderr).toContain('run this as that user, without sudo');
  expect(readdirSync(home)).toEqual([]);
});
