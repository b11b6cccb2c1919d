import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownPages, tunePages } from '../../../src/cli/tune-pages.ts';

let folder = '';
const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const recipe = (name: string, more: object = {}) => ({ name, title: 'A page', documentBytes: 2000, resources: [], ...more });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-pages-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the pages of tune', () => {
  test('are those of the lab and those of files, in their order; only the latter are told to the servers', () => {
    const pages = tunePages(['wiki', file('mine.json', recipe('mine')), 'app']);
    expect(pages.map(({ name }) => name)).toEqual(['wiki', 'mine', 'app']);
    expect(ownPages(pages)).toEqual([recipe('mine')]);
  });

  test.each<[string, () => string[], RegExp]>([
    ['an unknown name', () => ['wikki'], /^There is no page "wikki"\. Pages: wiki, /],
    ['a file that is not there', () => [join(folder, 'none.json')], /^--pages: .*none\.json: cannot be read \(ENOENT\)$/],
    ['no JSON', () => [file('text.json', 'hello')], /^--pages: .*text\.json: is no JSON; plumbfox import-har/],
    ['no recipe', () => [file('har.json', { log: {} })], /^--pages: .*har\.json: A page recipe cannot be served/],
    [
      'a recipe with a fault',
      () => [file('odd.json', recipe('odd', { documentBytes: -1 }))],
      /The page recipe "odd" cannot be served \(documentBytes\)/,
    ],
    [
      'the name of a page of the lab',
      () => [file('w.json', recipe('wiki'))],
      /w\.json is named "wiki" like the page of the lab: change its "name"/,
    ],
    ['one name twice', () => [file('a.json', recipe('x')), file('b.json', recipe('x'))], /b\.json is named "x" like the page of .*a\.json/],
  ])('%s is refused', (_what, texts, says) => {
    expect(() => tunePages(texts())).toThrow(expect.objectContaining({ kind: 'bad-input', message: expect.stringMatching(says) }));
  });
});
