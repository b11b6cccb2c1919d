/** The two extension packages as they were built; the add-on linter and Firefox itself look at them in test/browser. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { builtBytes, builtFile, builtText } from './support/built.ts';
import { ROOT, tableBelow } from './support/source-tree.ts';

/** Of the popup's script and all that it imports before it paints. */
const MOST_BEFORE_PAINT_BYTES = 45_000;
/** `docs/extension-size.md` says what for. */
const MOST_PACKAGE_BYTES = 450_000;
const MOST_CONTENT_SCRIPT_BYTES = 2_500;

/** As the build writes it; see `src/tools/extension-size.mjs`. */
interface Sizes {
  readonly packages: Readonly<Record<string, number>>;
  readonly parts: readonly { readonly part: string; readonly bytes: number; readonly packed: number }[];
  readonly entries: readonly { readonly entry: string; readonly parts: Readonly<Record<string, number>> }[];
}

/** Scripts, style sheets, icons and the worker of a page, relative to it. */
const namedIn = (page: string): readonly string[] =>
  [...builtText(page).matchAll(/<(?:script|link)[^>]*>/g)].flatMap(([tag]) =>
    [...tag.matchAll(/\s(?:src|href|data-path)="([^"]+)"/g)].map(([, path = '']) => path),
  );

/** A script and all that it imports before it runs. */
function reachedFrom(variant: string, script: string): ReadonlySet<string> {
  const read = new Set([script]);
  for (const path of read) {
    const imported = builtText(`extension-${variant}/${path}`).matchAll(/(?:^|;)import(?:[^"'`();]*from)?\s*"(\.{1,2}\/[^"]+)"/g);
    for (const [, name = ''] of imported) read.add(join(dirname(path), name));
  }
  return read;
}

/** What the polyfill throws where there is no extension. */
const isPolyfill = (variant: string, path: string): boolean =>
  builtText(`extension-${variant}/${path}`).includes('This script should only be loaded in a browser extension');

describe.each(['release', 'lab'])('%s', (variant) => {
  it('is at most 450 kB', () => {
    expect(builtBytes(`plumbfox-${variant}.xpi`).length).toBeLessThanOrEqual(MOST_PACKAGE_BYTES);
  });

  it('has a content script of at most 2.5 kB, brotli', () => {
    expect(brotliCompressSync(builtBytes(`extension-${variant}/content/content.js`)).length).toBeLessThanOrEqual(MOST_CONTENT_SCRIPT_BYTES);
  });

  it('reads at most 45 kB, gzip, before the popup paints what it showed last', () => {
    const read = reachedFrom(variant, 'popup/popup.js');
    expect(read).toContain('views/first.js');
    const bytes = [...read].reduce((sum, path) => sum + gzipSync(builtBytes(`extension-${variant}/${path}`)).length, 0);
    expect(bytes).toBeLessThanOrEqual(MOST_BEFORE_PAINT_BYTES);
  });

  it('reads for the popup nothing of what the event page and workers share', () => {
    expect(builtText(`extension-${variant}/views/live-card.js`)).not.toContain('records.js');
    expect(builtText(`extension-${variant}/views/pages.js`)).not.toContain('records.js');
  });

  it('reads webextension-polyfill in the event page and every page, and in no worker, where it throws, nor in a page of the web', () => {
    const holds = (script: string): boolean => [...reachedFrom(variant, script)].some((path) => isPolyfill(variant, path));
    const contexts = ['background', 'popup', 'controls', 'dashboard', 'welcome'].map((name) => `${name}/${name}.js`);
    expect(contexts.filter((script) => !holds(script))).toEqual([]);
    const workers = ['views/comparison-worker.js', 'views/prediction-worker.js', 'dashboard/data-worker.js', 'dashboard/history-worker.js'];
    expect([...workers, 'content/content.js', 'views/early-start.js'].filter(holds)).toEqual([]);
  });

  it('has every file its manifest and its pages name', () => {
    const folder = `extension-${variant}`;
    const manifest = JSON.parse(builtText(`${folder}/manifest.json`));
    const named: readonly string[] = [
      ...Object.values<string>(manifest.icons),
      ...manifest.background.scripts,
      ...manifest.content_scripts.flatMap(({ js }: { js: string[] }) => js),
      manifest.action.default_popup,
      ...['popup', 'controls', 'dashboard', 'welcome'].flatMap((page) =>
        namedIn(`${folder}/${page}/${page}.html`).map((path) => join(page, path)),
      ),
      'views/comparison-worker.js',
      'views/prediction-worker.js',
      'dashboard/data-worker.js',
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

  it('exports each name once, and what others import', () => {
    const folder = `extension-${variant}`;
    const modules = readdirSync(builtFile(folder), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'));
    const listed = (list: string, side: 0 | -1) => list.split(',').map((one) => one.split(' as ').at(side) ?? '');
    const exported = new Map(
      modules.map((path) => [path, listed(/export\{([^}]*)\};?\s*$/.exec(builtText(`${folder}/${path}`))?.[1] ?? '', -1)]),
    );
    for (const [path, names] of exported) expect.soft(new Set(names).size, path).toBe(names.length);
    const imports = modules.flatMap((path) =>
      [...builtText(`${folder}/${path}`).matchAll(/import\{([^}]*)\}from"(\.{1,2}\/[^"]+)"/g)].flatMap(([, list = '', from = '']) =>
        listed(list, 0).map((name) => ({ name, from: join(dirname(path), from) })),
      ),
    );
    expect(imports.length).toBeGreaterThan(500);
    expect(imports.filter(({ name, from }) => !exported.get(from)?.includes(name))).toEqual([]);
  });

  it('asks for no data to be collected', () => {
    const { browser_specific_settings: settings } = JSON.parse(builtText(`extension-${variant}/manifest.json`));
    expect(settings.gecko.data_collection_permissions).toEqual({ required: ['none'] });
    expect(settings.gecko.strict_min_version).toBe('140.0');
    expect(settings.gecko_android.strict_min_version).toBe('142.0');
  });
});

describe('docs/extension-size.md', () => {
  const sizes: Sizes = JSON.parse(builtText('extension-size.json'));
  const packages = new Map(
    tableBelow('docs/extension-size.md', 'What the bytes of the extension buy').map(([name, figure]) => [name, Number(figure)]),
  );
  const parts = tableBelow('docs/extension-size.md', 'Parts');
  /** What is written may be a tenth off, or 1.5 kB, so that not every change has to renew it. */
  const isNear = (written: number | undefined, bytes: number): boolean => {
    const kB = bytes / 1000;
    return written !== undefined && Math.abs(written - kB) <= Math.max(1.5, kB / 10);
  };

  it.each(['release', 'lab'])('says how large the %s package is', (variant) => {
    const bytes = builtBytes(`plumbfox-${variant}.xpi`).length;
    expect(sizes.packages[variant]).toBe(bytes);
    expect(isNear(packages.get(variant), bytes), `${bytes} bytes`).toBe(true);
  });

  it('says of each part what it is for and how large it is: else run node src/tools/extension-size.mjs', () => {
    expect(parts.map(([part]) => part).toSorted()).toEqual(sizes.parts.map(({ part }) => part).toSorted());
    for (const [part, minified, packed, what] of parts) {
      const found = sizes.parts.find((one) => one.part === part);
      expect.soft(isNear(Number(minified), found?.bytes ?? 0), `${part}, minified: ${found?.bytes}`).toBe(true);
      expect.soft(isNear(Number(packed), found?.packed ?? 0), `${part}, packed: ${found?.packed}`).toBe(true);
      expect.soft(what).toMatch(/\w/);
    }
  });

  it('is right that the bars are read later than the page with them, and the simulation of a load by its worker alone', () => {
    const partsOf = (entry: string) => sizes.entries.find((one) => one.entry === entry)?.parts ?? {};
    expect(Object.keys(partsOf('src/controls/controls.ts'))).not.toContain('chart.js');
    expect(Object.keys(partsOf('src/controls/chart.ts'))).toContain('chart.js');
    const simulator = ({ parts }: Sizes['entries'][number]) => parts['core/simulate'] ?? 0;
    const [most, ...others] = sizes.entries.toSorted((a, b) => simulator(b) - simulator(a));
    expect(most?.entry).toBe('src/views/prediction-worker.ts');
    expect(Math.max(...others.map(simulator))).toBeLessThan(simulator(most as Sizes['entries'][number]) / 2);
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
