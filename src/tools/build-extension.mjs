// @ts-check
// The two variants of the extension from the one manifest: `release` without, `lab` with the Experiment API.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { rolldown } from 'rolldown';
import { chartParts } from './chart-parts.mjs';
import { deterministicZip } from './deterministic-zip.mjs';
import { sizesOf } from './extension-size.mjs';
import { coreEnglishCode, lineIds, localeFiles, localisedManifest } from './locales.mjs';
import { catalogueByColumns } from './packed-catalogue.mjs';
import { pageHtml } from './page-html.mjs';
import { withSharedNames } from './shared-names.mjs';
import { thirdPartyText } from './third-party.mjs';
import { zopfli } from './zopfli.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const EXPERIMENT = 'experiment-api/network-preferences';
/** Bundled scripts: path in the package to entry point. A content script and a page's first script are classic ones; the event page, pages and their workers are modules. */
const classicScripts = { 'content/content': 'src/content/content.ts', 'views/early-start': 'src/views/early-start.ts' };
const modules = {
  'background/background': 'src/background/background.ts',
  'popup/popup': 'src/popup/popup.ts',
  'controls/controls': 'src/controls/controls.ts',
  'views/comparison-worker': 'src/views/comparison-worker.ts',
  'dashboard/dashboard': 'src/dashboard/dashboard.ts',
  'dashboard/history-worker': 'src/dashboard/history-worker.ts',
  'dashboard/data-worker': 'src/dashboard/data-worker.ts',
  'welcome/welcome': 'src/welcome/welcome.ts',
  'views/prediction-worker': 'src/views/prediction-worker.ts',
};
/** Of the oldest Firefox the manifest admits. */
const TARGET = 'firefox140';

/** Writes dist/extension-{release,lab}/ and dist/plumbfox-{release,lab}.xpi. */
export async function buildExtension() {
  const { manifest, texts } = localisedManifest(JSON.parse(await readFile(join(root, 'manifest.json'), 'utf8')));
  const [classic, pages, still, experiment, locales] = await Promise.all([
    Promise.all(Object.entries(classicScripts).map((one) => bundles(Object.fromEntries([one]), 'iife'))),
    bundles(modules, 'esm'),
    staticFiles(),
    experimentFiles(),
    localeFiles(root, texts),
  ]);
  const scripts = [...classic.flatMap((one) => one.scripts), ...pages.scripts];
  const sources = scripts.flatMap((script) => script.sources.map(({ source }) => source));
  const licences = Buffer.from(thirdPartyText(root, sources));
  const common = new Map([
    ...classic.flatMap((one) => one.files),
    ...pages.files,
    ...preloading(still, pages.scripts),
    ...locales,
    ['THIRD-PARTY.txt', licences],
  ]);
  const variants = {
    release: new Map([...common, ['manifest.json', json(manifest)]]),
    lab: new Map([...common, ...experiment, ['manifest.json', json(labManifest(manifest))]]),
  };
  const deflate = await zopfli(Object.values(variants).flatMap((files) => [...files.values()]));
  await Promise.all([
    ...Object.entries(variants).map(([variant, files]) => writeVariant(variant, files, deflate)),
    writeIn(join(root, 'dist/extension-size.json'), Buffer.from(`${JSON.stringify(sizesOf(variants, scripts, deflate), null, 2)}\n`)),
  ]);
}

/** @type {(value: unknown) => Buffer} */
const json = (value) => Buffer.from(JSON.stringify(value));

/** @type {(manifest: any) => any} `webRequestAuthProvider` lets the background answer the gateway's challenge. */
function labManifest(manifest) {
  return {
    ...manifest,
    name: `${manifest.name} (lab)`,
    permissions: [...manifest.permissions, 'webRequestAuthProvider'],
    optional_permissions: manifest.optional_permissions.filter((/** @type {string} */ name) => name !== 'webRequestAuthProvider'),
    experiment_apis: {
      plumbfoxNetwork: {
        schema: `${EXPERIMENT}/schema.json`,
        parent: { events: ['startup'], scopes: ['addon_parent'], paths: [['plumbfoxNetwork']], script: `${EXPERIMENT}/api.js` },
      },
    },
  };
}

/** @type {(folder: string, path: string) => string} Names in a package have slashes, on Windows too. */
const inPackage = (folder, path) => relative(folder, path).replaceAll(sep, '/');

/** What valibot's schemas say of themselves to other libraries, and no script reads. */
const schemaNotes = {
  name: 'schema-notes',
  /** @type {(code: string, id: string) => string | undefined} */
  transform: (code, id) => {
    if (!/[\\/]valibot[\\/]dist[\\/]/.test(id)) return undefined;
    const notes = /^[ \t]*(?:reference: \w+|async: false),?\n/gm;
    // Of what is taken away only this is read: messages that belong to one schema, and Plumbfox sets none.
    const readers = code.match(/\.reference\b/g) ?? [];
    if (!notes.test(code) || readers.length !== 1 || !code.includes('getSpecificMessage(context.reference,'))
      throw new Error('Valibot notes other things in its schemas: src/tools/build-extension.mjs knows another version');
    return code.replaceAll(notes, '');
  },
};

const PURE = '/* @__PURE__ */ ';
/**
 * Lets a script go without the schemas that it does not use. Valibot notes at its functions that they do nothing but return a schema; Rolldown
 * 1.2 passes over the notes of functions that are exported in a list, as valibot's are.
 */
const unusedSchemas = {
  name: 'unused-schemas',
  /** @type {(code: string) => string | undefined} */
  transform: (code) =>
    code.includes("import * as v from 'valibot'")
      ? code.replaceAll(/\bv\.(?!(?:parse|safeParse|is|getDotPath|summarize)\()(?=[a-z]\w*\()/gi, `${PURE}v.`)
      : undefined,
};

/** What the pages say is in `_locales`, where Firefox reads it once; scripts there have the numbers of its lines. */
const textsFromLocales = async () => {
  const [ids, coreEnglish] = await Promise.all([lineIds(root), coreEnglishCode(root)]);
  return {
    name: 'texts-from-locales',
    /** @type {(code: string, id: string) => string | undefined} */
    transform: (code, id) => {
      if (id.endsWith('src/core/text/english.ts')) return 'export const ENGLISH = {};';
      if (id.endsWith('src/core/text/core-english.ts')) return coreEnglish;
      return id.includes('node_modules')
        ? undefined
        : code.replaceAll(/'((?:\w+\.)+\w+)'/g, (all, name) => (ids.has(name) ? `'${ids.get(name)}'` : all));
    },
  };
};

/**
 * Rolldown, not esbuild: it leaves out the scales of Chart.js that no code registers, and its minifier is the better one (docs/extension-size.md).
 * @param {Record<string, string>} entryPoints
 * @param {'iife' | 'esm'} format
 * @returns {Promise<{ files: [string, Buffer][], scripts: import('./extension-size.mjs').Script[] }>}
 */
async function bundles(entryPoints, format) {
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(Object.entries(entryPoints).filter(([, entry]) => existsSync(join(root, entry)))),
    platform: 'browser',
    plugins: [schemaNotes, unusedSchemas, await catalogueByColumns(root), await textsFromLocales(), chartParts()],
    // Reading a property does nothing else, here and in what is bundled: classes whose static members name others can go.
    treeshake: { propertyReadSideEffects: false },
    // Names of preferences and other constants, where they are read: fewer imports.
    optimization: { inlineConst: true },
    transform: { target: TARGET },
    logLevel: 'warn',
  });
  // What several modules need lies in the package once, in a chunk.
  const { output } = await bundle.generate({
    format,
    minify: true,
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames: 'views/[name].js',
    ...(format === 'esm' && { codeSplitting: { groups: sharedChunks() } }),
  });
  await bundle.close();
  const chunks = output.filter((one) => one.type === 'chunk');
  const isChunk = (/** @type {string} */ name) => chunks.some((one) => one.fileName === name && !one.isEntry && !one.isDynamicEntry);
  const written = new Map(chunks.map(({ fileName, code }) => [fileName, code]));
  return {
    files: [...(format === 'esm' ? withSharedNames(written, isChunk) : written)].map(
      ([fileName, code]) => /** @type {[string, Buffer]} */ ([fileName, Buffer.from(code)]),
    ),
    scripts: chunks.map(({ fileName, facadeModuleId, imports, modules }) => ({
      fileName,
      // Of chunks, only those of one module loaded later have one.
      entry: facadeModuleId === null ? undefined : inPackage(root, facadeModuleId),
      imports,
      sources: Object.entries(modules).map(([path, { code }]) => ({
        source: inPackage(root, path),
        length: (code ?? '').replaceAll(PURE, '').length,
      })),
    })),
  };
}

/**
 * Four chunks of what several scripts read, where Rolldown makes one of each set of scripts: few large chunks pack better than many small ones.
 * `first`: what the popup reads before it paints, which others read too; `history`: what the worker of the list of loads reads, for which the
 * dashboard waits; `pages`: what the page behind "More" or the card reads, with dashboard and event page; `records`: what the event page reads,
 * with workers, and what dashboard and workers share, which read it anyway. What imports the extension APIs is in a chunk beside each: they throw in a worker.
 * @returns {import('rolldown').CodeSplittingGroup[]}
 */
function sharedChunks() {
  const [popup, controls, eventPage] = [reached('popup/popup'), reached('controls/controls'), reached('background/background')];
  const card = reached('popup/popup', 'src/popup/live-card.ts');
  return [
    { name: 'first', priority: 3, isIn: popup },
    { name: 'history', priority: 2, isIn: reached('dashboard/history-worker') },
    {
      name: 'pages',
      priority: 1,
      /** @type {ReturnType<typeof reached>} */
      isIn: (id, context) => controls(id, context) || card(id, context),
    },
    {
      name: 'records',
      priority: 0,
      /** @type {ReturnType<typeof reached>} */
      isIn: (id, context) => eventPage(id, context) || !card(id, context),
    },
  ].map(({ name, priority, isIn }) => ({
    name: (id, context) => {
      if (!isIn(id, context)) return null;
      return readsBrowser(id, context) ? `${name}-browser` : name;
    },
    debugName: name,
    priority,
    minShareCount: 2,
  }));
}

const BROWSER = join(root, 'src/adapters/browser.ts');

/** @type {ReturnType<typeof reached>} Whether a module is the adapter of the extension APIs, or imports it, directly or through others. */
function readsBrowser(id, context) {
  const all = new Set([id]);
  for (const one of all) for (const imported of context.getModuleInfo(one)?.importedIds ?? []) all.add(imported);
  return all.has(BROWSER) || id.includes('webextension-polyfill');
}

/** @type {(script: keyof typeof modules, later?: string) => (id: string, context: import('rolldown').ChunkingContext) => boolean} Whether a script reads a module when it starts, or with what it loads `later`. */
function reached(script, later) {
  const all = new Set([join(root, modules[script]), ...(later === undefined ? [] : [join(root, later)])]);
  let isComplete = false;
  return (id, context) => {
    if (!isComplete) for (const one of all) for (const imported of context.getModuleInfo(one)?.importedIds ?? []) all.add(imported);
    isComplete = true;
    return all.has(id);
  };
}

/** Files taken as they are: path in the package to source. */
const files = {
  'popup/popup.html': 'src/popup/popup.html',
  'popup/popup.css': 'assets/popup.css',
  'controls/controls.html': 'src/controls/controls.html',
  'views/pages.css': 'assets/pages.css',
  'dashboard/dashboard.html': 'src/dashboard/dashboard.html',
  'dashboard/dashboard.css': 'assets/dashboard.css',
  'welcome/welcome.html': 'src/welcome/welcome.html',
  'welcome/welcome.css': 'assets/welcome.css',
  ...Object.fromEntries(
    ['icon', 'icon-attention', 'icon-paused', 'icon-trial'].map((name) => [`assets/${name}.svg`, `assets/${name}.svg`]),
  ),
};

/** @returns {Promise<[string, Buffer][]>} */
async function staticFiles() {
  const present = Object.entries(files).filter(([, source]) => existsSync(join(root, source)));
  return Promise.all(
    present.map(async ([name, source]) => {
      const path = join(root, source);
      const text = source.endsWith('.html') ? pageHtml(root, path) : await readFile(path, 'utf8');
      return /** @type {[string, Buffer]} */ ([name, Buffer.from(await small(name, text))]);
    }),
  );
}

/**
 * Pages that name what their scripts import: Firefox reads all of it at once, and not only what a script imports after it was read.
 * @type {(files: readonly [string, Buffer][], scripts: readonly import('./extension-size.mjs').Script[]) => [string, Buffer][]}
 */
const preloading = (files, scripts) =>
  files.map(([name, content]) => {
    const imports = scripts.find(({ fileName }) => fileName === name.replace(/html$/, 'js'))?.imports ?? [];
    const links = imports.map((path) => `<link rel=modulepreload href="../${path}">\n`).join('');
    return [name, Buffer.from(content.toString('utf8').replace('<script type=module', () => `${links}<script type=module`))];
  });

/** @type {(name: string, text: string) => Promise<string>} No page has text in which the space at the beginning of a line is seen. */
async function small(name, text) {
  if (name.endsWith('.css')) return (await transform(text, { loader: 'css', minify: true, target: TARGET })).code;
  const lines = text.replaceAll(/<!--.*?-->/gs, '').replaceAll(/^\s+/gm, '');
  // An icon has its name where it is shown.
  if (name.endsWith('.svg'))
    return lines
      .replaceAll('\n', ' ')
      .replaceAll('> <', '><')
      .trim()
      .replace(/ role="img" aria-label="[^"]*"/, '');
  return lines.replaceAll(/<[^<>]*>/g, (tag) => tag.replaceAll(/="([\w-]+)"/g, '=$1').replace(/ \/>$/, '>'));
}

/** @returns {Promise<[string, Buffer][]>} The privileged script with its allow-list, and its schema. */
async function experimentFiles() {
  const source = await readFile(join(root, 'src', EXPERIMENT, 'api.js'), 'utf8');
  const { code } = await transform(source, { minify: true, target: TARGET });
  const allowed = JSON.stringify(await allowedPreferences());
  const schema = await readFile(join(root, 'src', EXPERIMENT, 'schema.json'), 'utf8');
  return [
    [`${EXPERIMENT}/api.js`, Buffer.from(code.replace('PLUMBFOX_ALLOWED_PREFERENCES', () => allowed))],
    // Firefox reads no description.
    [`${EXPERIMENT}/schema.json`, json(JSON.parse(schema, (name, value) => (name === 'description' ? undefined : value)))],
  ];
}

/** The catalogue's preferences and the route's, by type and bounds. */
async function allowedPreferences() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: {
      contents: `export { CATALOGUE } from './src/core/profiles/catalogue.ts';\nexport { ROUTE_BOUNDS } from './src/core/profiles/carrier.ts';`,
      resolveDir: root,
    },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'warning',
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  const { CATALOGUE, ROUTE_BOUNDS } = await import(`data:text/javascript;base64,${code}`);
  const knobs = CATALOGUE.filter(({ appliers }) => appliers.includes('experiment-api')).map(
    ({ preference, bounds: { clamp: _, ...bounds } }) => [preference, bounds],
  );
  return { ...Object.fromEntries(knobs), ...ROUTE_BOUNDS };
}

/** @type {(variant: string, files: ReadonlyMap<string, Buffer>, deflate: import('./deterministic-zip.mjs').Deflate) => Promise<void>} */
async function writeVariant(variant, files, deflate) {
  const directory = join(root, 'dist', `extension-${variant}`);
  await removeStale(directory, files);
  await Promise.all([...files].map(([name, content]) => writeIn(join(directory, name), content)));
  await writeIn(join(root, 'dist', `plumbfox-${variant}.xpi`), deterministicZip(files, deflate));
}

/** @type {(path: string, content: Buffer) => Promise<void>} Never cut short, not for a moment: a Firefox may be reading it. */
async function writeIn(path, content) {
  const before = await readFile(path).catch(() => undefined);
  if (before?.equals(content)) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.tmp`, content);
  await rename(`${path}.tmp`, path);
}

/** @type {(directory: string, files: ReadonlyMap<string, Buffer>) => Promise<void>} Not the whole directory: a Firefox may be running from it. */
async function removeStale(directory, files) {
  if (!existsSync(directory)) return;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !files.has(inPackage(directory, path))) await rm(path);
  }
}
