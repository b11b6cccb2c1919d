// @ts-check
// Bundles the gateway's benchmark of test/bench, and the process that the gateway runs in, and runs it with the arguments given.
import { bundleAndRun } from './run-bundled.mjs';

await bundleAndRun('dist/bench', ['test/bench/bench-gateway.ts', 'test/bench/gateway-process.ts']);
