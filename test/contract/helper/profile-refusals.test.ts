/** Who may not touch a Firefox profile, and when; and that nothing is touched then. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { findProfile } from '../../../src/core/profiles/presets.ts';
import { HelperError } from '../../../src/helper/errors.ts';
import { withProfileLock } from '../../../src/helper/profile/lock.ts';
import { openProfile } from '../../../src/helper/profile/profile-changes.ts';
import { applyOnceProgram } from '../../support/apply-once-program.ts';
import { countBar } from '../../support/bar-count.ts';

const BETTERFOX = findProfile('betterfox') ?? expect.fail();
const SOMEBODY_ELSE = 4242;
const isRoot = process.getuid?.() === 0;

let home: string;
let directory: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'plumbfox-refusals-'));
  directory = join(home, 'profile');
  mkdirSync(directory);
  writeFileSync(join(directory, 'user.js'), '// mine\n');
  writeFileSync(join(directory, 'prefs.js'), 'user_pref("a", 1);\n');
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});
// After it: what is done last is undone first, and so nobody writes any more when the folder goes.
const { run } = applyOnceProgram();

const open = (at = directory) => openProfile(at, { now: () => 0, systemPolicies: join(home, 'none'), patienceMs: 0 });
const everything = () =>
  readdirSync(directory)
    .toSorted()
    .map((name) => [name, readFileSync(join(directory, name), 'latin1')]);

async function refused(work: () => Promise<unknown>): Promise<PlumbfoxError> {
  const error: unknown = await work().then(
    () => new Error('not refused'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof PlumbfoxError)) throw error;
  expect(error.message).not.toContain('\n');
  return error;
}
/** Neither apply nor revert. */
async function refusedAll(message: RegExp, at = directory): Promise<void> {
  for (const name of ['apply', 'revert'] as const) {
    const error = await refused(async () => {
      const changes = await open(at);
      return name === 'apply' ? changes.apply(BETTERFOX) : changes.revert();
    });
    expect(error).toMatchObject({ kind: 'bad-input', message: expect.stringMatching(message) });
  }
}

describe('refused is', () => {
  it.runIf(isRoot)('root on the profile of somebody else', async () => {
    chownSync(directory, SOMEBODY_ELSE, SOMEBODY_ELSE);
    await refusedAll(/belongs to another user \(4242, not 0\); run this as that user/);
    expect(readdirSync(directory)).toEqual(['prefs.js', 'user.js']);
  });

  it.runIf(isRoot).each(['user.js', 'prefs.js'])('a %s of somebody else', async (name) => {
    chownSync(join(directory, name), SOMEBODY_ELSE, SOMEBODY_ELSE);
    const before = everything();
    await refusedAll(/belongs to another user/);
    expect(everything()).toEqual(before);
    countBar(19, 'files of another user refused to root', 1, 1);
  });

  it('a folder reached through a link, or one whose files are links', async () => {
    symlinkSync(directory, join(home, 'link'));
    await refusedAll(/is a symbolic link/, join(home, 'link'));
    writeFileSync(join(home, 'victim'), 'mine');
    rmSync(join(directory, 'user.js'));
    symlinkSync(join(home, 'victim'), join(directory, 'user.js'));
    await refusedAll(/user\.js is a symbolic link/);
    expect(readFileSync(join(home, 'victim'), 'utf8')).toBe('mine');
  });

  it('a link in place of our own folder', async () => {
    mkdirSync(join(home, 'elsewhere'));
    symlinkSync(join(home, 'elsewhere'), join(directory, 'plumbfox'));
    await refusedAll(/plumbfox is a symbolic link/);
    expect(readdirSync(join(home, 'elsewhere'))).toEqual([]);
  });

  it('what is no profile', async () => {
    writeFileSync(join(home, 'letter.txt'), '');
    await refusedAll(/is not a Firefox profile/, home);
    await refusedAll(/does not exist/, join(home, 'nowhere'));
    await refusedAll(/must be a full path/, 'profile');
  });

  it('a profile that a living process has open, and not one that a dead one had', async () => {
    symlinkSync(`127.0.1.1:+${process.pid}`, join(directory, 'lock'));
    const before = readdirSync(directory);
    await refusedAll(/A running Firefox \(process \d+\) has .* open; close it, and try again/);
    expect(readdirSync(directory)).toEqual(before);
    countBar(19, 'profiles in use that are refused', 1, 1);
    const gone = spawn('true');
    await once(gone, 'exit');
    rmSync(join(directory, 'lock'));
    symlinkSync(`127.0.1.1:+${gone.pid}`, join(directory, 'lock'));
    await expect(open().then((changes) => changes.apply(BETTERFOX))).resolves.toMatchObject({ phase: 'pending' });
  });

  it('a user.js that Firefox cannot read', async () => {
    writeFileSync(join(directory, 'user.js'), 'user_pref("a", 1)\nuser_pref("b", "2);\n');
    const before = everything();
    await refusedAll(/user\.js, line 2: Firefox cannot read it \(expected ';' after '\)'\)/);
    expect(everything()).toEqual(before);
  });
});

describe('two helpers at once', () => {
  it('are one that works and one that is told, 20 times', async () => {
    for (let round = 0; round < 20; round++) {
      let within = 0;
      // Who has come in stays until the other has been told, or has come in too: they meet, however slow the machine is.
      const meet: () => Promise<void> = () =>
        ++within === 1 ? Promise.race(both.map((one) => one.catch(() => undefined))) : Promise.resolve();
      const both = [0, 1].map(() => withProfileLock(directory, {}, meet));
      const ends = await Promise.allSettled(both);
      expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const loser = ends.find((one) => one.status === 'rejected');
      expect(loser?.reason).toBeInstanceOf(HelperError);
      expect(loser?.reason).toMatchObject({ helperKind: 'busy', message: expect.stringContaining('try again in a moment') });
      expect(readdirSync(directory)).toEqual(['prefs.js', 'user.js']);
      countBar(19, 'pairs of helpers of which one worked', 1, 1);
    }
  });

  it('that change the same profile leave it whole, one after the other or one of them alone, 20 times', async () => {
    for (let round = 0; round < 20; round++) {
      const both = await Promise.allSettled([open(), open()].map((changes) => changes.then((one) => one.apply(BETTERFOX))));
      expect(both.map(({ status }) => status)).toContain('fulfilled');
      for (const one of both) if (one.status === 'rejected') expect(one.reason).toMatchObject({ helperKind: 'busy' });
      await open().then((changes) => changes.revert());
      expect(readdirSync(directory)).toEqual(['prefs.js', 'user.js']);
    }
  });

  it('in processes of their own never both change the files, and leave them whole', async () => {
    for (let round = 0; round < 3; round++) {
      const pair = ['betterfox', 'c4-d6'].map((id) => helper(id));
      const lines = await Promise.all(pair.map(({ line }) => line()));
      expect(lines).toEqual(['ready', 'ready']);
      for (const { child } of pair) child.stdin?.end('x');
      const said = await Promise.all(pair.map(({ line }) => line()));
      // One after the other is well, too.
      expect(['done', 'busy']).toEqual(expect.arrayContaining(said));
      expect(said).toContain('done');
      expect(await open().then((changes) => changes.status())).toMatchObject({ phase: 'pending', changedByOthers: [] });
      await open().then((changes) => changes.revert());
      expect(everything()).toEqual([
        ['prefs.js', 'user_pref("a", 1);\n'],
        ['user.js', '// mine\n'],
      ]);
    }
  });

  it('wait for each other, as far as they have patience', async () => {
    let release = () => {};
    let begun = () => {};
    const begins = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const held = withProfileLock(
      directory,
      {},
      () =>
        new Promise<void>((resolve) => {
          release = resolve;
          begun();
        }),
    );
    await begins;
    const patient = await openProfile(directory, { now: () => 0, systemPolicies: join(home, 'none') });
    const applying = patient.apply(BETTERFOX);
    // Begun later, so that the other has been refused once by then.
    expect(await refused(() => open().then((changes) => changes.apply(BETTERFOX)))).toMatchObject({ helperKind: 'busy' });
    release();
    await held;
    await expect(applying).resolves.toMatchObject({ phase: 'pending' });
  });

  it('are one again when the other is killed', async () => {
    const other = helper('hold');
    expect(await other.line()).toBe('holds');
    expect(await refused(() => open().then((changes) => changes.apply(BETTERFOX)))).toMatchObject({ helperKind: 'busy' });
    const gone = once(other.child, 'exit');
    other.child.kill('SIGKILL');
    await gone;
    await expect(open().then((changes) => changes.apply(BETTERFOX))).resolves.toMatchObject({ phase: 'pending' });
  });
});

const helper = (id: string) => run(directory, id);
