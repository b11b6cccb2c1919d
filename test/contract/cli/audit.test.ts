/** `plumbfox audit` as people run it, without a Firefox: bad input, one line each and nothing written; a list, judged by the catalogue. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildOnce } from '../../support/build-once.ts';
import { type Ended, startCommand } from '../../support/command-run.ts';
import { tweakList, userJsOf } from '../../support/tweak-lists.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbfox-audit-'));
beforeAll(() => buildOnce());
afterAll(() => rmSync(folder, { recursive: true }));

async function run(...args: readonly string[]): Promise<Ended> {
  const command = startCommand(['audit', ...args], { cwd: folder });
  try {
    return await command.ended;
  } finally {
    await command.dispose();
  }
}

const path = (name: string): string => join(folder, name);
const lists: Readonly<Record<string, string | Buffer>> = {
  'empty.js': '',
  'garbage.js': 'q#(;"\\)x'.repeat(125_000),
  'program.js': Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 2]),
  'comment.js': '// nothing\n',
};

describe('what is no list', () => {
  beforeAll(() => {
    for (const [name, content] of Object.entries(lists)) writeFileSync(path(name), content);
    mkdirSync(path('folder.js'));
  });

  it.each([...Object.keys(lists), 'folder.js', 'missing.js'])('%s: one line, exit code 2, nothing written', async (name) => {
    const before = readdirSync(folder);
    const { code, stdout, errors, stderr } = await run('--catalogue', path(name));
    expect({ code, stdout, lines: stderr.trim().split('\n').length }).toEqual({ code: 2, stdout: '', lines: 1 });
    expect(errors).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(before);
  });

  it.each([
    [[]],
    [['a.js', 'b.js']],
    [['a.js', '--firefox-profile', 'b']],
    [['a.js', '--json', '--markdown']],
    [['a.js', '--measure', '--protocol', 'spdy']],
  ])('%j is refused', async (args) => {
    expect((await run(...args)).code).toBe(2);
  });
});

describe('a list', () => {
  it('is judged by the catalogue, and says so', async () => {
    writeFileSync(path('folklore.js'), userJsOf(tweakList('folklore')));
    const { code, stdout } = await run('--catalogue', path('folklore.js'));
    expect(code).toBe(0);
    expect(stdout).toContain('no Firefox was read');
    expect(stdout).toContain('gone since Firefox 54 (bug 1340655)');
    const json = JSON.parse((await run('--catalogue', '--json', path('folklore.js'))).stdout) as { lines: unknown[] };
    expect(json).toMatchObject({ format: 'plumbfox-audit', version: 1, build: { source: 'catalogue' } });
    expect(json.lines).toHaveLength(18);
  });

  it('of 5,000 lines is judged as well', async () => {
    writeFileSync(path('long.js'), userJsOf(Array.from({ length: 5000 }, (_, at) => [`long.list.entry-${at}`, at])));
    const { code, stdout } = await run('--catalogue', path('long.js'));
    expect(code).toBe(0);
    expect(stdout).toContain('5000 lines');
  });
});

describe('--fix', () => {
  const read = (name: string) => readFileSync(path(name), 'utf8');
  const LIST = 'user_pref("network.http.pipelining", true);\nuser_pref("a.b", 1);\n';
  const FIXED =
    '// user_pref("network.http.pipelining", true); // plumbfox audit: dead: nothing in Firefox 153 reads it\nuser_pref("a.b", 1);\n';

  it('writes a copy, and never over another file', async () => {
    writeFileSync(path('copied.js'), LIST);
    const { code, stderr } = await run('--catalogue', '--fix', path('copied.js'));
    expect(code).toBe(0);
    expect(stderr).toContain('1 line commented out (1)');
    expect([read('copied.js'), read('copied.js.fixed')]).toEqual([LIST, FIXED]);
    expect((await run('--catalogue', '--fix', path('copied.js'))).code).toBe(2);
    expect(read('copied.js.fixed')).toBe(FIXED);
  });

  it('writes in place with --in-place, and keeps what was there', async () => {
    writeFileSync(path('placed.js'), LIST);
    expect((await run('--catalogue', '--fix', '--in-place', path('placed.js'))).code).toBe(0);
    expect([read('placed.js'), read('placed.js.before-audit')]).toEqual([FIXED, LIST]);
    // Nothing is left to fix: nothing is written, and the first backup stays.
    expect((await run('--catalogue', '--fix', '--in-place', path('placed.js'))).code).toBe(0);
    expect([read('placed.js'), read('placed.js.before-audit')]).toEqual([FIXED, LIST]);
  });

  it.each([
    ['prefs.js', LIST],
    ['policies.json', '{"policies":{"Preferences":{"network.http.pipelining":true}}}'],
  ])('refuses %s, and writes nothing', async (name, content) => {
    writeFileSync(path(name), content);
    const before = readdirSync(folder);
    const { code, stderr } = await run('--catalogue', '--fix', path(name));
    expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 2, lines: 1 });
    expect(readdirSync(folder)).toEqual(before);
  });
});
