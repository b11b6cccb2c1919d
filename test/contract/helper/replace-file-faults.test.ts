/**
 * A file is the former or the new one, whatever fails and wherever the process is killed: strace makes each system call of a replacement fail
 * in turn, or kills the process at it, and the next replacement leaves nothing behind.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashOf } from '../../../src/helper/files/checked-file.ts';
import { replaceFile } from '../../../src/helper/files/replace-file.ts';
import { tryCommand } from '../../../src/lab/process/run-command.ts';
import { countBar } from '../../support/bar-count.ts';
import { bundleReplacement, type SystemCall, tracedReplacement } from '../../support/traced-replacement.ts';

const uid = process.getuid?.() ?? 0;
const LEFTOVER = '.plumbfox-0123456789abcdef.tmp';
/** Those that change something on the disk. */
const CHANGES = /^(write|fchmod|fsync|rename\w*|unlink\w*)\(|O_CREAT/;

/** As strace names what a descriptor leads to; the folders of this test are numbers. */
const SYNCED_FILE = /^fsync\(\d+<[^>]*\.tmp>/;
const SYNCED_FOLDER = /^fsync\(\d+<[^>]*\/\d+>/;

interface Case {
  readonly what: string;
  readonly former: string | undefined;
  readonly content: string | undefined;
  /** Faults at a call. */
  readonly faults: (call: SystemCall) => readonly string[];
}
const KILLED = 'signal=KILL';
const CASES: readonly Case[] = [
  {
    what: 'replaced',
    former: 'former',
    content: 'new',
    faults: ({ text }) => [KILLED, 'error=EIO', ...(CHANGES.test(text) ? ['error=ENOSPC', 'error=EROFS', 'error=EPERM'] : [])],
  },
  { what: 'made', former: undefined, content: 'new', faults: ({ text }) => (CHANGES.test(text) ? [KILLED, 'error=ENOSPC'] : []) },
  { what: 'removed', former: 'former', content: undefined, faults: ({ text }) => (CHANGES.test(text) ? [KILLED, 'error=EIO'] : []) },
];

let root: string;
let program: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'plumbfox-faults-'));
  program = await bundleReplacement(root);
});
afterAll(() => rmSync(root, { recursive: true }));

let folders = 0;
function newFolder({ former }: Case): string {
  folders += 1;
  const folder = join(root, String(folders));
  mkdirSync(folder);
  if (former !== undefined) writeFileSync(join(folder, 'user.js'), former);
  writeFileSync(join(folder, LEFTOVER), 'of one that was killed');
  return folder;
}

const words = (folder: string, { content = '-', former = '-' }: Case) => [program, join(folder, 'user.js'), content, former];
const held = (folder: string) => (existsSync(join(folder, 'user.js')) ? readFileSync(join(folder, 'user.js'), 'utf8') : undefined);

/** The calls that concern the folder, of a replacement that goes well. */
async function callsOf(one: Case): Promise<readonly SystemCall[]> {
  const folder = newFolder(one);
  const { code, calls } = await tracedReplacement(words(folder, one), join(root, 'well'));
  expect([code, held(folder)]).toEqual([0, one.content]);
  return calls.filter(({ text }) => text.includes('/proc/self/fd') || text.includes(folder));
}

async function tryFault(one: Case, call: SystemCall, fault: string): Promise<void> {
  const folder = newFolder(one);
  const inject = `${call.name}:${fault}:when=${call.when}`;
  const { code, said, calls } = await tracedReplacement(words(folder, one), `${folder}.log`, inject);
  const hit = calls.find(({ name, when }) => name === call.name && when === call.when);
  expect(hit?.text, `${inject} hits something`).toMatch(fault === KILLED ? / = \?/ : /INJECTED/);
  const now = held(folder);
  expect([one.former, one.content], `${inject}: ${said}`).toContain(now);
  if (fault === KILLED) expect(code).toBeUndefined();
  else expectTold(one, { inject, code, said, now });
  await replaceFile({
    path: join(folder, 'user.js'),
    content: Buffer.from('next'),
    expected: now === undefined ? undefined : hashOf(Buffer.from(now)),
    uid,
  });
  expect([held(folder), ...readdirSync(folder)], inject).toEqual(['next', 'user.js']);
}

/** What it says is what is there: done; or not done, in one line; or done, but the disk may forget it. */
function expectTold(
  one: Case,
  { inject, code, said, now }: { inject: string; code: number | undefined; said: string; now: unknown },
): void {
  expect([0, 3], `${inject}: ${said}`).toContain(code);
  expect(said.split('\n'), inject).toHaveLength(1);
  expect(now, `${inject}: ${said}`).toBe(code === 0 || /was (replaced|removed)/.test(said) ? one.content : one.former);
}

describe('whatever fails, the file is the former or the new one', () => {
  it.for(CASES)('when it is $what', async (one, context) => {
    const reason = await whyNot();
    if (reason !== undefined) context.skip(reason);
    const calls = await callsOf(one);
    const faults = calls.flatMap((call) => one.faults(call).map((fault) => ({ call, fault })));
    for (const name of ['fsync', 'unlink', ...(one.content === undefined ? [] : ['openat', 'write', 'rename'])]) {
      expect(
        faults.some(({ call }) => call.name.startsWith(name)),
        name,
      ).toBe(true);
    }
    const waiting = faults.values();
    const worker = async () => {
      for (const { call, fault } of waiting) await tryFault(one, call, fault);
    };
    await Promise.all(Array.from({ length: availableParallelism() }, worker));
    countBar(17, 'faults after which the file was the former or the new one', faults.length, faults.length);
  });

  it.for(CASES)('and the disk is asked to keep each step before the next, when it is $what', async (one, context) => {
    const reason = await whyNot();
    if (reason !== undefined) context.skip(reason);
    const calls = await callsOf(one);
    const steps =
      one.content === undefined ? [/^unlink\w*\(.*user\.js/, SYNCED_FOLDER] : [/^write\(/, SYNCED_FILE, /^rename/, SYNCED_FOLDER];
    const places = steps.map((step) => calls.findLastIndex(({ text }) => step.test(text)));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    countBar(17, 'states that the disk was asked to keep, in order', 1, 1);
  });
});

/** Why nothing can be traced here; `undefined`: it can. */
async function whyNot(): Promise<string | undefined> {
  const traced = await tryCommand(['strace', '-o', '/dev/null', 'true']).catch(() => undefined);
  return traced?.code === 0 ? undefined : 'strace is missing and could not be installed, or may not trace here';
}
