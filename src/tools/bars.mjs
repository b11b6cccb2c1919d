// @ts-check
// Builds what the tests need and runs the thirty bars of test/bars with the arguments given: npm run bars -- --help
import { spawnSync } from 'node:child_process';
import { bundleAndRun } from './run-bundled.mjs';

const { status } = spawnSync(process.execPath, ['src/tools/build.mjs', '--quiet'], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
await bundleAndRun('dist/bars', ['test/bars/harness/run-bars.ts']);
