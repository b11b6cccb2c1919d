// @ts-check
// Makes docs/results again from the loads stored there, as this version measures and compares them.
import { build } from 'esbuild';
import { FOR_NODE, runBundled } from './run-bundled.mjs';
import { studiesForEsbuild } from './studies-module.mjs';

await build({ ...FOR_NODE, entryPoints: ['src/lab/published/recompute-results.ts'], outdir: 'dist/results', plugins: [studiesForEsbuild] });
runBundled('dist/results/recompute-results.mjs');
