/** What `npm pack` makes: a tarball that `npm install -g` takes without a registry, so that `plumbfox` is a command; and nothing else in it. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { PLUMBFOX_VERSION } from '../../src/core/version.ts';
import { buildOnce } from '../support/build-once.ts';

// It writes 5,000 files, which took 20 s of an idle machine's time, and beside two browsers more than 5 minutes.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

let folder: string;
let packed: readonly string[];
const at = (...names: readonly string[]) => join(folder, ...names);

function run(program: string, args: readonly string[], cwd = process.cwd()) {
  // Nothing of npm's own run, of a cache or of a person's settings helps it.
  const env = { PATH: `${at('prefix', 'bin')}:${process.env.PATH}`, HOME: at('home'), npm_config_cache: at('cache') };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return { status, stdout, stderr };
}

beforeAll(() => {
  buildOnce();
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'plumbfox-pack-')));
  for (const name of ['home', 'elsewhere']) mkdirSync(at(name));
  const made = run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]);
  expect(made.status, made.stderr).toBe(0);
  const [{ filename, files }] = JSON.parse(made.stdout) as [{ filename: string; files: { path: string }[] }];
  packed = files.map(({ path }) => path);
  const options = ['--prefix', at('prefix'), '--ignore-scripts', '--offline', '--no-audit', '--no-fund'];
  const installed = run('npm', ['install', '-g', ...options, at(filename)]);
  expect(installed.status, installed.stderr).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const plumbfox = (...args: readonly string[]) => run('plumbfox', args, at('elsewhere'));
const program = () => at('prefix', 'lib', 'node_modules', 'plumbfox', 'dist', 'cli', 'plumbfox.mjs');

it('holds what runs and what describes it, and no test, fixture, source or secret', () => {
  const ours = packed.filter((path) => !path.startsWith('node_modules/'));
  const allowed =
    /^(?:package\.json|README\.md|LICENSE|docs\/[\w-]+\.md|assets\/(?:profiles|report)\.schema\.json|dist\/(?:core\/[\w/-]+\.(?:js|d\.ts)|cli\/(?:plumbfox|lane-worker|origin-process|relay-process|tcp-relay-process)\.mjs|helper\/plumbfox-helper\.mjs|plumbfox-(?:lab|release)\.xpi))$/;
  expect(ours.filter((path) => !allowed.test(path))).toEqual([]);
  for (const needed of [
    'dist/cli/plumbfox.mjs',
    'dist/helper/plumbfox-helper.mjs',
    'dist/plumbfox-lab.xpi',
    'dist/core/index.js',
    'LICENSE',
  ])
    expect(ours).toContain(needed);
  const texts = ours.filter((path) => /\.(?:mjs|js|json|md)$/.test(path)).map((path) => [path, readFileSync(path, 'utf8')] as const);
  expect(texts.filter(([, text]) => /-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/]/.test(text)).map(([path]) => path)).toEqual([]);
  // Where it was built is nobody's business.
  expect(texts.filter(([, text]) => text.includes(process.cwd())).map(([path]) => path)).toEqual([]);
});

it('brings the dependencies of the lock file, and no others', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, { dev?: boolean; inBundle?: boolean }> };
  const locked = Object.entries(lock.packages).filter(([, { inBundle }]) => inBundle);
  expect(locked.length).toBeGreaterThan(10);
  const bundled = packed.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(path)?.[1] ?? []);
  for (const name of ['puppeteer-core', 'valibot']) expect(bundled).toContain(`node_modules/${name}`);
  expect(bundled.filter((path) => !locked.some(([known]) => known === path))).toEqual([]);
});

it('is a command that says its version and how it is used', () => {
  expect(plumbfox('--version')).toEqual({ status: 0, stdout: `plumbfox ${PLUMBFOX_VERSION}\n`, stderr: '' });
  for (const command of ['tune', 'lab', 'policy', 'helper', 'apply', 'predict'])
    expect(plumbfox(command, '--help')).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining(`plumbfox ${command}`) });
  expect(plumbfox('lab', 'list').stdout).toContain('fennec-2008');
});

it('prints a policy, and the command for root with where it really lies', () => {
  const { status, stdout, stderr } = plumbfox('policy', '--profile', 'c4-d1');
  expect([status, Object.keys(JSON.parse(stdout).policies)]).toEqual([0, ['Preferences', '3rdparty']]);
  expect(stderr).toContain(`sudo ${realpathSync(process.execPath)} ${program()} policy --profile c4-d1 --install`);
});

it('installs its helper, names itself as the shell finds it, and takes the helper away', () => {
  const installed = plumbfox('helper', 'install');
  expect([installed.status, installed.stderr]).toEqual([0, '']);
  expect(installed.stdout).toMatch(/ plumbfox helper doctor checks the connection/);
  expect(existsSync(at('home', '.mozilla', 'native-messaging-hosts', 'plumbfox.json'))).toBe(true);
  expect(plumbfox('helper', 'uninstall').status).toBe(0);
  expect(existsSync(at('home', '.local', 'share', 'plumbfox'))).toBe(false);
});

it('may be installed and not published', () => {
  const { private: isPrivate, scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(isPrivate).toBe(true);
  // What `npm pack` alone would pack is what was just built.
  expect(scripts.prepack).toContain('src/tools/build.mjs');
});
