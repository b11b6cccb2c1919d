import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { hashOf } from '../../../src/helper/files/checked-file.ts';
import { readChecked, replaceFile } from '../../../src/helper/files/replace-file.ts';

const uid = process.getuid?.() ?? 0;
const FORMER = Buffer.from('user_pref("a", 1);\r\n');
const NEW = Buffer.from('user_pref("a", 2);\n');
const LEFTOVER = '.plumbfox-0123456789abcdef.tmp';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-replace-'));
  path = join(folder, 'user.js');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (content: Buffer | undefined, expected: Buffer | undefined, more: object = {}) =>
  replaceFile({ path, content, expected: expected && hashOf(expected), uid, ...more });

async function refusal(work: Promise<unknown>): Promise<PlumbfoxError> {
  const error: unknown = await work.then(
    () => new Error('not refused'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof PlumbfoxError)) throw error;
  expect(error.message).not.toContain('\n');
  return error;
}

describe('a file', () => {
  it('is made with the rights of its owner alone, or those asked for, and read again', async () => {
    expect(await readChecked(path, { owner: uid })).toBeUndefined();
    expect(await put(NEW, undefined)).toBe(hashOf(NEW));
    expect(await readChecked(path, { owner: uid })).toEqual({ content: NEW, hash: hashOf(NEW), mode: 0o600 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await put(undefined, NEW);
    expect(readdirSync(folder)).toEqual([]);
    await put(NEW, undefined, { mode: 0o644 });
    expect(statSync(path).mode & 0o777).toBe(0o644);
  });

  it('keeps its rights when it is replaced', async () => {
    writeFileSync(path, FORMER);
    chmodSync(path, 0o640);
    await put(NEW, FORMER);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readFileSync(path)).toEqual(NEW);
    expect(readdirSync(folder)).toEqual(['user.js']);
  });

  it('that is not what was expected is left alone', async () => {
    expect((await refusal(put(NEW, FORMER))).message).toMatch(/is gone/);
    writeFileSync(path, FORMER);
    expect((await refusal(put(NEW, undefined))).message).toMatch(/exists by now/);
    expect((await refusal(put(undefined, NEW))).message).toMatch(/was changed by another program/);
    expect((await refusal(put(NEW, NEW))).kind).toBe('bad-input');
    expect(readFileSync(path)).toEqual(FORMER);
    expect(readdirSync(folder)).toEqual(['user.js']);
  });

  it('stays when what was written is not what it should be, or when it is changed in that moment', async () => {
    writeFileSync(path, FORMER);
    const refuse = () => {
      throw new PlumbfoxError('bad-input', 'not this');
    };
    expect((await refusal(put(NEW, FORMER, { verify: refuse }))).message).toBe('not this');
    expect(readFileSync(path)).toEqual(FORMER);
    const other = Buffer.from('theirs');
    expect((await refusal(put(NEW, FORMER, { verify: () => writeFileSync(path, other) }))).message).toMatch(/changed by another program/);
    expect(readFileSync(path)).toEqual(other);
    const exchange = () => {
      renameSync(path, join(folder, 'theirs'));
      writeFileSync(path, other);
    };
    expect((await refusal(put(NEW, other, { verify: exchange }))).message).toMatch(/replaced meanwhile/);
    expect(readdirSync(folder).sort()).toEqual(['theirs', 'user.js']);
  });

  it('is not written into a folder that was exchanged in that moment', async () => {
    const moved = join(folder, 'moved');
    const target = join(folder, 'target');
    mkdirSync(target);
    path = join(target, 'user.js');
    const exchange = () => {
      renameSync(target, moved);
      mkdirSync(target);
    };
    expect((await refusal(put(NEW, undefined, { verify: exchange }))).message).toMatch(/was replaced/);
    expect([readdirSync(target), readdirSync(moved)]).toEqual([[], []]);
  });

  it('is replaced although an earlier one was killed, whose temporary file goes', async () => {
    writeFileSync(path, FORMER);
    writeFileSync(join(folder, LEFTOVER), 'half');
    writeFileSync(join(folder, '.plumbfox-mine.tmp'), 'not of that name');
    await put(NEW, FORMER);
    expect(readdirSync(folder).sort()).toEqual(['.plumbfox-mine.tmp', 'user.js']);
  });

  it('is read and replaced where the folders above may only be passed through', async () => {
    const above = join(folder, 'above');
    mkdirSync(join(above, 'home'), { recursive: true });
    chmodSync(above, 0o711);
    path = join(above, 'home', 'user.js');
    expect(await put(NEW, undefined)).toBe(hashOf(NEW));
  });
});
