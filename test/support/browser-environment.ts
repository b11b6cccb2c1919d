/** Before the browser tests: Firefox and the emulator's programs are there (installed where that is allowed). */
import { ensurePrograms } from '../../src/lab/environment/ensure-programs.ts';

export default async function setup(): Promise<void> {
  await ensurePrograms({
    emulator: true,
    install: true,
    onInstall: (packages) => process.stderr.write(`Installing ${packages.join(', ')} ...\n`),
  });
}
