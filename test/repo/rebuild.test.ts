/** The packages come out the same from the source archive, elsewhere; licences and the bill of materials lie with them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { countBar } from '../support/bar-count.ts';
import { builtText } from './support/built.ts';
import { jsonOf, ROOT, textOf } from './support/source-tree.ts';

const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** What of node_modules the packages are built with; a link to all of it would be followed to here. */
const INSTALLED = [
  '@gfx',
  'base64-js',
  'chart.js',
  '@kurkle',
  'idb',
  'valibot',
  'webextension-polyfill',
  'esbuild',
  '@esbuild',
  'rolldown',
  '@rolldown',
  '@oxc-project',
];

it('the packages have the same bytes from another folder, with another umask, language, time zone and home', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbfox-rebuild-'));
  try {
    // What is in the source archive, as it is here now: this test runs before a commit, too.
    for (const name of ['src', '_locales', 'assets', 'manifest.json', 'package.json', 'tsconfig.base.json', 'LICENSE'])
      cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    for (const name of INSTALLED) cpSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true });
    mkdirSync(join(folder, 'home'));
    const script = `umask 077; exec ${process.execPath} -e "import('./src/tools/build-extension.mjs').then(({ buildExtension }) => buildExtension())"`;
    const env = { PATH: process.env.PATH, HOME: join(folder, 'home'), TZ: 'Pacific/Kiritimati', LC_ALL: 'C.UTF-8', SOURCE_DATE_EPOCH: '1' };
    execFileSync('sh', ['-c', script], { cwd: folder, env, stdio: 'pipe' });
    const names = ['plumbfox-release.xpi', 'plumbfox-lab.xpi'];
    const same = names.filter((name) => sha256(join(folder, 'dist', name)) === sha256(join(ROOT, 'dist', name)));
    countBar(29, 'packages that come out the same elsewhere', same.length, names.length);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('every package that is bundled has its licence with what it is bundled into', () => {
  for (const [file, names] of [
    ['extension-release/THIRD-PARTY.txt', ['chart.js', 'idb', 'valibot', 'webextension-polyfill']],
    ['extension-lab/THIRD-PARTY.txt', ['chart.js', 'idb', 'valibot', 'webextension-polyfill']],
    ['helper/THIRD-PARTY.txt', ['valibot']],
  ] as const) {
    const text = builtText(file);
    expect(
      [...text.matchAll(/^(\S+) \d+\.\d+\.\d+ \((MIT|ISC|MPL-2\.0)\)$/gm)].map(([, name]) => name),
      file,
    ).toEqual(names);
    expect(text.match(/Copyright \(c\)|^Mozilla Public License Version 2\.0$/gm)?.length ?? 0, file).toBe(names.length);
  }
});

it('the bill of materials names every locked package, and is the same each time', () => {
  const write = join(ROOT, 'src/tools/bill-of-materials.mjs');
  const folder = mkdtempSync(join(tmpdir(), 'plumbfox-bill-'));
  try {
    const made = ['a.json', 'b.json'].map((name) => {
      const path = join(folder, name);
      const code = `import(${JSON.stringify(write)}).then(({ writeBillOfMaterials }) => writeBillOfMaterials(${JSON.stringify(path)}))`;
      const { status, stderr } = spawnSync(process.execPath, ['-e', code], { cwd: ROOT, encoding: 'utf8' });
      expect(status, stderr).toBe(0);
      return readFileSync(path, 'utf8');
    });
    expect(made[0]).toBe(made[1]);
    const bill = JSON.parse(made[0] ?? '') as { bomFormat: string; serialNumber: string; components: { name: string; version: string }[] };
    expect(bill.bomFormat).toBe('CycloneDX');
    expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    const { dependencies, devDependencies } = jsonOf('package.json') as Record<string, Record<string, string>>;
    const named = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
    expect(Object.entries({ ...dependencies, ...devDependencies }).filter(([name, version]) => !named.has(`${name}@${version}`))).toEqual(
      [],
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('docs/security.md names tests that there are', () => {
  const rows = [...textOf('docs/security.md').matchAll(/`(test\/[\w/.-]+\.test\.ts)`: (.+?) \|$/gm)];
  expect(rows.length).toBeGreaterThan(15);
  const missing = rows.filter(([, file = '', name = '']) => !textOf(file).includes(name));
  expect(missing.map(([, file, name]) => `${file}: ${name}`)).toEqual([]);
});
