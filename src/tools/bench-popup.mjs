// @ts-check
// Bundles the benchmark of test/bench, and what it runs inside Firefox, and runs it with the arguments given.
import { build } from 'esbuild';
import { bundleAndRun } from './run-bundled.mjs';

await build({
  entryPoints: ['test/bench/in-firefox.ts'],
  outdir: 'dist/bench',
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'firefox140',
  logLevel: 'warning',
});
await bundleAndRun('dist/bench', ['test/bench/bench-popup.ts']);
