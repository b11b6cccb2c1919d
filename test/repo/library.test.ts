/** The library as others use it: what Node imports from dist/core, and what a project of theirs compiles against. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { builtFile } from './support/built.ts';
import { ROOT, textOf } from './support/source-tree.ts';

const project = mkdtempSync(join(tmpdir(), 'plumbfox-library-'));
afterAll(() => rmSync(project, { recursive: true, force: true }));
mkdirSync(join(project, 'node_modules'));
symlinkSync(ROOT, join(project, 'node_modules/plumbfox'));
writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }');

const LOADS = `[0, 1, 2].flatMap((block) => [
  { profileId: 'firefox-default', page: 'p', link: 'l', block, valid: true, efficiency: 0.4, loadTimeMs: 1000 },
  { profileId: 'c8-d1', page: 'p', link: 'l', block, valid: true, efficiency: 0.6, loadTimeMs: 700 },
])`;
const COMPARE = `compareProfiles(${LOADS}, { baseline: 'firefox-default', profiles: [
  { id: 'firefox-default', carrier: 'none', role: 'baseline', connections: 6, depth: 1 },
  { id: 'c8-d1', carrier: 'none', role: 'candidate', connections: 8, depth: 1 },
] })`;

const CALLED = [
  ...['holm', 'binomialTest', 'quantile', 'cutoffTable', 'rankScenarios', 'compareProfiles'],
  ...['predict', 'pageFromHar', 'policiesJson', 'measureLoad'],
];

const node = (code: string) => spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: project, encoding: 'utf8' });

it('is imported by Node by its file', () => {
  const { stdout, stderr } = node(
    `const core = await import(${JSON.stringify(new URL(`file://${builtFile('core/index.js')}`).href)}); console.log(typeof core.compareProfiles);`,
  );
  expect(stderr).toBe('');
  expect(stdout.trim()).toBe('function');
});

it('is imported by Node by its name, and compares', () => {
  const { stdout, stderr } = node(
    `import { compareProfiles } from 'plumbfox/core'; console.log(${COMPARE}.profiles.map(({ id, loads }) => id + ' ' + loads).join(', '));`,
  );
  expect(stderr).toBe('');
  expect(stdout.trim()).toBe('firefox-default 3, c8-d1 3');
});

it('exports nothing but plumbfox/core', () => {
  const { stderr } = node("await import('plumbfox/dist/cli/plumbfox.mjs')");
  expect(stderr).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
});

const compile = (settings: { module: string; moduleResolution: string }) =>
  spawnSync(
    join(ROOT, 'node_modules/.bin/tsc'),
    [
      ...['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2023', '--types', '', '--skipLibCheck', 'false', '--pretty', 'false'],
      ...['--module', settings.module, '--moduleResolution', settings.moduleResolution, 'good.ts', 'bad.ts'],
    ],
    { cwd: project, encoding: 'utf8' },
  ).stdout.trim();

it.each([
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
])('has types that a project with $moduleResolution compiles against', (settings) => {
  writeFileSync(
    join(project, 'good.ts'),
    `import { compareProfiles, type Comparison, milliseconds } from 'plumbfox/core';
export const comparison: Comparison = ${COMPARE};
export const ratio: number | undefined = comparison.profiles[0]?.versusBaseline.ratio;
export const wait = milliseconds(3);
`,
  );
  // Types that are not found would be \`any\` and refuse nothing.
  writeFileSync(join(project, 'bad.ts'), `import { milliseconds } from 'plumbfox/core';\nexport const text: string = milliseconds(3);\n`);
  expect(compile(settings).split('\n')).toEqual([expect.stringMatching(/^bad\.ts\(2,\d+\): error TS2322: Type 'Milliseconds'/)]);
});

const MAX_NAMES = 80;
const INDEX = 'src/core/index.ts';
/** Each name with the file that defines it. */
const publicNames = [...textOf(INDEX).matchAll(/^export (?:type )?\{([^}]*)\} from '(\.[^']+)';$/gm)].flatMap(([, names = '', from = '']) =>
  names
    .split(',')
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '')
    .map((name) => ({ name, file: join('src/core', from) })),
);

describe('the public names', () => {
  it(`are named one by one, ${MAX_NAMES} at most`, () => {
    expect(textOf(INDEX)).not.toMatch(/export \*/);
    // Nothing is exported in another form than the one that is counted.
    expect(textOf(INDEX).match(/^export /gm)).toHaveLength(textOf(INDEX).match(/^export (?:type )?\{[^}]*\} from '/gm)?.length ?? 0);
    expect(publicNames.length).toBeGreaterThan(0);
    expect(publicNames.length).toBeLessThanOrEqual(MAX_NAMES);
    expect(new Set(publicNames.map(({ name }) => name)).size).toBe(publicNames.length);
  });

  it.each(publicNames)('documents $name', ({ name, file }) => {
    expect(textOf(file)).toMatch(
      new RegExp(`\\*/\\n(?:export (?:const|type) .*;\\n)*export (?:async )?(?:function|class|const|interface|type) ${name}\\b`),
    );
  });

  it('hold what a program calls to compare, to predict and to set', () => {
    const { stdout, stderr } = node(
      `import * as core from 'plumbfox/core'; console.log(${JSON.stringify(CALLED)}.filter((name) => typeof core[name] !== 'function').join());`,
    );
    expect(stderr).toBe('');
    expect(stdout.trim()).toBe('');
  });
});
