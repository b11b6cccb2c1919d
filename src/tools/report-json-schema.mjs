// @ts-check
// Writes assets/report.schema.json from the run-time schema, so that other tools can check a report without Plumbfox.
// With --check it writes nothing and exits 1 when the file is not in step (test/repo/report-schema.test.ts).
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { toJsonSchema } from '@valibot/to-json-schema';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));
const target = `${root}assets/report.schema.json`;

const bundle = await build({
  entryPoints: [`${root}src/core/report/report.ts`],
  bundle: true,
  write: false,
  platform: 'node',
  format: 'esm',
  logLevel: 'warning',
});
const [output] = bundle.outputFiles;
if (output === undefined) throw new Error('esbuild gave no output for report.ts');
const { reportSchema } = await import(`data:text/javascript;base64,${Buffer.from(output.text).toString('base64')}`);

// `ignoreActions`: JSON Schema has no word for "finite", and every JSON number is; nor for a unit, which only the compiler knows.
const { $schema, ...schema } = toJsonSchema(reportSchema, { ignoreActions: ['finite', 'brand'], target: 'draft-2020-12' });
const text = formatted(`${JSON.stringify({ $schema, title: 'Plumbfox report', ...schema })}\n`);

if (process.argv.includes('--check')) {
  if ((await readFile(target, 'utf8')) !== text) {
    console.error('assets/report.schema.json is not in step: node src/tools/report-json-schema.mjs');
    process.exit(1);
  }
} else {
  await writeFile(target, text);
}

/**
 * As the repository formats JSON, or `npm run fix` would take it out of step.
 * @param {string} json
 */
function formatted(json) {
  const biome = spawnSync('node_modules/.bin/biome', ['format', '--stdin-file-path=report.schema.json'], { cwd: root, input: json });
  if (biome.status !== 0) throw new Error(`biome format: ${biome.stderr}`);
  return biome.stdout.toString();
}
