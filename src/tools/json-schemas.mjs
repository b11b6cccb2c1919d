// @ts-check
// Writes the schemas in assets from the run-time schemas, so that other tools can check a report, or a file of profiles, without Plumbfox.
// With --check it writes nothing and exits 1 when a file is not in step (test/repo/json-schemas.test.ts).
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { toJsonSchema } from '@valibot/to-json-schema';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));

const SCHEMAS = [
  { file: 'report.schema.json', title: 'Plumbfox report', module: 'src/core/report/report.ts', name: 'reportSchema' },
  {
    file: 'profiles.schema.json',
    title: 'Plumbfox profiles',
    module: 'src/core/profiles/files/profiles-json.ts',
    name: 'profilesFileSchema',
  },
];

for (const { file, title, module, name } of SCHEMAS) {
  const target = `${root}assets/${file}`;
  const text = formatted(file, JSON.stringify(jsonSchema(title, await exported(module, name))));
  if (!process.argv.includes('--check')) await writeFile(target, text);
  else if ((await readFile(target, 'utf8')) !== text) {
    console.error(`assets/${file} is not in step: node src/tools/json-schemas.mjs`);
    process.exit(1);
  }
}

/**
 * @param {string} module
 * @param {string} name
 */
async function exported(module, name) {
  const bundle = await build({
    entryPoints: [`${root}${module}`],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  });
  const [output] = bundle.outputFiles;
  if (output === undefined) throw new Error(`esbuild gave no output for ${module}`);
  return (await import(`data:text/javascript;base64,${Buffer.from(output.text).toString('base64')}`))[name];
}

/**
 * @param {string} title
 * @param {Parameters<typeof toJsonSchema>[0]} shape
 */
function jsonSchema(title, shape) {
  // `ignoreActions`: JSON Schema has no word for "finite", and every JSON number is; nor for a unit, which only the compiler knows.
  const { $schema, ...schema } = toJsonSchema(shape, { ignoreActions: ['finite', 'brand'], target: 'draft-2020-12' });
  return { $schema, title, ...schema };
}

/**
 * As the repository formats JSON, or `npm run fix` would take it out of step.
 * @param {string} file
 * @param {string} json
 */
function formatted(file, json) {
  const biome = spawnSync('node_modules/.bin/biome', ['format', `--stdin-file-path=${file}`], { cwd: root, input: `${json}\n` });
  if (biome.status !== 0) throw new Error(`biome format: ${biome.stderr}`);
  return biome.stdout.toString();
}
