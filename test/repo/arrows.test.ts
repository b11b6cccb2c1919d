/** Who imports whom: the table of src/README.md is what holds. */
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesUnder, foldersOf, importsOf, tableBelow } from './support/source-tree.ts';

const names = (cell = ''): readonly string[] => cell.split(', ').filter((name) => name !== '');
const rows = tableBelow('src/README.md', 'Folders').map(([folder = '', , imports, packages]) => ({
  folder,
  imports: names(imports),
  packages: names(packages),
}));

/** Where Node's own modules have no place. */
const WITHOUT_NODE = new Set([
  'core',
  'protocol',
  'adapters',
  'background',
  'content',
  'views',
  'popup',
  'controls',
  'dashboard',
  'welcome',
  'experiment-api',
]);
const CONTEXTS = ['background', 'content', 'popup', 'controls', 'dashboard', 'welcome'];

it('src/README.md has one line for every folder of src', () => {
  expect(rows.map(({ folder }) => folder).toSorted()).toEqual(foldersOf('src'));
});

it('src/README.md names every room of core and lab', () => {
  const rooms = ['core', 'lab'].flatMap((folder) => foldersOf(`src/${folder}`).map((room) => `${folder}/${room}`));
  const named = tableBelow('src/README.md', 'Rooms').flatMap(([cell]) => names(cell));
  expect(named.toSorted()).toEqual(rooms.toSorted());
});

it('nothing may import a context', () => {
  expect(rows.filter(({ imports }) => imports.some((name) => CONTEXTS.includes(name)))).toEqual([]);
});

it('arrows never go round', () => {
  const reach = (folder: string): readonly string[] =>
    (rows.find((row) => row.folder === folder)?.imports ?? []).flatMap((name) => [name, ...reach(name)]);
  for (const { folder } of rows) expect(reach(folder)).not.toContain(folder);
});

describe.each(rows)('src/$folder', ({ folder, imports, packages }) => {
  const files = filesUnder(`src/${folder}`, ['.ts', '.mjs', '.js']);
  const all = files.flatMap((file) => importsOf(file).map((specifier) => ({ file, specifier })));

  it('imports only its own files and those the table names', () => {
    const foreign = all.filter(({ file, specifier }) => {
      if (!specifier.startsWith('.')) return false;
      const target = posix.join(posix.dirname(file), specifier);
      return ![folder, ...imports].some((name) => target.startsWith(`src/${name}/`));
    });
    expect(foreign).toEqual([]);
  });

  it('imports by full file name, so that Node and the build find the same file', () => {
    const bare = all.filter(({ specifier }) => specifier.startsWith('.') && !/\.(ts|mjs|json)$/.test(specifier));
    expect(bare).toEqual([]);
  });

  it('uses exactly the packages the table names', () => {
    const used = new Set(all.map(({ specifier }) => specifier).filter((specifier) => !/^(\.|node:)/.test(specifier)));
    expect([...used].toSorted()).toEqual(packages.toSorted());
  });

  if (WITHOUT_NODE.has(folder)) {
    it('imports nothing of Node', () => {
      expect(all.filter(({ specifier }) => specifier.startsWith('node:'))).toEqual([]);
    });
  }
});

it.each(['webextension-polyfill', 'chart.js', 'idb'])('%s is imported in exactly one file', (name) => {
  const files = filesUnder('src', ['.ts', '.mjs', '.js']).filter((file) => importsOf(file).includes(name));
  expect(files).toHaveLength(1);
});
