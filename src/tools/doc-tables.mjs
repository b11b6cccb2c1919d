// @ts-check
// Writes what the docs say of the code between marks: help, links, studies, JSON documents (test/repo/generated-docs.test.ts holds them in step).
import { build } from 'esbuild';
import { FOR_NODE, runBundled } from './run-bundled.mjs';
import { studiesForEsbuild } from './studies-module.mjs';

await build({ ...FOR_NODE, entryPoints: ['test/repo/support/write-generated-docs.ts'], outdir: 'dist/docs', plugins: [studiesForEsbuild] });
runBundled('dist/docs/write-generated-docs.mjs');
