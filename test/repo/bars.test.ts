/** The thirty bars: their tests are there and are part of `npm test`, their guards stand in the code, and the page says what was counted. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { BARS } from '../bars/bars.ts';
import { filesOf } from '../bars/counting-files.ts';
import { withoutGuard } from '../bars/harness/guard-tree.ts';
import { PAGE_FILE, readRecords } from '../bars/harness/records.ts';
import { reliabilityPage } from '../bars/harness/reliability-page.ts';
import { filesUnder, textOf } from './support/source-tree.ts';

it('are thirty, each with a title of its own', () => {
  expect(BARS.map(({ number }) => number)).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
  expect(new Set(BARS.map(({ title }) => title)).size).toBe(30);
});

it('are held by tests that npm test runs', () => {
  const projects = [...textOf('src/tools/test.mjs').matchAll(/\[((?:'[a-z]+'(?:, )?)+)\]/g)]
    .flatMap(([, names = '']) => names.split(', '))
    .map((name) => name.replaceAll("'", ''));
  const configured = [...textOf('vitest.config.ts').matchAll(/\bname: '([a-z]+)'/g)].map(([, name]) => name);
  expect([...new Set(projects)].toSorted()).toEqual(configured.toSorted());
  const { stdout } = spawnSync('node_modules/.bin/vitest', ['list', '--filesOnly', '--json'], { encoding: 'utf8' });
  const files = (JSON.parse(stdout) as { file: string }[]).map(({ file }) => file);
  const named = [...new Set(BARS.flatMap(filesOf))];
  expect(named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
});

it('are counted under numbers that there are', () => {
  const numbers = filesUnder('test', ['.test.ts']).flatMap((file) =>
    [...textOf(file).matchAll(/countBar\(\s*(\d+),/g)].map(([, number]) => Number(number)),
  );
  expect(numbers.length).toBeGreaterThan(10);
  expect(numbers.filter((number) => number < 1 || number > 30)).toEqual([]);
});

/** Of the tests and what they import of test/; the table itself aside. */
const TEXTS = filesUnder('test', ['.ts'])
  .filter((path) => !/^test\/(bars|unit\/bars)\//.test(path))
  .map(textOf)
  .join('\n');

describe.each(BARS)('bar $number', (bar) => {
  const { guards, counts } = bar;

  it('names what its tests count', () => {
    expect(new Set(counts).size).toBe(counts.length);
    expect(counts.filter((what) => !TEXTS.includes(what))).toEqual([]);
  });

  it('has guards that stand once in the code, and a test of its own that should miss them', () => {
    for (const guard of guards) {
      for (const { file } of guard.replacements) expect(withoutGuard(file, textOf(file), guard)).not.toBe(textOf(file));
      expect(filesOf(bar)).toContain(guard.test.file);
      expect(textOf(guard.test.file)).toMatch(new RegExp(guard.test.only));
    }
  });
});

it('are on the page as they were counted (repair: npm run bars -- --page)', () => {
  expect(textOf(PAGE_FILE)).toBe(reliabilityPage(BARS, readRecords()));
});

it('name no guard that is gone', () => {
  const { guards } = readRecords();
  const unknown = guards.filter(
    (one) => !BARS.find(({ number }) => number === one.bar)?.guards.some(({ removed }) => removed === one.removed),
  );
  expect(unknown).toEqual([]);
});
