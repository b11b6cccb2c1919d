/** What must not be written through: twelve ways of leading a writer to a file that it should not touch, and a racer that tries while it writes. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { hashOf } from '../../../src/helper/files/checked-file.ts';
import { readChecked, replaceFile } from '../../../src/helper/files/replace-file.ts';
import { countBar } from '../../support/bar-count.ts';

const uid = process.getuid?.() ?? 0;
const NEW = Buffer.from('new');
const VICTIM = 'nobody but its owner may change this';

let root: string;
let folder: string;
let victim: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plumbfox-cases-'));
  folder = join(root, 'profile');
  victim = join(root, 'theirs', 'user.js');
  mkdirSync(folder);
  mkdirSync(dirname(victim));
  writeFileSync(victim, VICTIM);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function refused(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => new Error('not refused'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof PlumbfoxError)) throw error;
  expect([error.kind, error.message.split('\n').length]).toEqual(['bad-input', 1]);
  return error.message;
}

interface Case {
  readonly what: string;
  /** Prepares it; answers the path to write to, and who should own it where that is not the caller. */
  readonly make: () => string | { readonly path: string; readonly owner: number } | Promise<string>;
  readonly says: RegExp;
}

const target = () => join(folder, 'user.js');
const made = (path: string, make: (path: string) => unknown) => {
  make(path);
  return path;
};

const CASES: readonly Case[] = [
  { what: 'a symbolic link', make: () => made(target(), (path) => symlinkSync(victim, path)), says: /symbolic link/ },
  { what: 'a hard link', make: () => made(target(), (path) => linkSync(victim, path)), says: /hard links/ },
  { what: 'a FIFO', make: () => made(target(), (path) => spawnSync('mkfifo', [path])), says: /FIFO/ },
  { what: 'a folder', make: () => made(target(), mkdirSync), says: /is a folder/ },
  { what: 'a socket', make: socket, says: /socket/ },
  {
    what: 'a symbolic link to nothing',
    make: () => made(target(), (path) => symlinkSync(join(root, 'nothing'), path)),
    says: /symbolic link/,
  },
  { what: 'a folder that is a symbolic link', make: linkedFolder, says: /link is a symbolic link/ },
  { what: 'a folder above that is a symbolic link', make: linkedAbove, says: /link is a symbolic link/ },
  { what: 'two dots', make: () => `${folder}/../theirs/user.js`, says: /without "\.\."/ },
  { what: 'a file of somebody else', make: foreignFile, says: /belongs to another user/ },
  { what: 'a folder of somebody else', make: foreignFolder, says: /belongs to another user/ },
  { what: 'a folder that everybody may write to', make: () => made(target(), () => chmodSync(folder, 0o777)), says: /by everybody/ },
  {
    what: 'the same, but for what others own',
    make: () => made(target(), () => chmodSync(folder, 0o1777)),
    says: /by everybody/,
  },
];

async function socket(): Promise<string> {
  const server = createServer().listen(target());
  await once(server, 'listening');
  server.unref();
  return target();
}

function linkedFolder(): string {
  symlinkSync(dirname(victim), join(root, 'link'));
  return join(root, 'link', 'user.js');
}

function linkedAbove(): string {
  symlinkSync(root, join(root, 'link'));
  return join(root, 'link', 'theirs', 'user.js');
}

/** Root makes them; anybody else pretends to be somebody else. */
const ELSE = 65_533;
function foreignFile() {
  writeFileSync(target(), VICTIM);
  if (uid === 0) chownSync(target(), ELSE, ELSE);
  return { path: target(), owner: uid === 0 ? 0 : uid + 1 };
}
function foreignFolder() {
  if (uid === 0) chownSync(folder, ELSE, ELSE);
  return { path: target(), owner: uid === 0 ? 0 : uid + 1 };
}

describe('a file is neither read nor written through', () => {
  it.each(CASES)('$what', async ({ make, says }) => {
    const answer = await make();
    const { path, owner } = typeof answer === 'string' ? { path: answer, owner: uid } : answer;
    const before = lstatSync(path, { throwIfNoEntry: false });
    for (const expected of [undefined, hashOf(Buffer.from(VICTIM))]) {
      expect(await refused(replaceFile({ path, content: NEW, expected, uid: owner }))).toMatch(says);
      expect(await refused(replaceFile({ path, content: undefined, expected, uid: owner }))).toMatch(says);
    }
    expect(await refused(readChecked(path, { owner }))).toMatch(says);
    expect(readFileSync(victim, 'utf8')).toBe(VICTIM);
    expect(lstatSync(path, { throwIfNoEntry: false })?.ino).toBe(before?.ino);
    countBar(18, 'ways to another file that are refused', 1, 1);
  });

  it('a device', async (context) => {
    // The null device's numbers; not every container may make one.
    if (spawnSync('mknod', [target(), 'c', '1', '3']).status !== 0) context.skip('no device can be made here');
    expect(await refused(replaceFile({ path: target(), content: NEW, expected: hashOf(Buffer.alloc(0)), uid }))).toMatch(/is a device/);
    expect(lstatSync(target()).isCharacterDevice()).toBe(true);
    countBar(18, 'ways to another file that are refused', 1, 1);
  });
});

const RACER = fileURLToPath(new URL('../../support/racer.mjs', import.meta.url));
let racer: ChildProcess | undefined;
afterEach(async () => {
  if (racer?.exitCode === null && racer.signalCode === null) {
    racer.kill('SIGKILL');
    await once(racer, 'exit');
  }
});

async function startRacer(kind: 'target' | 'folder' | 'temporary'): Promise<void> {
  writeFileSync(target(), 'former');
  racer = spawn(process.execPath, [RACER, kind, folder, dirname(victim)], { stdio: ['pipe', 'pipe', 'inherit'] });
  if (racer.stdout) await once(racer.stdout, 'data');
}

/** Less where each takes long: the kernel has to wake the racer. */
const TRIES = { target: 4000, folder: 4000, temporary: 500 } as const;

/** Until both have won some: then it was a race. */
async function tryAgainAndAgain(tries: number): Promise<void> {
  const times = [0, 0];
  let at = 0;
  for (; at < tries || times.includes(0); at += 1) {
    const won = await replaceOnce(String(at));
    times[won] = (times[won] ?? 0) + 1;
    expect(readFileSync(victim, 'utf8'), `try ${at}`).toBe(VICTIM);
  }
  countBar(18, 'races that left the other file alone', at, at);
}

async function replaceOnce(content: string): Promise<0 | 1> {
  try {
    const now = await readChecked(target(), { owner: uid });
    await replaceFile({ path: target(), content: Buffer.from(content), expected: now?.hash, uid });
    return 1;
  } catch (error) {
    if (error instanceof PlumbfoxError && error.kind !== 'internal') return 0;
    throw error;
  }
}

describe('somebody else’s file is never touched', () => {
  it.each(['target', 'folder', 'temporary'] as const)('while a racer exchanges the %s', async (kind) => {
    await startRacer(kind);
    await tryAgainAndAgain(TRIES[kind]);
  });

  it.each(['target', 'folder'] as const)(
    'although the racer of the %s is quick enough for a writer that only looks before it writes',
    async (kind) => {
      await startRacer(kind);
      for (let victimHeld = VICTIM; victimHeld === VICTIM; victimHeld = readFileSync(victim, 'utf8')) {
        try {
          if (lstatSync(folder).isDirectory() && lstatSync(target()).isFile()) writeFileSync(target(), 'naive');
        } catch {
          // It was away in that very moment.
        }
      }
      expect(readFileSync(victim, 'utf8')).toBe('naive');
    },
  );
});
