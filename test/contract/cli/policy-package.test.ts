/**
 * The package that `plumbfox policy --extension --install` puts into everybody's Firefox: taken only where nobody but root can exchange it, and on
 * a machine in everyday use only when that was asked for. Needs root, as whoever writes policies does.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { guardedPackage } from '../../../src/cli/policy/content.ts';
import { hashOf } from '../../../src/helper/files/checked-file.ts';
import { countBar } from '../../support/bar-count.ts';
import { buildOnce } from '../../support/build-once.ts';
import { COMMAND } from '../../support/command-run.ts';
import { privateEtc } from '../../support/private-etc.ts';
import { canMount } from '../../support/private-policy.ts';

const FOREIGN = '{"policies": {"DisableTelemetry": true}}\n';
const GOOD = 'the package of the administrator';
const SOMEBODY = 65533;

let folder: string;
/** Around each package: `above/within/lab.xpi`. */
const at = (...names: readonly string[]) => join(folder, 'above', ...names);
const policies = () => join(folder, 'policies.json');
const copy = () => `${policies()}.plumbfox-lab.xpi`;

beforeAll(() => {
  buildOnce();
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-policy-package-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(() => {
  rmSync(at(), { recursive: true, force: true });
  mkdirSync(at('within'), { recursive: true });
  writeFileSync(at('within', 'lab.xpi'), GOOD);
  for (const path of [at(), at('within')]) chmodSync(path, 0o755);
  chmodSync(at('within', 'lab.xpi'), 0o644);
  rmSync(copy(), { force: true });
  writeFileSync(policies(), FOREIGN);
});

function install(path: string, ...words: readonly string[]) {
  const args = ['policy', '--profile', 'c4-d1', '--extension', path, '--install', '--file', policies(), ...words];
  return spawnSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8' });
}

/** What is wrong, and what the one line says of it. */
const REFUSED: readonly [what: string, make: () => void, says: RegExp, path?: () => string][] = [
  ['a package that its group may write', () => chmodSync(at('within', 'lab.xpi'), 0o664), /lab\.xpi is writable by its group \(0\)/],
  ['a package that everybody may write', () => chmodSync(at('within', 'lab.xpi'), 0o646), /lab\.xpi is writable by everybody/],
  ['a package of another user', () => chownSync(at('within', 'lab.xpi'), SOMEBODY, 0), /lab\.xpi belongs to user 65533/],
  ['a folder that its group may write', () => chmodSync(at('within'), 0o775), /within is writable by its group/],
  ['a folder that everybody may write', () => chmodSync(at('within'), 0o757), /within is writable by everybody/],
  ['a folder like /tmp', () => chmodSync(at('within'), 0o1777), /within is writable by everybody/],
  ['a folder of another user', () => chownSync(at('within'), SOMEBODY, 0), /within belongs to user 65533/],
  ['a folder above that its group may write', () => chmodSync(at(), 0o775), /above is writable by its group/],
  ['a folder above that everybody may write', () => chmodSync(at(), 0o777), /above is writable by everybody/],
  ['a folder above of another user', () => chownSync(at(), SOMEBODY, 0), /above belongs to user 65533/],
  [
    'a symbolic link to a good package',
    () => symlinkSync(at('within', 'lab.xpi'), at('link.xpi')),
    /link\.xpi is a symbolic link/,
    () => at('link.xpi'),
  ],
  [
    'a symbolic link on the way',
    () => symlinkSync(at('within'), at('way')),
    /way is a symbolic link; name its target instead/,
    () => at('way', 'lab.xpi'),
  ],
  ['a second name of the file', () => linkSync(at('within', 'lab.xpi'), at('second.xpi')), /one of 2 hard links to the same file/],
  [
    'a FIFO, which is never opened',
    () => spawnSync('mkfifo', ['-m', '644', at('within', 'fifo.xpi')]),
    /fifo\.xpi is a FIFO/,
    () => at('within', 'fifo.xpi'),
  ],
  ['a device', () => {}, /zero is a device/, () => '/dev/zero'],
  ['a folder', () => {}, /within is a folder/, () => at('within')],
  ['nothing', () => rmSync(at('within', 'lab.xpi')), /lab\.xpi is not there; build it/],
];

describe.runIf(process.getuid?.() === 0)('a package that somebody else could exchange', () => {
  it.each(REFUSED)('is refused: %s', (_, make, says, path = () => at('within', 'lab.xpi')) => {
    make();
    const refused = () => guardedPackage({ path: path() });
    expect(refused).toThrow(says);
    expect(refused).toThrow(expect.objectContaining({ kind: 'bad-input' }));
    countBar(18, 'packages refused', 1, 1);
  });

  it('is refused in one line, with a way that works and nothing changed', () => {
    chmodSync(at('within'), 0o775);
    const { status, stdout, stderr } = install(at('within', 'lab.xpi'), '--yes-unsigned');
    const way = `sudo install -D -m 644 ${at('within', 'lab.xpi')} /opt/plumbfox/plumbfox-lab.xpi, then --extension /opt/plumbfox/plumbfox-lab.xpi`;
    expect([status, stdout, stderr.split('\n').length]).toEqual([2, '', 2]);
    expect(stderr).toContain(`its group (0). Put a copy where only root can write: ${way}\n`);
    expect([readFileSync(policies(), 'utf8'), existsSync(copy())]).toEqual([FOREIGN, false]);
  });

  it('is refused where the copy would lie in such a folder', () => {
    chmodSync(folder, 0o770);
    const { status, stderr } = install(at('within', 'lab.xpi'), '--yes-unsigned');
    chmodSync(folder, 0o700);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^plumbfox: .* is writable by its group/)]);
    expect([readFileSync(policies(), 'utf8'), existsSync(copy())]).toEqual([FOREIGN, false]);
  });

  it('is refused where it is a socket', async () => {
    const path = at('within', 'socket.xpi');
    const server = createServer().listen(path);
    await once(server, 'listening');
    chmodSync(path, 0o644);
    expect(() => guardedPackage({ path })).toThrow(/socket\.xpi is a socket/);
    server.close();
  });

  it.each(['file', 'link', 'folder'])('is never taken while its %s is being exchanged', async (kind) => {
    const racer = await race(kind);
    let taken = 0;
    let refused = 0;
    const deadline = performance.now() + 20_000;
    while ((taken < 50 || refused < 50) && performance.now() < deadline) {
      try {
        expect(guardedPackage({ path: at('within', 'lab.xpi') }).hash).toBe(hashOf(Buffer.from(GOOD)));
        taken += 1;
      } catch (error) {
        expect(error).toMatchObject({ name: 'PlumbfoxError', message: expect.stringMatching(/^--extension: /) });
        refused += 1;
      }
    }
    const ended = once(racer, 'close');
    racer.kill();
    await ended;
    expect(taken).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
    countBar(18, 'packages exchanged between check and use', taken + refused, taken + refused);
  });
});

/** Exchanges the package, without pause, for one of somebody else, by a rename: whoever opens the name finds one or the other. */
async function race(kind: string): Promise<ChildProcess> {
  const script = `
    const fs = require('node:fs');
    const { join } = require('node:path');
    const [kind, above] = process.argv.slice(1);
    const file = join(above, 'within/lab.xpi'), good = join(above, 'good'), evil = join(above, 'evil'), within = join(above, 'within');
    fs.mkdirSync(evil);
    fs.writeFileSync(join(evil, 'lab.xpi'), 'of somebody else');
    fs.chownSync(evil, ${SOMEBODY}, 0);
    const parent = process.ppid;
    const turn = {
      file() {
        fs.writeFileSync(join(above, 'next'), 'of somebody else'); fs.chownSync(join(above, 'next'), ${SOMEBODY}, 0);
        fs.renameSync(join(above, 'next'), file);
        fs.writeFileSync(join(above, 'next'), ${JSON.stringify(GOOD)}); fs.chmodSync(join(above, 'next'), 0o644);
        fs.renameSync(join(above, 'next'), file);
      },
      link() {
        fs.symlinkSync(join(evil, 'lab.xpi'), join(above, 'next'));
        fs.renameSync(join(above, 'next'), file);
        fs.writeFileSync(join(above, 'next'), ${JSON.stringify(GOOD)}); fs.chmodSync(join(above, 'next'), 0o644);
        fs.renameSync(join(above, 'next'), file);
      },
      folder() {
        fs.renameSync(within, good); fs.renameSync(evil, within);
        fs.renameSync(within, evil); fs.renameSync(good, within);
      },
    }[kind];
    turn();
    process.stdout.write('racing');
    for (let at = 1; at % 1000 !== 0 || process.ppid === parent; at += 1) turn();`;
  const racer = spawn(process.execPath, ['-e', script, kind, at()], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(racer.stdout as NodeJS.ReadableStream, 'data');
  return racer;
}

describe.runIf(process.getuid?.() === 0)('a good package', () => {
  it('is copied, byte for byte, to where only root may write, and what it switches off is said before', () => {
    const { status, stdout, stderr } = install(at('within', 'lab.xpi'), '--yes-unsigned', '--json');
    const sha256 = hashOf(Buffer.from(GOOD));
    expect([status, JSON.parse(stdout)]).toMatchObject([0, { package: { path: copy(), sha256 } }]);
    expect(hashOf(readFileSync(copy()))).toBe(sha256);
    expect(JSON.parse(readFileSync(policies(), 'utf8')).policies.ExtensionSettings['plumbfox@plumbfox.org'].install_url).toBe(
      `file://${copy()}`,
    );
    expect(stderr).toMatch(/^For every user of the Firefox that reads .*policies\.json, this switches\n.*xpinstall\.signatures\.required/);
    expect(stderr).toMatch(/on {3}Experiments.*extensions\.experiments\.enabled\)\n.*To undo it: sudo \/.* policy --uninstall --file/);
    // The original may change by now: nobody looks at it any more.
    writeFileSync(at('within', 'lab.xpi'), 'another');
    expect(readFileSync(copy(), 'utf8')).toBe(GOOD);
  });

  it('is said before it is done: nothing is written where the words cannot be', () => {
    writeFileSync(policies(), '{"policies": {"ExtensionSettings": {"plumbfox@plumbfox.org": {"installation_mode": "blocked"}}}}');
    const { status, stderr } = install(at('within', 'lab.xpi'), '--yes-unsigned');
    expect([status, existsSync(copy())]).toEqual([2, false]);
    expect(stderr).toMatch(/^For every user[\s\S]*\nplumbfox: .*take that out first/);
  });
});

describe.runIf(canMount())('on a machine', () => {
  /** Runs it with homes of the test's own alone. */
  async function onMachine(home: string, ...words: readonly string[]) {
    const machine = mkdtempSync(join(folder, 'machine-'));
    const etc = await privateEtc(machine, FOREIGN);
    const homes = join(machine, 'homes');
    mkdirSync(homes, { recursive: true });
    writeFileSync(join(machine, 'etc', 'passwd'), `root:x:0:0::${join(machine, 'root')}:/bin/sh\nana:x:1000:1000::${home}:/bin/sh\n`);
    const args = [COMMAND, 'policy', '--profile', 'c4-d1', '--extension', at('within', 'lab.xpi'), '--install', ...words];
    const mounted = ['sh', '-c', 'mount --bind "$0" /home && exec "$@"', homes];
    const done = etc.run(...mounted, 'env', `HOME=${join(machine, 'root')}`, process.execPath, ...args);
    return { ...done, policies: readFileSync(etc.policies, 'utf8') };
  }

  const homeWith = (path: readonly string[], name: string): string => {
    const home = mkdtempSync(join(folder, 'ana-'));
    const profile = join(home, ...path);
    mkdirSync(profile, { recursive: true });
    writeFileSync(join(profile, name), '');
    return home;
  };

  it.each([
    [['.mozilla', 'firefox', 'abc.default-esr'], 'prefs.js'],
    [['.config', 'mozilla', 'firefox', 'abc.default'], 'compatibility.ini'],
    [['snap', 'firefox', 'common', '.mozilla', 'firefox', 'abc.default'], 'prefs.js'],
  ])('whose Firefox somebody uses (%j, %s) it is asked for, with another way', async (path, name) => {
    const home = homeWith(path, name);
    const { code, stdout, stderr, policies: now } = await onMachine(home);
    expect([code, stdout, now]).toEqual([2, '', FOREIGN]);
    expect(stderr).toBe(
      `plumbfox: Firefox is in everyday use here (${join(home, ...path)}), and --extension switches signature checks off for all its users: ` +
        'add --yes-unsigned to accept that, or use a separate Firefox profile: ' +
        `npm --prefix ${process.cwd()} start -- --profile DIR\n`,
    );
  });

  it('whose Firefox somebody uses it is done where that was asked for', async () => {
    const done = await onMachine(homeWith(['.mozilla', 'firefox', 'abc.default-esr'], 'compatibility.ini'), '--yes-unsigned');
    expect([done.code, JSON.parse(done.policies).policies.Preferences['xpinstall.signatures.required'].Value]).toEqual([0, false]);
  });

  it('that nobody has used Firefox on it goes ahead, a folder without a session included', async () => {
    const home = mkdtempSync(join(folder, 'ana-'));
    mkdirSync(join(home, '.mozilla', 'firefox', 'abc.default'), { recursive: true });
    expect(await onMachine(home)).toMatchObject({ code: 0 });
  });
});
