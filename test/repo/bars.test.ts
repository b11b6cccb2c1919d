/** The thirty bars: their tests are there and are part of `npm test`, their guards stand in the code, and the page says what was counted. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { BARS } from '../bars/bars.ts';
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
  expect(projects.toSorted()).toEqual(configured.toSorted());
  const { stdout } = spawnSync('node_modules/.bin/vitest', ['list', '--filesOnly', '--json'], { encoding: 'utf8' });
  const files = (JSON.parse(stdout) as { file: string }[]).map(({ file }) => file);
  const named = [...new Set(BARS.flatMap(({ tests }) => tests.map(({ file }) => file)))];
  expect(named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
});

it('are counted by every test that says so', () => {
  const counting = filesUnder('test', ['.test.ts']).flatMap((file) =>
    [...textOf(file).matchAll(/countBar\(\s*(\d+),/g)].map(([, number]) => ({ file, number: Number(number) })),
  );
  expect(counting.length).toBeGreaterThan(10);
  const unnamed = counting.filter(
    ({ file, number }) => !BARS.find((bar) => bar.number === number)?.tests.some((test) => test.file === file),
  );
  expect(unnamed).toEqual([]);
});

describe.each(BARS.filter(({ tests }) => tests.length > 0))('bar $number', ({ tests, guards, counts }) => {
  it('says what is counted', () => {
    expect(counts.length).toBeGreaterThan(0);
    expect(new Set(counts).size).toBe(counts.length);
  });

  it('has names of tests that are in their files', () => {
    for (const { file, only } of [...tests, ...guards.map(({ test }) => test)]) {
      if (only !== undefined) expect(textOf(file), file).toMatch(new RegExp(only));
    }
  });

  it('has a guard that stands once in the code, and a test of the bar that should miss it', () => {
    expect(guards.length).toBeGreaterThan(0);
    for (const guard of guards) {
      for (const { file } of guard.replacements) expect(withoutGuard(file, textOf(file), guard)).not.toBe(textOf(file));
      expect(tests.map(({ file }) => file)).toContain(guard.test.file);
    }
  });
});

it('are on the page as they were counted (repair: npm run bars -- --page)', () => {
  expect(textOf(PAGE_FILE)).toBe(reliabilityPage(BARS, readRecords()));
});

it('name no test, guard or count that is gone', () => {
  const { runs, guards } = readRecords();
  const unknown = guards.filter(
    (one) => !BARS.find(({ number }) => number === one.bar)?.guards.some(({ removed }) => removed === one.removed),
  );
  expect(unknown).toEqual([]);
  expect(runs.filter(({ bar }) => bar < 1 || bar > 30)).toEqual([]);
});
