/** The two extension packages as they were built; the add-on linter and Firefox itself look at them in test/browser. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { builtBytes, builtFile, builtText } from './support/built.ts';
import { ROOT } from './support/source-tree.ts';

const MOST_PACKAGE_BYTES = 240_000;
const MOST_CONTENT_SCRIPT_BYTES = 2_500;

/** Scripts, style sheets and icons of a page, relative to it. */
const namedIn = (page: string): readonly string[] =>
  [...builtText(page).matchAll(/<(?:script|link)[^>]*\s(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);

describe.each(['release', 'lab'])('%s', (variant) => {
  it('is at most 240 kB', () => {
    expect(builtBytes(`plumbfox-${variant}.xpi`).length).toBeLessThanOrEqual(MOST_PACKAGE_BYTES);
  });

  it('has a content script of at most 2.5 kB, brotli', () => {
    expect(brotliCompressSync(builtBytes(`extension-${variant}/content/content.js`)).length).toBeLessThanOrEqual(MOST_CONTENT_SCRIPT_BYTES);
  });

  it('has every file its manifest and its pages name', () => {
    const folder = `extension-${variant}`;
    const manifest = JSON.parse(builtText(`${folder}/manifest.json`));
    const named: readonly string[] = [
      ...Object.values<string>(manifest.icons),
      ...manifest.background.scripts,
      ...manifest.content_scripts.flatMap(({ js }: { js: string[] }) => js),
      manifest.action.default_popup,
      ...['popup', 'dashboard'].flatMap((page) => namedIn(`${folder}/${page}/${page}.html`).map((path) => join(page, path))),
      'popup/comparison-worker.js',
      'views/prediction-worker.js',
    ];
    expect(named.filter((path) => !existsSync(builtFile(`${folder}/${path}`)))).toEqual([]);
  });

  it('has every module that another imports', () => {
    const folder = `extension-${variant}`;
    const modules = readdirSync(builtFile(folder), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'));
    const missing = modules.flatMap((path) =>
      [...builtText(`${folder}/${path}`).matchAll(/(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)]
        .map(([, imported = '']) => join(dirname(path), imported))
        .filter((imported) => !existsSync(builtFile(`${folder}/${path}`).replace(path, imported))),
    );
    expect(modules.length).toBeGreaterThan(5);
    expect(missing).toEqual([]);
  });

  it('asks for no data to be collected', () => {
    const { browser_specific_settings: settings } = JSON.parse(builtText(`extension-${variant}/manifest.json`));
    expect(settings.gecko.data_collection_permissions).toEqual({ required: ['none'] });
    expect(settings.gecko.strict_min_version).toBe('140.0');
    expect(settings.gecko_android.strict_min_version).toBe('142.0');
  });
});

it('only the lab build holds an Experiment', () => {
  expect(JSON.parse(builtText('extension-release/manifest.json'))).not.toHaveProperty('experiment_apis');
  expect(JSON.parse(builtText('extension-lab/manifest.json'))).toHaveProperty('experiment_apis');
  expect(existsSync(join(ROOT, 'dist/extension-release/experiment-api'))).toBe(false);
});

it.each(['release', 'lab'])(
  'the %s build holds nothing of the extension by which the lab runs scripts in the parent process',
  (variant) => {
    const folder = builtFile(`extension-${variant}`);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(5);
    const holding = files.filter((entry) =>
      /plumbfoxParent|evalInSandbox/.test(readFileSync(join(entry.parentPath, entry.name), 'latin1')),
    );
    expect(holding.map(({ name }) => name)).toEqual([]);
    expect(builtText('cli/lane-worker.mjs')).toContain('evalInSandbox');
  },
);
