// @ts-check
// Bundles the accuracy harness of test/accuracy and runs it with the arguments given.
import { spawnSync } from 'node:child_process';
import { build } from 'esbuild';

await build({
  entryPoints: ['test/accuracy/harness/accuracy.ts'],
  outdir: 'dist/accuracy',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
});
const { status } = spawnSync(process.execPath, ['dist/accuracy/accuracy.mjs', ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 1;
