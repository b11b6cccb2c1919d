/** Dependencies are exact, in step with the lock file, and explained. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { filesUnder, importsOf, jsonOf, tableBelow, textOf } from './support/source-tree.ts';

interface PackageJson {
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const own = jsonOf('package.json') as PackageJson;
const wanted = { ...own.dependencies, ...own.devDependencies };

it('every version is exact', () => {
  expect(Object.entries(wanted).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

it('CONTRIBUTING.md explains each, with version and licence', () => {
  const rows = tableBelow('CONTRIBUTING.md', 'Dependencies').map(([name, version, licence]) => [name, version, licence]);
  const expected = Object.entries(wanted).map(([name, version]) => [name, version, installed(name).license]);
  expect(rows.toSorted()).toEqual(expected.toSorted());
});

it('CONTRIBUTING.md gives each a size, a date and a reason', () => {
  for (const [, , , size, release, why] of tableBelow('CONTRIBUTING.md', 'Dependencies')) {
    expect(size).toMatch(/^\d+(\.\d)? [kM]B$/);
    expect(release).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(why?.length).toBeGreaterThan(10);
  }
});

it('what is installed is what package.json asks for', () => {
  expect(Object.keys(wanted).map((name) => [name, installed(name).version])).toEqual(Object.entries(wanted));
});

it('the lock file is in step', () => {
  const lock = jsonOf('package-lock.json') as { version: string; packages: Readonly<Record<string, PackageJson>> };
  expect(lock.version).toBe(own.version);
  expect(lock.packages['']).toMatchObject({ dependencies: own.dependencies, devDependencies: own.devDependencies });
  const { status, stderr } = spawnSync('npm', ['ls', '--package-lock-only', '--all'], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
});

it('the lock file holds every optional package: npm ci refuses one that lacks a platform', () => {
  const { packages } = jsonOf('package-lock.json') as {
    packages: Readonly<Record<string, { optionalDependencies?: Record<string, string> }>>;
  };
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`]),
  );
  expect(missing).toEqual([]);
});

it('every package that is locked comes from the registry, with a checksum', () => {
  const { packages } = jsonOf('package-lock.json') as {
    packages: Readonly<Record<string, { resolved?: string; integrity?: string; link?: boolean }>>;
  };
  const registry = 'https://registry.npmjs.org/';
  const others = Object.entries(packages).filter(
    ([path, { resolved = registry, integrity = '', link }]) =>
      path !== '' && !(resolved.startsWith(registry) && integrity.startsWith('sha512-') && link !== true),
  );
  expect(others.map(([path]) => path)).toEqual([]);
});

it('what the command needs at run time is a dependency, not only a development one', () => {
  const bundledForNode = ['src/cli', 'src/lab', 'src/gateway', 'src/helper', 'src/protocol'].flatMap((folder) =>
    filesUnder(folder, ['.ts']),
  );
  const used = new Set(bundledForNode.flatMap(importsOf).filter((specifier) => !/^(\.|node:|plumbfox:)/.test(specifier)));
  expect([...used].filter((name) => !Object.hasOwn(own.dependencies, name))).toEqual([]);
});

it('every package is used', () => {
  const code = [...filesUnder('src', ['.ts', '.mjs']), ...filesUnder('test', ['.ts', '.mjs'])];
  const settings = [
    'vitest.config.ts',
    'biome.json',
    ...filesUnder('src', ['tsconfig.json']),
    'test/tsconfig.json',
    'src/tools/run-steps.mjs',
  ];
  const texts = [...code.flatMap(importsOf), ...settings.map(textOf)].join('\n');
  const used = (name: string): boolean => texts.includes(PROGRAMS[name] ?? name.replace(/^@types\//, ''));
  expect(Object.keys(wanted).filter((name) => !used(name))).toEqual([]);
});

/** Packages that are run by the name of their program, not imported. */
const PROGRAMS: Readonly<Record<string, string>> = { typescript: '/tsc', '@biomejs/biome': '/biome' };

const installed = (name: string): PackageJson => jsonOf(`node_modules/${name}/package.json`) as PackageJson;
