/** Before the contract tests: nginx and Apache are there, installed where that is allowed and once for all of them; a test that misses one says so. */
import { quietInstall } from '../../src/lab/environment/quiet-install.ts';
import { rootPrefix } from '../../src/lab/link/privilege.ts';
import { findProgram } from '../../src/lab/origin/front-programs.ts';
import { tryCommand } from '../../src/lab/run-command.ts';

/** Program, and the Debian package that has it without a service. */
const SERVERS: Readonly<Record<string, string>> = { nginx: 'nginx', apache2: 'apache2-bin' };
const INSTALL_TIMEOUT_MS = 5 * 60_000;

export default async function setup(): Promise<void> {
  const found = await Promise.all(Object.entries(SERVERS).map(async ([program, name]) => ({ name, path: await findProgram(program) })));
  const missing = found.filter(({ path }) => path === undefined).map(({ name }) => name);
  const prefix = missing.length > 0 ? await rootPrefix() : undefined;
  if (prefix === undefined) return;
  process.stderr.write(`Installing ${missing.join(', ')} ...\n`);
  const environment = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive'];
  await tryCommand([...environment, 'apt-get', 'update', '-qq'], { timeoutMs: INSTALL_TIMEOUT_MS });
  await tryCommand([...environment, ...quietInstall(missing)], { timeoutMs: INSTALL_TIMEOUT_MS });
}
