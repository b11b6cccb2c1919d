import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeFixed } from '../../../../src/cli/audit/fix.ts';
import { auditList } from '../../../../src/core/audit/audit-list.ts';
import { catalogueFacts } from '../../../../src/core/audit/build-facts.ts';
import { parsePreferenceList } from '../../../../src/core/audit/preference-list.ts';

const LIST = 'user_pref("network.http.pipelining", true);\n';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-fix-'));
  writeFileSync(join(folder, 'user.js'), LIST, { mode: 0o600 });
});
afterEach(() => rmSync(folder, { recursive: true }));

const fixed = (name: string, inPlace: boolean): Promise<string> => {
  const list = parsePreferenceList(LIST);
  const lines = auditList(list, { build: catalogueFacts() });
  return writeFixed({ path: join(folder, name), bytes: Buffer.from(LIST), list, lines, inPlace });
};

it.each([true, false])('writes nothing where the list was edited since it was audited (in place: %s)', async (inPlace) => {
  const edited = `${LIST}user_pref("a.b", 1);\n`;
  writeFileSync(join(folder, 'user.js'), edited);
  await expect(fixed('user.js', inPlace)).rejects.toThrow('was changed while it was audited');
  expect(readdirSync(folder)).toEqual(['user.js']);
  expect(readFileSync(join(folder, 'user.js'), 'utf8')).toBe(edited);
});

it('keeps a link and the mode of its file', async () => {
  symlinkSync('user.js', join(folder, 'linked.js'));
  await fixed('linked.js', true);
  expect(lstatSync(join(folder, 'linked.js')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, 'user.js'), 'utf8')).toMatch(/^\/\/ /);
  expect(readFileSync(join(folder, 'linked.js.before-audit'), 'utf8')).toBe(LIST);
  expect(['user.js', 'linked.js.before-audit'].map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600]);
});

it('leaves no backup where the file beside cannot be written', async () => {
  writeFileSync(join(folder, 'user.js.plumbfox-new'), 'mine');
  await expect(fixed('user.js', true)).rejects.toThrow('is there already');
  expect(readdirSync(folder)).toEqual(['user.js', 'user.js.plumbfox-new']);
});
