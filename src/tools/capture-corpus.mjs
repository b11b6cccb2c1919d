// @ts-check
// Bundles the capture of the accuracy corpus beside the command, whose processes it starts, and runs it with the arguments given.
import { spawn } from 'node:child_process';
import { build } from 'esbuild';
import { FOR_NODE } from './run-bundled.mjs';

await build({ ...FOR_NODE, entryPoints: ['test/accuracy/corpus/capture-corpus.ts'], outdir: 'dist/cli' });
const capture = spawn(process.execPath, ['dist/cli/capture-corpus.mjs', ...process.argv.slice(2)], { stdio: 'inherit' });
// The capture ends in good order, and this process with it. Ctrl-C reaches both by itself; hearing it twice does no harm.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => capture.kill(signal));
capture.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
