/** Mutation testing speaks of files by name: what has moved must be followed, or its mutants are lost without a word. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesUnder, ROOT, textOf } from './support/source-tree.ts';

it.each(filesUnder('src/tools/mutation', ['.mjs', 'equivalent.json']))('%s names only files that exist', (path) => {
  const named = [...textOf(path).matchAll(/['"]((?:src|test)\/[\w./-]+\.(?:ts|mjs))['"]/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
});
