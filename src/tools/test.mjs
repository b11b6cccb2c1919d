// @ts-check
// Everything, real Firefox included. What only computes runs first, then what drives Firefox, and what measures last, alone. Two browsers keep two
// processors busy: with work behind them they took 41 minutes, and that work ran into its time limits.
import { runFirefoxTests } from './firefox-tests.mjs';
import { BUILD, LINT, runSteps, TYPES, vitest } from './run-steps.mjs';

const COMPUTING = ['unit', 'isolated', 'property', 'calibration', 'contract', 'repo'];

/** Installs what the machine lacks, once: apt-get serves one at a time. The file itself is one of the quickest. */
const PROGRAMS = { ...vitest(['contract'], ['test/contract/install-without-services.test.ts']), name: 'programs that tests need' };

process.exitCode = runSteps([TYPES, LINT, BUILD, PROGRAMS, vitest(COMPUTING)]) || (await runFirefoxTests(['browser', 'lab']));
