/** What holds for every file of the repository's own. */
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { filesUnder, textOf } from './support/source-tree.ts';

const CODE = ['.ts', '.mjs', '.js'];
const code = [...filesUnder('src', CODE), ...filesUnder('test', CODE)];
/** Everything a reader sees; generated and taken-over files aside. */
const texts = filesUnder('').filter((path) => !/(^package-lock\.json$|\.(png|ico|xpi|log|part)$)/.test(path));

const MAX_LINES = 400;
/** Files that are a table of data, long because there is much of it. */
const DATA_TABLES = new Set(['src/core/audit/network-names.ts', 'src/core/profiles/catalogue.ts', 'src/core/text/english.ts']);

/** The list is not empty: otherwise every test below would pass on nothing. */
it('finds the code', () => {
  expect(code).toContain('src/core/units.ts');
  expect(code).toContain('test/repo/source-files.test.ts');
  expect(texts).toContain('README.md');
});

it(`no file is longer than ${MAX_LINES} lines, data tables aside`, () => {
  const long = code.filter((path) => !DATA_TABLES.has(path) && textOf(path).split('\n').length - 1 > MAX_LINES);
  expect(long).toEqual([]);
});

// `helper` is the native program of that name.
it('no file is named for nothing in particular', () => {
  expect(code.filter((path) => /^(utils?|helpers|misc|common|types|shared|lib)\./.test(basename(path)))).toEqual([]);
});

it('files are named in kebab case', () => {
  const named = code.filter((path) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.(test|bench|d))?\.(ts|mjs|js)$/.test(basename(path)));
  expect(named).toEqual([]);
});

it('core draws nothing at random', () => {
  const random = filesUnder('src/core', CODE).filter((path) => /\bMath(?!\.(?!random\b)\w)/.test(withoutComments(textOf(path))));
  expect(random).toEqual([]);
});

/** Characters after the mark, below which nothing is said. */
const SHORTEST_REASON = 12;

it('nothing is cast through unknown: a schema, or a type that says what it is, takes its place', () => {
  const cast = filesUnder('src', CODE).filter((path) => /\bas unknown as\b/.test(withoutComments(textOf(path))));
  expect(cast).toEqual([]);
});

it('no comment switches a check off without a reason', () => {
  // Put together here, so that this file is not itself a finding.
  const suppressions = [
    ['@ts', 'ignore'].join('-'),
    ['@ts', 'nocheck'].join('-'),
    ['@ts', 'expect-error'].join('-'),
    ['biome', 'ignore'].join('-'),
  ];
  const unexplained = code.flatMap((path) =>
    textOf(path)
      .split('\n')
      .flatMap((line, index) =>
        suppressions.some((mark) => line.includes(mark) && (line.split(mark)[1] ?? '').length < SHORTEST_REASON)
          ? [`${path}:${index + 1}`]
          : [],
      ),
  );
  expect(unexplained).toEqual([]);
});

it('no file names a place of somebody’s own machine', () => {
  // Put together here, so that this file is not itself a finding.
  const places = [...['work', 'root', 'Users', 'tmp'].map((name) => `/${name}/`), ['..', 'shared'].join('/')];
  // On every Android device: GeckoView reads its configuration there.
  const onEveryPhone = ['/data', 'local', 'tmp', ''].join('/');
  const found = texts.flatMap((path) => {
    const text = textOf(path).replaceAll(onEveryPhone, '');
    return places.filter((place) => text.includes(place)).map((place) => `${path}: ${place}`);
  });
  expect(found).toEqual([]);
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
