// @ts-check
// Everything, real Firefox included. Tests that wait for Firefox leave the processors idle for more than half of the time: what only computes
// runs beside them, behind them. What measures runs last, alone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFirefoxTests } from './firefox-tests.mjs';
import { BUILD, LINT, runSteps, TYPES, vitest } from './run-steps.mjs';

const COMPUTING = ['unit', 'isolated', 'property', 'calibration', 'contract', 'repo'];
/** Niceness: Firefox has its time when it wants it, or pages take longer than the extension waits. */
const BEHIND = 10;

/** Installs what the machine lacks, once: apt-get serves one at a time. The file itself is one of the quickest. */
const PROGRAMS = { ...vitest(['contract'], ['test/contract/install-without-services.test.ts']), name: 'programs that tests need' };

/** @returns {Promise<number>} exit code, once what it printed has been printed */
async function runBehind() {
  const folder = mkdtempSync(join(tmpdir(), 'plumbfox-tests-'));
  const log = join(folder, 'log');
  const output = openSync(log, 'w');
  const startedMs = performance.now();
  const { name, command } = vitest(COMPUTING);
  const [program, ...args] = command;
  const child = spawn(/** @type {string} */ (program), args, { stdio: ['ignore', output, output] });
  if (child.pid !== undefined) setPriority(child.pid, BEHIND);
  closeSync(output);
  const [code] = await once(child, 'close');
  process.stdout.write(readFileSync(log));
  rmSync(folder, { recursive: true, force: true });
  console.log(`${name}: ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  return code ?? 1;
}

process.exitCode = runSteps([TYPES, LINT, BUILD, PROGRAMS]) || (await runFirefoxTests(['browser', 'lab'], runBehind()));
