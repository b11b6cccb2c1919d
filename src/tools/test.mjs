// @ts-check
// Everything, real Firefox included.
import { BUILD, LINT, runSteps, TYPES, vitest } from './run-steps.mjs';

process.exitCode = runSteps([
  TYPES,
  LINT,
  BUILD,
  vitest(['unit', 'calibration', 'contract', 'repo']),
  vitest(['browser']),
  vitest(['lab']),
]);
