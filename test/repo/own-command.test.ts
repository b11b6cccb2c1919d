/** No text of this project tells anybody to run it by npx: outside a clone that fetches whatever a stranger has put under the name. */
import { expect, it } from 'vitest';
import { filesUnder, textOf } from './support/source-tree.ts';

const FOLDERS = ['src', 'docs', 'test', 'assets', '.ci'];
const KINDS = ['.ts', '.mjs', '.md', '.txt', '.html', '.css', '.json', '.svg'];

it('nothing is started by a name that a registry would look up', () => {
  const files = [
    ...FOLDERS.flatMap((folder) => filesUnder(folder, KINDS)),
    ...['README.md', 'CONTRIBUTING.md', 'package.json', 'CHANGELOG.md'],
  ];
  expect(files.length).toBeGreaterThan(1000);
  // In two words, so that this file is not found.
  const named = new RegExp(`${'np'}x (?:--?[\\w-]+ )*plumbfox|sudo ${'np'}x`);
  expect(files.filter((path) => named.test(textOf(path)))).toEqual([]);
});
