// @ts-check
// Builds everything a person runs: the command (dist/cli), the native messaging host (dist/helper), the two extension variants
// (dist/extension-*), and with --types the type check and the library (dist/core). Quick (under 2 s without --types), so commands build
// before they run.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { writeBillOfMaterials } from './bill-of-materials.mjs';
import { buildExtension } from './build-extension.mjs';
import { FOR_NODE } from './run-bundled.mjs';
import { studiesForEsbuild } from './studies-module.mjs';
import { thirdPartyText } from './third-party.mjs';

const arguments_ = new Set(process.argv.slice(2));
const quiet = arguments_.has('--quiet');

if (arguments_.has('--types')) {
  const tsc = spawnSync('node_modules/.bin/tsc', ['-b'], { stdio: 'inherit' });
  if (tsc.status !== 0) process.exit(1);
}

await mkdir('dist', { recursive: true });
const entryPoints = [
  'src/cli/plumbfox.ts',
  'src/lab/lane/lane-worker.ts',
  'src/lab/link/relay-process.ts',
  'src/lab/link/tcp-relay-process.ts',
  'src/lab/origin/origin-process.ts',
  'src/lab/bench-overhead.ts',
].filter((path) => existsSync(path));
await build({
  ...FOR_NODE,
  entryPoints,
  plugins: [studiesForEsbuild],
  outdir: 'dist/cli',
  entryNames: '[name]',
  banner: { js: '#!/usr/bin/env node' },
});
if (existsSync('dist/cli/plumbfox.mjs')) await chmod('dist/cli/plumbfox.mjs', 0o755);
const helper = await build({
  ...FOR_NODE,
  metafile: true,
  // One file that needs nothing beside it: it is copied to where Firefox finds it.
  packages: 'bundle',
  entryPoints: { 'plumbfox-helper': 'src/helper/host/host.ts' },
  outdir: 'dist/helper',
  // Packages that are CommonJS ask for Node's own modules by `require`.
  banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'inline',
});
await writeFile('dist/helper/THIRD-PARTY.txt', thirdPartyText('.', Object.keys(helper.metafile.inputs)));
await buildExtension();
if (arguments_.has('--types')) writeBillOfMaterials('dist/plumbfox.cdx.json');
if (!quiet) console.log('Built dist/cli, dist/helper, dist/core and both extension packages in dist/.');
