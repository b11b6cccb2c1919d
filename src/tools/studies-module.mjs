// @ts-check
// Every file of src/lab/studies as one module, so that a study is added by adding its file. For esbuild and for Vite.
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';

const NAME = 'plumbfox:studies';
const FOLDER = 'src/lab/studies';
/** The file that imports the module cannot be part of it. */
const COLLECTOR = 'all-studies.ts';

function source() {
  const files = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && name !== COLLECTOR)
    .sort();
  const imports = files.map((name, index) => `import * as m${index} from ${JSON.stringify(resolve(FOLDER, name))};`);
  return `${imports.join('\n')}\nexport default [${files.map((_, index) => `m${index}`).join(', ')}];\n`;
}

/** @type {import('esbuild').Plugin} */
export const studiesForEsbuild = {
  name: 'studies',
  setup(build) {
    build.onResolve({ filter: /^plumbfox:studies$/ }, () => ({ path: NAME, namespace: 'studies' }));
    build.onLoad({ filter: /.*/, namespace: 'studies' }, () => ({ contents: source(), resolveDir: process.cwd() }));
  },
};

export const studiesForVite = {
  name: 'studies',
  /** @param {string} id */
  resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
  /** @param {string} id */
  load: (id) => (id === `\0${NAME}` ? source() : undefined),
};
