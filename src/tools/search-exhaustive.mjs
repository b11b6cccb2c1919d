// @ts-check
// Bundles the exhaustive measurement beside the command, whose processes it starts, and runs it with the arguments given.
import { spawn } from 'node:child_process';
import { build } from 'esbuild';
import { FOR_NODE } from './run-bundled.mjs';

await build({ ...FOR_NODE, entryPoints: ['test/exhaustive/exhaustive.ts'], outdir: 'dist/cli' });
const measuring = spawn(process.execPath, ['dist/cli/exhaustive.mjs', ...process.argv.slice(2)], { stdio: 'inherit' });
// It ends in good order, and this process with it. Ctrl-C reaches both by itself; hearing it twice does no harm.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => measuring.kill(signal));
measuring.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
