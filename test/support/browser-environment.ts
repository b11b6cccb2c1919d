/** Before the browser tests: Firefox and the emulator's programs are there (installed where that is allowed). */
import { ensurePrograms } from '../../src/lab/ensure-programs.ts';
import { buildIfStale } from './fresh-build.ts';

export default async function setup(): Promise<void> {
  buildIfStale();
  await ensurePrograms({
    emulator: true,
    install: true,
    onInstall: (packages) => process.stderr.write(`Installing ${packages.join(', ')} ...\n`),
  });
}
