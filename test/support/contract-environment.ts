/**
 * Before the contract tests: the programs that they hold ours against are there, installed where that is allowed. Here, once for all of them: the files run
 * side by side, and apt-get serves one at a time. A test that misses a program says so, or is passed over.
 */
import { PlumbfoxError } from '../../src/core/errors.ts';
import { ensurePrograms, installWithoutServices } from '../../src/lab/ensure-programs.ts';
import { rootPrefix } from '../../src/lab/link/namespace-process.ts';
import { findProgram } from '../../src/lab/origin/reverse-proxies.ts';
import { SERVED_BY } from '../../src/lab/pages/served-by.ts';
import { tryCommand } from '../../src/lab/process/run-command.ts';
import { buildIfStale } from './fresh-build.ts';

/** Program, and the Debian package that has it without a service. */
const REFERENCES: Readonly<Record<string, string>> = { apache2: 'apache2-bin', tcptrace: 'tcptrace', strace: 'strace' };
const INSTALL_TIMEOUT_MS = 5 * 60_000;

const onInstall = (packages: readonly string[]) => process.stderr.write(`Installing ${packages.join(', ')} ...\n`);

export default async function setup(): Promise<void> {
  buildIfStale();
  try {
    await ensurePrograms({ emulator: true, servers: SERVED_BY, capture: true, install: true, onInstall });
  } catch (error) {
    if (!(error instanceof PlumbfoxError)) throw error;
    process.stderr.write(`${error.message}\n`);
  }
  await ensureReferences();
}

async function ensureReferences(): Promise<void> {
  const found = await Promise.all(Object.entries(REFERENCES).map(async ([program, name]) => ({ name, path: await findProgram(program) })));
  const missing = found.filter(({ path }) => path === undefined).map(({ name }) => name);
  const prefix = missing.length > 0 ? await rootPrefix() : undefined;
  if (prefix === undefined) return;
  onInstall(missing);
  const environment = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive'];
  await tryCommand([...environment, 'apt-get', 'update', '-qq'], { timeoutMs: INSTALL_TIMEOUT_MS });
  await tryCommand([...environment, ...installWithoutServices(missing)], { timeoutMs: INSTALL_TIMEOUT_MS });
}
