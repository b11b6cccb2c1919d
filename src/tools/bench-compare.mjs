// @ts-check
// Bundles the benchmark of test/bench, and what it runs inside Firefox, and runs it with the arguments given.
import { spawnSync } from 'node:child_process';
import { build } from 'esbuild';

await Promise.all([
  build({
    entryPoints: ['test/bench/bench-compare.ts'],
    outdir: 'dist/bench',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  }),
  build({
    entryPoints: ['test/bench/in-firefox.ts'],
    outdir: 'dist/bench',
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'firefox140',
    logLevel: 'warning',
  }),
]);
const { status } = spawnSync(process.execPath, ['dist/bench/bench-compare.mjs', ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 1;
