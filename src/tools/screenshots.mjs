// @ts-check
// Makes the pictures of the README in a real Firefox, headless: npm run screenshots
import { bundleAndRun } from './run-bundled.mjs';

await bundleAndRun('dist/screenshots', ['test/screenshots/screenshots.ts']);
