/** What is ours alone has the rights that we give it, whatever somebody has made of it. */

import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashOf } from '../../../../src/helper/files/checked-file.ts';
import { writeOwnFile } from '../../../../src/helper/files/own-file.ts';
import { replaceFile } from '../../../../src/helper/files/replace-file.ts';

let folder: string;
let path: string;
const uid = process.getuid?.() ?? 0;
const former = Buffer.from('former');
const mode = () => statSync(path).mode & 0o7777;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-put-'));
  path = join(folder, 'copy');
  writeFileSync(path, former);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.skipIf(process.platform === 'win32')('a file of ours', () => {
  it.each(['666', '4755', '600', '2664'])('that has rights %s gets its own, with other bytes and with the same', async (odd) => {
    for (const content of [Buffer.from('new'), former]) {
      writeFileSync(path, former);
      chmodSync(path, Number.parseInt(odd, 8));
      await writeOwnFile({ path, content, uid, mode: 0o644 });
      expect([readFileSync(path), mode()]).toEqual([content, 0o644]);
    }
  });

  it('is its owner’s alone where nothing is said', async () => {
    chmodSync(path, 0o666);
    await writeOwnFile({ path, content: former, uid });
    expect(mode()).toBe(0o600);
  });

  it('is not written again where bytes and rights are right', async () => {
    chmodSync(path, 0o644);
    const { ino } = statSync(path);
    await writeOwnFile({ path, content: former, uid, mode: 0o644 });
    expect(statSync(path).ino).toBe(ino);
  });
});

describe.skipIf(process.platform === 'win32')('a file of somebody else’s that is replaced', () => {
  it.each([
    ['666', 0o644],
    ['4775', 0o644],
    ['640', 0o640],
  ])('has of its rights %s no more than are to be given', async (odd, kept) => {
    chmodSync(path, Number.parseInt(odd, 8));
    await replaceFile({ path, content: Buffer.from('new'), expected: hashOf(former), uid, mode: 0o644 });
    expect(mode()).toBe(kept);
  });

  it('keeps all of them where none are named', async () => {
    chmodSync(path, 0o664);
    await replaceFile({ path, content: Buffer.from('new'), expected: hashOf(former), uid });
    expect(mode()).toBe(0o664);
  });
});
