// @ts-check
// The catalogue of preferences by columns: each name, once for entries, for what builds of Firefox have and for what people read of it, and each kind of
// bounds. The sources have a file for each subject, in which an entry stands whole; the bundler gets these rows in their place.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const FOLDER = 'src/core/profiles/catalogue';
const ROWS = `${FOLDER}/packed-rows.ts`;
const BUILDS = `${FOLDER}/builds.ts`;
const EFFECTS = 'src/core/profiles/reference/effects.ts';

/**
 * @typedef {object} Packed
 * @property {readonly { file: string, name: string, from: number, until: number }[]} subjects Files that export entries, and which rows these are
 * @property {readonly Record<string, unknown>[]} rows Entries, with their `builds`
 * @property {Record<string, unknown>} columns
 * @property {readonly string[]} effects What people read, a text for each row
 * @property {string} effectLines The same, a line for each
 */

/** @type {(root: string) => Promise<Packed>} */
export async function packedCatalogue(root) {
  const files = readdirSync(join(root, FOLDER))
    .sort()
    .flatMap((name) => {
      const file = `${FOLDER}/${name}`;
      const exported = /^export const (\w+): readonly Entry\[\]/m.exec(readFileSync(join(root, file), 'utf8'))?.[1];
      return exported === undefined ? [] : [{ file, name: exported }];
    });
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: {
      contents: [
        ...files,
        { file: BUILDS, name: 'BUILDS' },
        { file: EFFECTS, name: 'EFFECTS' },
        { file: ROWS, name: 'packRows' },
        { file: ROWS, name: 'asLines' },
      ]
        .map(({ file, name }) => `export { ${name} } from './${file}';`)
        .join('\n'),
      resolveDir: root,
    },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'warning',
  });
  const sources = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? []).toString('base64')}`);
  /** @type {Record<string, unknown>[]} */
  const rows = [];
  const subjects = files.map(({ file, name }) => {
    const from = rows.length;
    for (const entry of sources[name]) rows.push({ ...entry, builds: sources.BUILDS[entry.preference] });
    return { file, name, from, until: rows.length };
  });
  const names = rows.map(({ preference }) => String(preference));
  for (const [what, table] of Object.entries({ builds: sources.BUILDS, effects: sources.EFFECTS })) {
    const unknown = Object.keys(table).filter((name) => !names.includes(name));
    if (unknown.length > 0) throw new Error(`The ${what} of ${unknown.join(', ')} belong to no entry of the catalogue`);
  }
  return {
    subjects,
    rows,
    columns: sources.packRows(rows, ['preference', 'label']),
    effects: names.map((name) => sources.EFFECTS[name] ?? ''),
    effectLines: sources.asLines(names.map((name) => sources.EFFECTS[name] ?? '')),
  };
}

/** @type {(root: string) => Promise<{ name: string, transform: (code: string, id: string) => string | undefined }>} The plugin of the bundler. */
export async function catalogueByColumns(root) {
  const { subjects, columns, effectLines } = await packedCatalogue(root);
  /** @type {(name: string, values: string) => string} A table by preference. */
  const table = (name, values) =>
    `export const ${name} = /* @__PURE__ */ Object.fromEntries(/* @__PURE__ */ ${values}.map((one, at) => [ROWS[at].preference, one]));`;
  const instead = new Map([
    [BUILDS, `import { ROWS } from './packed-rows.ts';\n${table('BUILDS', 'ROWS.map(({ builds }) => builds)')}`],
    [EFFECTS, `import { ROWS } from '../catalogue/packed-rows.ts';\n${table('EFFECTS', `${JSON.stringify(effectLines)}.split('\\n')`)}`],
    ...subjects.map(
      ({ file, name, from, until }) =>
        /** @type {[string, string]} */ ([
          file,
          `import { ROWS } from './packed-rows.ts';\nexport const ${name} = /* @__PURE__ */ ROWS.slice(${from}, ${until});`,
        ]),
    ),
  ]);
  return {
    name: 'catalogue-by-columns',
    transform: (code, id) => {
      const path = id.replaceAll('\\', '/');
      if (path.endsWith(ROWS)) return `${code}\nexport const ROWS = /* @__PURE__ */ unpackRows(${JSON.stringify(columns)});`;
      return [...instead].find(([file]) => path.endsWith(file))?.[1];
    },
  };
}
