/** Starting Firefox where its folder cannot be written to the end. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { launchFirefox } from '../../../../src/lab/firefox/launch-firefox.ts';

/** Bytes of the longest path (PATH_MAX of Linux, without its closing zero). */
const LONGEST_PATH = 4095;
const HOME = '/plumbfox-firefox-XXXXXX'.length;

let root = '';
const before = process.env.TMPDIR;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plumbfox-launch-'));
});
afterEach(() => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  rmSync(root, { recursive: true, force: true });
});

/** A folder whose path is so long. */
function folderOfLength(length: number): string {
  let path = root;
  while (path.length < length) {
    const left = length - path.length - 1;
    // No name of a single folder is longer than 255, and none is empty.
    path = join(path, 'x'.repeat(left <= 200 ? left : Math.min(200, left - 2)));
  }
  mkdirSync(path, { recursive: true });
  return path;
}

test.runIf(process.platform === 'linux').each([
  ['its folder can be made, the one in it cannot', LONGEST_PATH - HOME],
  ['both can be made, the file in them cannot', LONGEST_PATH - HOME - '/profile'.length],
])('%s: an environment that lacks it, and nothing is left', async (_name, length) => {
  const folder = folderOfLength(length);
  process.env.TMPDIR = folder;
  await expect(launchFirefox({ program: 'never-started' })).rejects.toMatchObject({
    kind: 'environment',
    message: `Firefox needs a temporary folder, and ${folder} cannot be written (ENAMETOOLONG)`,
  });
  expect(readdirSync(folder)).toEqual([]);
});
