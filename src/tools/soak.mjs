// @ts-check
// Bundles the soak of test/soak and runs it: npm run soak -- [--minutes 60] [--loads 10000] [--resume] [--write]
import { bundleAndRun } from './run-bundled.mjs';

await bundleAndRun('dist/soak', ['test/soak/main.ts']);
