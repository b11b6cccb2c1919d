/** `plumbfox audit` as people run it, without a Firefox: bad input, one line each and nothing written; a list, judged by the catalogue. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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

  it.each([[[]], [['a.js', 'b.js']], [['a.js', '--firefox-profile', 'b']], [['a.js', '--json', '--markdown']]])(
    '%j is refused',
    async (args) => {
      expect((await run(...args)).code).toBe(2);
    },
  );
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
