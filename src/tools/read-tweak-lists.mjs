// @ts-check
// Reads what builds of Firefox have of the names in test/fixtures/tweak-lists, `--firefox OLDER --firefox NEWER`, and which names the newer has no more.
import { build } from 'esbuild';
import { FOR_NODE, runBundled } from './run-bundled.mjs';

await build({ ...FOR_NODE, entryPoints: ['test/repo/support/read-tweak-lists.ts'], outdir: 'dist/read-tweak-lists' });
runBundled('dist/read-tweak-lists/read-tweak-lists.mjs');
