// @ts-check
// Quick and offline: types, lint, format, unit and repo tests.
import { BUILD, LINT, runSteps, TYPES, vitest } from './run-steps.mjs';

process.exitCode = runSteps([TYPES, LINT, BUILD, vitest(['unit', 'isolated', 'repo'])]);
