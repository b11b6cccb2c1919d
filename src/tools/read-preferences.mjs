// @ts-check
// Reads the catalogue's default values out of a build of Firefox, with `--firefox PATH`, and writes them where the catalogue takes them from.
import { build } from 'esbuild';
import { FOR_NODE, runBundled } from './run-bundled.mjs';

await build({ ...FOR_NODE, entryPoints: ['test/repo/support/read-preferences.ts'], outdir: 'dist/read-preferences' });
runBundled('dist/read-preferences/read-preferences.mjs');
