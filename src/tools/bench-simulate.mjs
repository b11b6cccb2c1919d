// @ts-check
// Bundles the benchmark of test/bench and runs it with the arguments given. What it measures is dist/core, which is built before.
import { bundleAndRun } from './run-bundled.mjs';

await bundleAndRun('dist/bench', ['test/bench/bench-simulate.ts']);
