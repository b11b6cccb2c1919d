/** Who could exchange what lies there, by what the system says of it. */
import type { Stats } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkGuarded } from '../../../../src/helper/files/checked-path.ts';

const { platform } = process;
const on = (name: string) => Object.defineProperty(process, 'platform', { value: name });
const check =
  (mode: number, gid: number, uid = 0) =>
  () =>
    checkGuarded('/Applications', { uid, gid, mode } as Stats, 0, { stickyIsEnough: false });

/** As macOS ships /Applications: root, admin (80), rwxrwxr-x. */
const ADMIN = 80;
const STAFF = 20;

describe('on macOS', () => {
  beforeEach(() => void on('darwin'));
  afterEach(() => void on(platform));

  it('a folder that administrators may write to is guarded: they may become root', () => {
    expect(check(0o775, ADMIN)).not.toThrow();
    expect(check(0o775, 0)).not.toThrow();
  });

  it('one that everybody, all people of the machine, or another owner may write to is not', () => {
    expect(check(0o777, ADMIN)).toThrow('is writable by everybody');
    expect(check(0o775, STAFF)).toThrow('is writable by its group (20)');
    expect(check(0o755, ADMIN, 501)).toThrow('belongs to user 501');
  });
});

describe('elsewhere', () => {
  beforeEach(() => void on('linux'));
  afterEach(() => void on(platform));

  it('no group is known to be able to become root', () => {
    for (const gid of [0, ADMIN]) expect(check(0o775, gid)).toThrow(`is writable by its group (${gid})`);
  });
});
