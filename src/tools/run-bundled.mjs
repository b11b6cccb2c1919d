// @ts-check
// Bundles TypeScript for Node, and runs what came of it with the arguments given to this process.
import { spawnSync } from 'node:child_process';
import { build } from 'esbuild';

/** @type {import('esbuild').BuildOptions} Packages stay outside, as Node finds them itself. */
export const FOR_NODE = {
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
};

/**
 * Sets the exit code of this process to that of the program.
 * @param {string} program path of a module that was bundled
 */
export function runBundled(program) {
  const { status } = spawnSync(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

/**
 * @param {string} outdir
 * @param {readonly [string, ...string[]]} entryPoints the first is run; the others lie beside it
 */
export async function bundleAndRun(outdir, entryPoints) {
  await build({ ...FOR_NODE, entryPoints: [...entryPoints], outdir });
  const name = entryPoints[0].replace(/^.*\//, '').replace(/\.ts$/, '.mjs');
  runBundled(`${outdir}/${name}`);
}
