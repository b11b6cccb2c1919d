import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BaseSequencer } from 'vitest/node';
// @ts-expect-error A build script, checked by its own comments.
import { LONGEST, LongestFirst, longestFirst } from '../../../src/tools/longest-first.mjs';

const ROOT = process.cwd();
const specification = (project: string, path: string) =>
  ({
    moduleId: join(ROOT, path),
    project: { name: project, config: { sequence: { groupOrder: project === 'browser' ? 1 : 0 } } },
  }) as never;

it('begins with the longest of each project, and leaves projects and the rest in their order', async () => {
  const [long = '', longer = ''] = LONGEST.filter((path: string) => path.startsWith('test/browser/'))
    .slice(0, 2)
    .reverse();
  const context = { config: { root: ROOT }, cache: { getFileTestResults: () => undefined, getFileStats: () => undefined } };
  const files = [
    specification('browser', 'test/browser/b.test.ts'),
    specification('browser', 'test/browser/a.test.ts'),
    specification('browser', long),
    specification('unit', 'test/unit/x.test.ts'),
    specification('browser', longer),
  ];
  const sorted = (await new LongestFirst(context as never).sort(files)) as readonly { readonly moduleId: string }[];
  expect(sorted.map(({ moduleId }) => moduleId.slice(ROOT.length + 1))).toEqual([
    'test/unit/x.test.ts',
    longer,
    long,
    'test/browser/b.test.ts',
    'test/browser/a.test.ts',
  ]);
});

it('stands aside where files are to be shuffled', () => {
  const after = (sequencer: unknown) => {
    const vitest = { config: { sequence: { sequencer } } };
    longestFirst.configureVitest({ vitest });
    return vitest.config.sequence.sequencer;
  };
  class Random extends BaseSequencer {}
  expect(after(BaseSequencer)).toBe(LongestFirst);
  expect(after(Random)).toBe(Random);
});

it('names files that are there', () => {
  expect(LONGEST.filter((path: string) => !existsSync(path))).toEqual([]);
});
