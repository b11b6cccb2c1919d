// @ts-check
// Bundles the accuracy harness of test/accuracy and runs it with the arguments given.
import { bundleAndRun } from './run-bundled.mjs';

await bundleAndRun('dist/accuracy', ['test/accuracy/harness/accuracy.ts']);
