/** `plumbfox policy` as people run it: what it prints where, what it refuses, and what it leaves behind. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { projectRoot } from '../../../src/lab/process/own-process.ts';
import { buildOnce } from '../../support/build-once.ts';
import { COMMAND, type Ended, startCommand } from '../../support/command-run.ts';
import { privateEtc } from '../../support/private-etc.ts';
import { canMount } from '../../support/private-policy.ts';

const FOREIGN = '{"policies": {"DisableTelemetry": true}}\n';
const PER_SERVER = 'network.http.max-persistent-connections-per-server';

let folder: string;
beforeAll(() => {
  buildOnce();
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-policy-command-'));
  // What a policy installs must be within everybody's reach.
  chmodSync(folder, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

const disposals: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0)) await dispose();
});

async function run(...args: readonly string[]): Promise<Ended> {
  // Whoever runs the tests may use Firefox on this machine.
  const unsigned = args.includes('--extension') && args.includes('--install') ? ['--yes-unsigned'] : [];
  const command = startCommand(['policy', ...args, ...unsigned], { cwd: folder });
  disposals.push(command.dispose);
  return command.ended;
}

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

describe('printed', () => {
  it('is policies.json alone on the output, and on the error output where it goes', async () => {
    const { code, stdout, stderr } = await run('--profile', 'c4-d1', '--status=locked');
    expect([code, JSON.parse(stdout).policies.Preferences]).toEqual([0, { [PER_SERVER]: { Value: 4, Status: 'locked', Type: 'number' } }]);
    for (const word of ['/etc/firefox/policies/policies.json', 'Flatpak', 'GPO', 'macOS', 'Snap']) expect(stderr).toContain(word);
    expect(stderr.trim().split('\n').at(-1)).toMatch(/^ {2}sudo \S+ \S+plumbfox\.mjs policy --profile c4-d1 --status=locked --install$/);
  });

  it('has what another file says, too', async () => {
    const { code, stdout, stderr } = await run('--profile', 'c4-d1', '--merge', file('foreign.json', FOREIGN));
    expect([code, JSON.parse(stdout).policies]).toMatchObject([0, { DisableTelemetry: true, Preferences: { [PER_SERVER]: { Value: 4 } } }]);
    expect(stderr).not.toMatch(/--merge.*--install/);
  });

  it('names a trial and the lab build', async () => {
    const trial = file('trial.json', '{"candidates": ["c4-d1", "c8-d1"], "slots": {"kind": "loads", "perSlot": 5}}');
    const { code, stdout } = await run('--profile', 'firefox-default', '--trial', trial, '--extension', file('lab.xpi', ''));
    const { ExtensionSettings, '3rdparty': thirdParty } = JSON.parse(stdout).policies;
    expect([code, thirdParty.Extensions['plumbfox@plumbfox.org'].trial]).toEqual([
      0,
      { id: expect.stringMatching(/^policy-[0-9a-f]{16}$/), candidates: ['c4-d1', 'c8-d1'], slots: { kind: 'loads', perSlot: 5 } },
    ]);
    expect(ExtensionSettings['plumbfox@plumbfox.org'].install_url).toMatch(/^file:\/\/\/.*\/lab\.xpi$/);
  });

  it('is refused in one line, with nothing printed', async () => {
    const { code, stdout, errors } = await run('--profile', 'c4-d1', '--merge', file('foreign.json', FOREIGN.slice(0, -3)));
    expect([code, stdout, errors]).toEqual([2, '', [expect.stringMatching(/--merge: .*foreign\.json: It is not valid JSON$/)]]);
  });
});

describe('installed', () => {
  it('keeps what was there, says how to go back, and goes back to the byte', async () => {
    const path = file('policies.json', FOREIGN);
    const installed = await run('--profile', 'betterfox', '--install', '--file', path, '--extension', file('lab.xpi', ''));
    expect([installed.code, installed.errors]).toEqual([0, []]);
    expect(installed.stdout).toMatch(
      /contains betterfox.*\n.*is installed from.*\n.*before-plumbfox\.\n.*policy --uninstall --file .*policies\.json\n/,
    );
    expect(JSON.parse(readFileSync(path, 'utf8')).policies.DisableTelemetry).toBe(true);
    const back = await run('--uninstall', '--file', path, '--json');
    expect([back.code, JSON.parse(back.stdout)]).toEqual([0, { path, outcome: 'restored', leftAlone: [], extensionStays: true }]);
    expect(readFileSync(path, 'utf8')).toBe(FOREIGN);
  });

  it('lays a copy of the lab build beside it, within the reach of all, and takes that away again', async () => {
    const path = file('policies.json', FOREIGN);
    const built = readFileSync(join(projectRoot(), 'dist/plumbfox-lab.xpi'));
    const copy = `${path}.plumbfox-lab.xpi`;
    expect(await run('--profile', 'c4-d1', '--install', '--file', path, '--extension')).toMatchObject({ code: 0, errors: [] });
    expect(JSON.parse(readFileSync(path, 'utf8')).policies.ExtensionSettings['plumbfox@plumbfox.org'].install_url).toBe(`file://${copy}`);
    expect([readFileSync(copy).equals(built), statSync(copy).mode & 0o777]).toEqual([true, 0o644]);
    await run('--profile', 'c4-d1', '--install', '--file', path);
    expect(existsSync(copy)).toBe(false);
    await run('--profile', 'c4-d1', '--install', '--file', path, '--extension');
    await run('--uninstall', '--file', path);
    expect([existsSync(copy), readFileSync(path, 'utf8')]).toEqual([false, FOREIGN]);
  });

  it('is refused where the file is a link, with what it leads to as it was', async () => {
    const theirs = file('theirs.json', FOREIGN);
    symlinkSync(theirs, join(folder, 'link.json'));
    const { code, errors } = await run('--profile', 'c4-d1', '--install', '--file', join(folder, 'link.json'));
    expect([code, errors.length, readFileSync(theirs, 'utf8')]).toEqual([2, 1, FOREIGN]);
    expect(errors[0]).toMatch(/link\.json is a symbolic link/);
  });

  it.runIf(process.getuid?.() === 0)('is refused to anybody but root, with the command', async () => {
    const path = file('policies.json', FOREIGN);
    // As npx runs it.
    const link = join(folder, 'plumbfox');
    symlinkSync(COMMAND, link);
    const command = (program: string) => `${process.execPath} ${program} policy --profile c4-d1 --install --file ${path}`;
    const { status, stderr } = spawnSync('setpriv', ['--reuid=65533', '--regid=65533', '--clear-groups', ...command(link).split(' ')], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([3, `plumbfox: Only root may change ${path}: sudo ${command(COMMAND)}\n`]);
    expect(readFileSync(path, 'utf8')).toBe(FOREIGN);
  });

  describe.runIf(process.getuid?.() === 0)('into a program of the person’s own, as a Firefox.app that was dragged to its place', () => {
    const SOMEBODY = 65533;
    const OTHER = 65534;
    let path: string;
    beforeEach(() => {
      const resources = join(mkdtempSync(join(folder, 'mac-')), 'Firefox.app', 'Contents', 'Resources');
      mkdirSync(resources, { recursive: true });
      path = join(resources, 'distribution', 'policies.json');
      const app = dirname(dirname(resources));
      chmodSync(dirname(app), 0o755);
      for (const each of [app, dirname(resources), resources]) {
        chmodSync(each, 0o755);
        chownSync(each, SOMEBODY, SOMEBODY);
      }
    });
    const own = (...words: readonly string[]) => `${process.execPath} ${COMMAND} policy ${words.join(' ')}`;
    const asUser = (uid: number, ...words: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync(
        'setpriv',
        [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', process.execPath, COMMAND, 'policy', ...words],
        { encoding: 'utf8', env: { ...process.env, PATH: '/nowhere:/usr/bin:/bin', HOME: '/nowhere' } },
      );
      return { status, stdout, stderr };
    };
    const install = () => ['--profile', 'c4-d1', '--install', '--file', path];
    const undo = () => ['--uninstall', '--file', path];
    const withoutNode = (text: string) => text.replaceAll(/(?<=: |^)(?:node|\/\S*node) /gm, 'NODE ');

    it('is written and taken back as that person, with no word of sudo', () => {
      const done = asUser(SOMEBODY, ...install());
      expect([done.status, done.stderr]).toEqual([0, '']);
      expect(done.stdout).not.toContain('sudo');
      expect(withoutNode(done.stdout)).toContain(`To undo this: ${withoutNode(own(...undo()))}\n`);
      expect(JSON.parse(readFileSync(path, 'utf8')).policies.Preferences[PER_SERVER].Value).toBe(4);
      expect(asUser(SOMEBODY, ...undo())).toMatchObject({ status: 0, stderr: '' });
      expect(existsSync(dirname(path))).toBe(false);
    });

    it('is refused to root, with the command without sudo, and to another person', () => {
      const { status, stderr } = spawnSync(process.execPath, [COMMAND, 'policy', ...install()], { encoding: 'utf8' });
      expect([status, withoutNode(stderr)]).toEqual([
        3,
        `plumbfox: Only user ${SOMEBODY} may change ${path}; as that user, without sudo: ${withoutNode(own(...install()))}\n`,
      ]);
      expect(asUser(OTHER, ...install())).toMatchObject({ status: 2, stderr: expect.stringContaining('belongs to another user') });
      expect(existsSync(dirname(path))).toBe(false);
    });

    it('is refused where everybody may write to it', () => {
      chmodSync(dirname(dirname(path)), 0o777);
      expect(asUser(SOMEBODY, ...install())).toMatchObject({ status: 2, stderr: expect.stringContaining('by everybody') });
      expect(existsSync(dirname(path))).toBe(false);
    });

    it('takes a package there only where its group may not write to it', () => {
      const lab = join(mkdtempSync(join(folder, 'package-')), 'lab.xpi');
      chmodSync(dirname(lab), 0o755);
      writeFileSync(lab, 'package');
      const withPackage = () => asUser(SOMEBODY, ...install(), '--extension', lab, '--yes-unsigned');
      chmodSync(dirname(dirname(path)), 0o775);
      expect(withPackage()).toMatchObject({ status: 2, stderr: expect.stringContaining('is writable by its group') });
      expect(existsSync(dirname(path))).toBe(false);
      chmodSync(dirname(dirname(path)), 0o755);
      const done = withPackage();
      expect([done.status, readFileSync(`${path}.plumbfox-lab.xpi`, 'utf8')]).toEqual([0, 'package']);
      expect(done.stderr).toMatch(/To undo it: (?!sudo)/);
    });
  });

  it.runIf(canMount())('goes where Firefox reads it: into /etc, but where only the program has policies, beside it', async () => {
    const etc = await privateEtc(folder, FOREIGN);
    const beside = join(folder, 'program', 'distribution', 'policies.json');
    mkdirSync(dirname(beside), { recursive: true });
    const program = file('program/firefox', '');
    const policy = (...words: readonly string[]) =>
      etc.run('env', `PLUMBFOX_FIREFOX=${program}`, process.execPath, COMMAND, 'policy', ...words, '--json');
    const pathOf = ({ stdout }: { stdout: string }) => (JSON.parse(stdout) as { path: string }).path;
    rmSync(etc.policies);
    writeFileSync(beside, FOREIGN);
    expect(pathOf(policy('--profile', 'c4-d1', '--install'))).toBe(beside);
    expect(pathOf(policy('--uninstall'))).toBe(beside);
    expect([readFileSync(beside, 'utf8'), existsSync(etc.policies)]).toEqual([FOREIGN, false]);
    rmSync(beside);
    expect(pathOf(policy('--profile', 'c4-d1', '--install'))).toBe('/etc/firefox/policies/policies.json');
    writeFileSync(beside, FOREIGN);
    expect(pathOf(policy('--uninstall'))).toBe('/etc/firefox/policies/policies.json');
    expect([readFileSync(beside, 'utf8'), existsSync(etc.policies)]).toEqual([FOREIGN, false]);
  });
});
