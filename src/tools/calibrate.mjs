// @ts-check
// Bundles the calibration of test/calibration, whose worker threads need plain JavaScript, and runs it with the arguments given.
import { spawnSync } from 'node:child_process';
import { build } from 'esbuild';

await build({
  entryPoints: ['test/calibration/harness/calibrate.ts', 'test/calibration/harness/worker.ts'],
  outdir: 'dist/calibration',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
});
const { status } = spawnSync(process.execPath, ['dist/calibration/calibrate.mjs', ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 1;
