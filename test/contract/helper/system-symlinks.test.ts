/** Which links on the way to a profile are followed. Only root can make those of a system. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveSystemSymlinks } from '../../../src/helper/files/system-symlinks.ts';
import { buildOnce } from '../../support/build-once.ts';
import { COMMAND } from '../../support/command-run.ts';

const SOMEBODY = 4242;
const isRoot = process.getuid?.() === 0;

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'plumbfox-links-')));
  mkdirSync(join(folder, 'var/home/ann'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a path without links, or of nothing, stays as it is', () => {
  for (const path of ['/', folder, join(folder, 'nothing/there')]) expect(resolveSystemSymlinks(path)).toBe(path);
});

it('a link of somebody else than the system stays, to be refused', () => {
  symlinkSync('var/home', join(folder, 'home'));
  expect(resolveSystemSymlinks(join(folder, 'home/ann'))).toBe(join(folder, 'home/ann'));
});

describe.runIf(isRoot && process.platform === 'linux')('with root', () => {
  it('links of the system are followed for everybody else, also one after another', () => {
    symlinkSync('var/home', join(folder, 'home'));
    symlinkSync(join(folder, 'home/ann'), join(folder, 'ann'));
    expect(resolveSystemSymlinks(join(folder, 'ann/.mozilla'), SOMEBODY)).toBe(join(folder, 'var/home/ann/.mozilla'));
    symlinkSync('loop', join(folder, 'loop'));
    expect(resolveSystemSymlinks(join(folder, 'loop'), SOMEBODY)).toBe(join(folder, 'loop'));
  });

  it('a profile below a /home that is one is written, named or found', async () => {
    await buildOnce();
    const home = join(folder, 'var/home/ann');
    const profile = join(home, '.mozilla/firefox/x');
    mkdirSync(profile, { recursive: true });
    writeFileSync(join(profile, 'prefs.js'), '');
    writeFileSync(join(profile, '../profiles.ini'), '[Profile0]\nName=x\nIsRelative=1\nPath=x\n');
    symlinkSync('var/home', join(folder, 'home'));
    chmodSync(folder, 0o755);
    spawnSync('chown', ['-R', `${SOMEBODY}:${SOMEBODY}`, home]);
    const asAnn = [`--reuid=${SOMEBODY}`, `--regid=${SOMEBODY}`, '--clear-groups', process.execPath, COMMAND];
    const env = { ...process.env, HOME: join(folder, 'home/ann'), XDG_CONFIG_HOME: '' };
    for (const named of [[], ['--firefox-profile', join(folder, 'home/ann/.mozilla/firefox/x')]]) {
      const { status, stdout, stderr } = spawnSync('setpriv', [...asAnn, 'apply', '--profile', 'c4-d1', '--json', ...named], {
        encoding: 'utf8',
        env,
      });
      expect([status, stderr]).toEqual([0, '']);
      expect(JSON.parse(stdout)).toMatchObject({ applied: 'c4-d1' });
    }
  });
});
