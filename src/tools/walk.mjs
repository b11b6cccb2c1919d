// @ts-check
// Walks a new person's way in a real Firefox, from the installation to undoing a proven setting, with a picture of each step: .cache/walk.
import { bundleAndRun } from './run-bundled.mjs';

await bundleAndRun('dist/walk-program', ['test/walk/walk.ts']);
