// @ts-check
// Photographs every page in a real Firefox, headless, on contact sheets in dist/screenshots: npm run screenshots. With -- --docs: docs/pictures.
import { bundleAndRun } from './run-bundled.mjs';

const which = process.argv.includes('--docs') ? 'screenshots' : 'sheets';
await bundleAndRun('dist/screenshots-program', [`test/screenshots/${which}.ts`]);
