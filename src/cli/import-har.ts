/** `plumbfox import-har`: a recorded page load as a page recipe of the lab. */

import { basename } from 'node:path';
import type { ParseArgsConfig } from 'node:util';
import { PlumbfoxError } from '../core/errors.ts';
import type { InferredField } from '../core/graph/inference.ts';
import { counted } from '../core/text/figures.ts';
import { wrapped } from '../core/text/text-table.ts';
import { type ImportedPage, importHar } from '../lab/pages/import-har.ts';
import { bodyBytes } from '../lab/pages/page-recipe.ts';
import { nonEmpty, readArguments } from './arguments.ts';
import { EXIT_CODES, naming } from './errors.ts';
import { writeNewFile } from './files.ts';
import { jsonText, print, terminalWidth } from './output/terminal.ts';
import { readJsonFile } from './predict/source.ts';

const DEFAULT_NAME = 'imported';

export const IMPORT_HAR_HELP = `plumbfox import-har: turns a page load saved as HAR into a page recipe of the lab

  plumbfox import-har FILE.har [--out recipe.json] [--name NAME] [--page ID]

  --out FILE   write the recipe to FILE, which must not exist yet (default: print it; remarks go to stderr)
  --name NAME  name of the page: letters, digits, dots, dashes and underscores (default: ${DEFAULT_NAME})
  --page ID    page of a HAR with several (default: the first that has requests)

The recipe keeps sizes, servers by number with their protocols, kinds of content, and which resource requests which.
No address, title or content of the HAR gets into it. The remarks say what had to be changed. FILE may be gzipped.

exit codes: 0 done, 1 internal error, 2 bad arguments or input, or a file that cannot be written,
            3 the output cannot be written
`;

/** The pattern of the recipe schema. */
const NAME = /^[A-Za-z0-9._-]{1,120}$/;
const OPTIONS = {
  out: { type: 'string' },
  name: { type: 'string' },
  page: { type: 'string' },
} as const satisfies ParseArgsConfig['options'];

interface ImportHarArguments {
  readonly file: string;
  readonly out: string | undefined;
  readonly name: string;
  readonly pageId: string | undefined;
  readonly help: boolean;
}

export async function importHarCommand(args: readonly string[]): Promise<number> {
  const options = parseImportHarArguments(args);
  if (options.help) return print(IMPORT_HAR_HELP);
  const { file, name, pageId } = options;
  const har = await readJsonFile(file);
  const imported = naming(file, () => importHar(har, { name, pageId }));
  const json = jsonText(imported.recipe);
  const remarks = remarksOn(imported, options);
  if (options.out === undefined) {
    process.stdout.write(json);
    process.stderr.write(remarks);
  } else {
    await writeNewFile('--out', options.out, json);
    process.stdout.write(`${remarks}Written: ${options.out}\n`);
  }
  return EXIT_CODES.done;
}

export function parseImportHarArguments(args: readonly string[]): ImportHarArguments {
  const { values, positionals } = parse(args);
  const help = values.help ?? false;
  const [file = '', ...others] = positionals;
  if (!help && (file.trim() === '' || others.length > 0)) {
    throw new PlumbfoxError('bad-input', 'Name one file: plumbfox import-har FILE.har');
  }
  const name = values.name ?? DEFAULT_NAME;
  if (!NAME.test(name)) throw new PlumbfoxError('bad-input', '--name takes 1 to 120 letters, digits, dots, dashes and underscores');
  return { file, out: nonEmpty(values.out, '--out'), name, pageId: nonEmpty(values.page, '--page'), help };
}

/** A recipe says nothing of these: they are the lab's to choose. */
const OF_THE_NETWORK: ReadonlySet<InferredField> = new Set(['protocols', 'link', 'request-sizes']);

function remarksOn({ recipe, changes, inferred }: ImportedPage, { file }: ImportHarArguments): string {
  const width = terminalWidth();
  const what = `${basename(file)} as page "${recipe.name}": ${recipe.title.replace(/^.*: /, '')}, ${Math.round(bodyBytes(recipe) / 1000)} kB of bodies.`;
  const assumed = inferred
    .filter(({ field }) => !OF_THE_NETWORK.has(field))
    .map(({ requests, rule }) => `${counted(requests, 'request')}: ${rule}.`);
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => wrapped(`- ${line}`, width))];
  return `${[wrapped(what, width), ...section('Changed', changes), ...section('Assumed', assumed)].join('\n')}\n`;
}

const parse = (args: readonly string[]) => readArguments('import-har', args, OPTIONS);
