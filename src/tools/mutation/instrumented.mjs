// @ts-check
// All mutants of some files, by Stryker's own instrumenter: it puts them into the code at once, and a variable activates one.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * @typedef {{ id: string, fileName: string, location: { start: { line: number, column: number }, end: { line: number, column: number } },
 *   mutatorName: string, replacement: string }} Mutant
 */

/**
 * @param {ReadonlyMap<string, string>} sources by path
 * @returns {Promise<{ code: ReadonlyMap<string, string>, mutants: readonly Mutant[] }>}
 */
export async function instrumented(sources) {
  const { Instrumenter } = await import(
    pathToFileURL(resolve('.cache/mutation/node_modules/@stryker-mutator/instrumenter/dist/src/index.js')).href
  );
  const quiet = () => false;
  const { files, mutants } = await new Instrumenter({ debug: quiet, info: quiet, warn: quiet, isDebugEnabled: quiet }).instrument(
    [...sources].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: [], excludedMutations: [], ignorers: [] },
  );
  return { code: new Map(files.map((/** @type {{ name: string, content: string }} */ { name, content }) => [name, content])), mutants };
}
