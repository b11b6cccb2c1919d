// @ts-check
// Bundles the calibration of test/calibration, whose worker threads need plain JavaScript, and runs it with the arguments given.
import { bundleAndRun } from './run-bundled.mjs';

await bundleAndRun('dist/calibration', ['test/calibration/harness/calibrate.ts', 'test/calibration/harness/worker.ts']);
