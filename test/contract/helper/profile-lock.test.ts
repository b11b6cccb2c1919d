/** Who holds a profile folder: one helper at a time, of its owner, wherever it runs; and nobody who has ended. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HelperError } from '../../../src/helper/errors.ts';
import { beginningOf } from '../../../src/helper/profile/firefox-process.ts';
import { LOCK_FILE, withProfileLock } from '../../../src/helper/profile/lock.ts';
import { applyOnceProgram, type SpeakingProcess } from '../../support/apply-once-program.ts';
import { countBar } from '../../support/bar-count.ts';

const isRoot = process.getuid?.() === 0;
/** Enough for each pair of steps to meet often; the long form finds rarer ones. */
const ROUNDS = process.env.PLUMBFOX_FULL === '1' ? 500 : 40;
const NOBODY = 65_534;
const BOOT_ID = '/proc/sys/kernel/random/boot_id';
const BOOT = (await beginningOf(process.pid))?.split('/')[0];

let home: string;
let directory: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'plumbfox-locks-'));
  chmodSync(home, 0o755);
  directory = join(home, 'profile');
  mkdirSync(directory, { mode: 0o755 });
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});
// After it: what is done last is undone first, and so nobody writes any more when the folder goes.
const { start, run, program } = applyOnceProgram();

const racer = (...before: readonly string[]) => start([...before, process.execPath, program(), directory, 'race']);

/** All at once; `holds` of how many. */
async function race(racers: readonly SpeakingProcess[]): Promise<number> {
  for (const one of racers) one.step();
  const said = await Promise.all(racers.map(({ line }) => line()));
  for (const one of racers) one.step();
  await Promise.all(racers.filter((_, at) => said[at] === 'holds').map(({ line }) => line()));
  expect(new Set(said)).toEqual(new Set(said.includes('busy') ? ['holds', 'busy'] : ['holds']));
  return said.filter((one) => one === 'holds').length;
}

const lock = () => join(directory, LOCK_FILE);
const isTaken = () =>
  withProfileLock(directory, {}, async () => 'taken').catch((error: unknown) => {
    if (!(error instanceof HelperError)) throw error;
    return error.helperKind;
  });
const nonce = () => randomBytes(8).toString('hex');
const NOBODY_THERE = 2 ** 30;
/** What a helper leaves behind that was killed. */
const leaveBehind = (name = LOCK_FILE) => {
  const left = { processId: NOBODY_THERE, began: `${BOOT}/1`, processNamespace: readlinkSync('/proc/self/ns/pid'), nonce: nonce() };
  writeFileSync(join(directory, name), JSON.stringify(left));
};

describe('exactly one of several holds it', () => {
  it.runIf(isRoot)('in network namespaces of their own', async () => {
    const racers = ['', ''].map(() => racer('unshare', '--net', '--'));
    await Promise.all(racers.map(({ line }) => line()));
    let one = 0;
    for (let round = 0; round < ROUNDS; round++) if ((await race(racers)) === 1) one++;
    countBar(19, 'meetings of two network namespaces with one winner', one, ROUNDS);
    expect(readdirSync(directory)).toEqual([]);
  });

  it.runIf(isRoot)('on two machines that share the folder', async () => {
    const machine = (boot: string) => {
      writeFileSync(join(home, boot), `${boot}\n`);
      return ['unshare', '--mount', 'sh', '-c', `mount --bind "$0" ${BOOT_ID} && exec "$@"`, join(home, boot)];
    };
    const boots = ['11111111-2222-4333-8444-555555555555', '66666666-7777-4888-8999-000000000000'];
    const racers = boots.map((boot) => racer(...machine(boot)));
    await Promise.all(racers.map(({ line }) => line()));
    let one = 0;
    for (let round = 0; round < ROUNDS; round++) if ((await race(racers)) === 1) one++;
    countBar(19, 'meetings of two machines with one winner', one, ROUNDS);
    const holder = start([...machine(boots[0] ?? ''), process.execPath, program(), directory, 'hold']);
    expect(await holder.line()).toBe('holds');
    expect(readFileSync(lock(), 'utf8')).toContain(boots[0]);
    expect(await isTaken()).toBe('busy');
  });

  it('where the file system has no hard links', async () => {
    const refused = ['strace', '-f', '-qq', '-o', join(home, 'trace'), '-e', 'trace=?link,linkat', '-e', 'inject=?link,linkat:error=EPERM'];
    const racers = [racer(...refused), racer(...refused.map((word) => (word === join(home, 'trace') ? join(home, 'trace-2') : word)))];
    await Promise.all(racers.map(({ line }) => line()));
    let one = 0;
    for (let round = 0; round < ROUNDS; round++) if ((await race(racers)) === 1) one++;
    countBar(19, 'meetings without hard links with one winner', one, ROUNDS);
    expect(readFileSync(join(home, 'trace'), 'utf8')).toContain('EPERM');
    expect(readdirSync(directory)).toEqual([]);
  });

  it('where six find what a seventh has left behind', async () => {
    const racers = Array.from({ length: 6 }, () => racer());
    await Promise.all(racers.map(({ line }) => line()));
    let one = 0;
    for (let round = 0; round < ROUNDS; round++) {
      leaveBehind();
      if ((await race(racers)) === 1) one++;
    }
    countBar(19, 'locks left behind that one of six took over', one, ROUNDS);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('where fifty of one process do, at each of its steps', async () => {
    let one = 0;
    for (let round = 0; round < ROUNDS; round++) {
      leaveBehind();
      let holders = 0;
      const releases: (() => void)[] = [];
      const ends: Promise<unknown>[] = [];
      const attempt = () =>
        new Promise<void>((hasSaid) => {
          const hold = () =>
            new Promise<void>((release) => {
              holders++;
              releases.push(release);
              hasSaid();
            });
          ends.push(withProfileLock(directory, {}, hold).catch(() => hasSaid()));
        });
      await Promise.all(Array.from({ length: 50 }, attempt));
      for (const release of releases) release();
      await Promise.all(ends);
      if (holders === 1) one++;
    }
    countBar(19, 'locks left behind that one of fifty took over', one, ROUNDS);
  });
});

describe('held is', () => {
  it('what a living process has taken; and no longer when that is killed', async () => {
    const holder = run(directory, 'hold');
    expect(await holder.line()).toBe('holds');
    expect(statSync(lock()).mode & 0o777).toBe(0o600);
    expect(await isTaken()).toBe('busy');
    const gone = once(holder.child, 'exit');
    holder.child.kill('SIGKILL');
    await gone;
    expect(existsSync(lock())).toBe(true);
    expect(await isTaken()).toBe('taken');
    expect(readdirSync(directory)).toEqual([]);
  });

  const otherBoot = (began: string) => began.replace(/^[^/]+/, 'another-boot');
  it.runIf(process.platform === 'linux').each([
    ['the same process', {}, 'busy'],
    ['one whose number another has by now', { began: (began: string) => `${began}0` }, 'taken'],
    ['one of another machine, a moment ago', { began: otherBoot }, 'busy'],
    ['one of another machine, or of before this was started anew, long ago', { began: otherBoot, ageS: 120 }, 'taken'],
    ['the same process by a later version', { ageS: 10, later: { madeBy: '9.9', since: 1 } }, 'busy'],
    ['one of another container, a moment ago', { namespace: 'pid:[1]' }, 'busy'],
    ['one of another container, long ago', { namespace: 'pid:[1]', ageS: 120 }, 'taken'],
    ['the same process, long ago', { ageS: 100_000 }, 'busy'],
  ])('that of %s', async (_, { began = (one: string) => one, namespace, ageS = 0, later }: Changed, expected) => {
    const holder = run(directory, 'hold');
    expect(await holder.line()).toBe('holds');
    const found = JSON.parse(readFileSync(lock(), 'utf8')) as { began: string; processNamespace: string };
    expect(found.began).toBe(await beginningOf(holder.child.pid ?? 0));
    writeFileSync(
      lock(),
      JSON.stringify({ ...found, ...later, began: began(found.began), processNamespace: namespace ?? found.processNamespace }),
    );
    const at = Date.now() / 1000 - ageS;
    utimesSync(lock(), at, at);
    expect(await isTaken()).toBe(expected);
  });

  it.each([
    ['nothing', ''],
    ['half of it', '{"processId":1,"beg'],
    ['no number', JSON.stringify({ processId: '1', nonce: nonce() })],
    ['a path for a nonce', JSON.stringify({ processId: 1, nonce: '../../../etc/pass' })],
    ['what is far too long', `"${'x'.repeat(2000)}"`],
  ])('for a moment what holds %s', async (_, text) => {
    writeFileSync(lock(), text);
    expect(await isTaken()).toBe('busy');
    utimesSync(lock(), 1, 1);
    expect(await isTaken()).toBe('taken');
    expect(readdirSync(directory)).toEqual([]);
  });
});

interface Changed {
  readonly began?: (began: string) => string;
  readonly namespace?: string;
  readonly ageS?: number;
  readonly later?: object;
}

it('whoever works for more than a minute touches its lock, and leaves that of another alone', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    await withProfileLock(directory, {}, async () => {
      const age = () => {
        utimesSync(lock(), 1, 1);
        vi.advanceTimersByTime(60_000);
        return Date.now() - statSync(lock()).mtimeMs;
      };
      expect(age()).toBeLessThan(3_600_000);
      leaveBehind();
      expect(age()).toBeGreaterThan(3_600_000);
    });
  } finally {
    vi.useRealTimers();
  }
  expect(existsSync(lock())).toBe(true);
});

/** A holder on another machine is known by what its lock's date is, and the file's server dates it: neither clock need be right. */
it.runIf(process.platform === 'linux').each([
  ['two minutes fast', 120_000],
  ['a day slow', -86_400_000],
])('a clock that is %s takes no lock from another machine', async (_, offByMs) => {
  leaveBehind();
  const left = JSON.parse(readFileSync(lock(), 'utf8')) as object;
  writeFileSync(lock(), JSON.stringify({ ...left, began: 'another-boot/1' }));
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + offByMs });
  try {
    expect(await isTaken()).toBe('busy');
    const past = Date.now() / 1000 - offByMs / 1000 - 120;
    utimesSync(lock(), past, past);
    expect(await isTaken()).toBe('taken');
  } finally {
    vi.useRealTimers();
  }
});

it('a clock that is wrong dates no lock: another machine would take it for left behind', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: Date.now() + 86_400_000 });
  try {
    await withProfileLock(directory, {}, async () => {
      utimesSync(lock(), 1, 1);
      vi.advanceTimersByTime(15_000);
      const { mtimeMs } = statSync(lock());
      vi.useRealTimers();
      expect(mtimeMs).toBeGreaterThan(1_000_000);
      expect(Math.abs(Date.now() - mtimeMs)).toBeLessThan(3_600_000);
    });
  } finally {
    vi.useRealTimers();
  }
});

describe('on macOS, where a process is known by its number and the time alone', () => {
  const { platform } = process;
  const { PATH } = process.env;
  beforeEach(() => {
    const programs = join(home, 'programs');
    mkdirSync(programs);
    // No process of that number is here, and this machine has been started once.
    writeFileSync(join(programs, 'ps'), `#!/bin/sh\n[ "$4" = ${process.pid} ] && echo 'Mon Nov 23 04:00:00 2026' || exit 1\n`, {
      mode: 0o755,
    });
    writeFileSync(join(programs, 'sysctl'), '#!/bin/sh\n[ "$2" = kern.bootsessionuuid ] && echo THIS-START\n', { mode: 0o755 });
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    process.env.PATH = `${programs}:${PATH}`;
  });
  afterEach(() => {
    Object.defineProperty(process, 'platform', { value: platform });
    process.env.PATH = PATH;
  });

  it.each([
    ['another machine, a moment ago', { machine: 'ANOTHER-START' }, 0, 'busy'],
    ['another machine, long ago', { machine: 'ANOTHER-START' }, 120, 'taken'],
    ['this machine, by a process that has ended', { machine: 'THIS-START' }, 0, 'taken'],
    ['a version that did not name the machine', {}, 0, 'taken'],
  ])('a lock of %s', async (_, named, ageS, expected) => {
    leaveBehind();
    const left = JSON.parse(readFileSync(lock(), 'utf8')) as object;
    writeFileSync(lock(), JSON.stringify({ ...left, began: 'Mon Nov 23 05:00:00 2026', ...named }));
    const at = Date.now() / 1000 - ageS;
    utimesSync(lock(), at, at);
    expect(await isTaken()).toBe(expected);
  });

  it('names the machine', async () => {
    await withProfileLock(directory, {}, async () => {
      expect(JSON.parse(readFileSync(lock(), 'utf8'))).toMatchObject({ machine: 'THIS-START', began: 'Mon Nov 23 04:00:00 2026' });
    });
  });
});

describe('killed while taking over', () => {
  it('holds nobody up, and leaves nothing behind in the end', async () => {
    leaveBehind();
    const { nonce: former } = JSON.parse(readFileSync(lock(), 'utf8')) as { nonce: string };
    for (const name of [`${LOCK_FILE}-${former}`, `${LOCK_FILE}-${nonce()}`]) {
      leaveBehind(name);
    }
    expect(await isTaken()).toBe('taken');
    expect(readdirSync(directory)).toEqual([]);
  });
});

it.runIf(isRoot)('another user can neither take the name nor the file', async () => {
  const { dev, ino } = statSync(directory, { bigint: true });
  // As a socket's name it was, which everybody may take.
  const name = `plumbfox-profile-${createHash('sha512').update(`${dev}:${ino}`).digest('hex')}`.slice(0, 107);
  const attempts = `
    const { writeFileSync } = require('node:fs');
    try { writeFileSync(process.argv[2], '{}'); console.log('written'); } catch (error) { console.log(error.code); }
    require('node:net').createServer().listen('\\0' + process.argv[1], () => console.log('listening'));`;
  const other = start([
    'setpriv',
    `--reuid=${NOBODY}`,
    `--regid=${NOBODY}`,
    '--clear-groups',
    process.execPath,
    '-e',
    attempts,
    name,
    lock(),
  ]);
  expect([await other.line(), await other.line()]).toEqual(['EACCES', 'listening']);
  const taken = await isTaken();
  countBar(19, 'helpers that another user could not hold up', taken === 'taken' ? 1 : 0, 1);
});
