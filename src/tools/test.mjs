// @ts-check
// Everything, real Firefox included.
import { runFirefoxTests } from './firefox-tests.mjs';
import { BUILD, LINT, runSteps, TYPES, vitest } from './run-steps.mjs';

process.exitCode =
  runSteps([TYPES, LINT, BUILD, vitest(['unit', 'calibration', 'contract', 'repo'])]) || runFirefoxTests(['browser', 'lab']);
