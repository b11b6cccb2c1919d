/**
 * What other folders of src use has a docstring. The one at the head of a file is that of what the file is named for, and of its only export or
 * its only function; one above several lines without a blank one is that of them all; a type may say it of its members.
 */
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { filesUnder, textOf } from './support/source-tree.ts';

interface Exported {
  readonly kind: string;
  readonly name: string;
  /** Index of its first line. */
  readonly at: number;
}

const EXPORT = /^export (?:async )?(function\*?|class|const|interface|type) (\w+)/;
/** Made of a schema, a list or another type, which has the docstring. */
const DERIVED = /v\.Infer(Output|Input)|Shape<typeof |\(typeof [A-Z_]+\)\[number\]|= keyof typeof|= \w+(\['\w+'\])+(\[number\])?;/;
const ENDS_COMMENT = /\*\/\s*$/;

/** Of a function with several signatures the first, which has the docstring. */
function exportsOf(lines: readonly string[]): readonly Exported[] {
  const found = new Map<string, Exported>();
  for (const [at, line] of lines.entries()) {
    const [, kind, name] = EXPORT.exec(line) ?? [];
    if (kind !== undefined && name !== undefined && !found.has(`${kind} ${name}`)) found.set(`${kind} ${name}`, { kind, name, at });
  }
  return [...found.values()];
}

/** The docstring of a shape is that of the type which is inferred from its schema. */
function isSaidByType({ kind, name }: Exported, lines: readonly string[]): boolean {
  const at = kind === 'const' ? lines.findIndex((line) => line.endsWith(`= Shape<typeof ${name}>;`)) : -1;
  return at >= 0 && ENDS_COMMENT.test(lines[at - 1] ?? '');
}

/** A declaration of one line hands on the docstring above it. */
function hasDocstring(lines: readonly string[], at: number): boolean {
  const above = lines[at - 1] ?? '';
  if (ENDS_COMMENT.test(above)) return true;
  return /^(?:export )?(?:const|type) .*;$/.test(above) && hasDocstring(lines, at - 1);
}

const isFunction = ({ kind, at }: Exported, lines: readonly string[]): boolean =>
  /^(function|class)/.test(kind) || (kind === 'const' && /=>|\($/.test(lines[at] ?? ''));

/** `page-graph.ts` is named for `PageGraph` and for `pageGraph`. */
const isNamedFor = (path: string, { name }: Exported): boolean => basename(path, '.ts').replaceAll('-', '') === name.toLowerCase();

function saysItInside({ kind, at }: Exported, lines: readonly string[]): boolean {
  if (kind !== 'interface' && kind !== 'type') return false;
  if (DERIVED.test(`${lines[at]}${lines[at + 1] ?? ''}`)) return true;
  const length = lines.slice(at + 1).findIndex((line) => /^\S/.test(line) && !line.startsWith('|'));
  return lines.slice(at + 1, length < 0 ? undefined : at + 1 + length).some((line) => line.includes('/**'));
}

const IMPORT = /^(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']+)';$/gm;

/** Names that each file gives to other folders, by its path. What `index.ts` hands on counts as given. */
function givenToOtherFolders(files: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const given = new Map<string, Set<string>>();
  for (const path of files) {
    for (const [, names = '', from = ''] of textOf(path).matchAll(IMPORT)) {
      const source = join(dirname(path), from);
      if (dirname(source) === dirname(path) && basename(path) !== 'index.ts') continue;
      const known = given.get(source) ?? new Set();
      for (const name of names.split(','))
        known.add(
          name
            .trim()
            .replace(/^type /, '')
            .replace(/ as .*/, ''),
        );
      given.set(source, known);
    }
  }
  return given;
}

function undocumented(path: string, text: string, given?: ReadonlySet<string>): readonly string[] {
  const lines = text.split('\n');
  const all = exportsOf(lines);
  const functions = all.filter((one) => isFunction(one, lines));
  const isOfHead = (one: Exported) =>
    lines[0]?.startsWith('/**') && (all.length === 1 || isNamedFor(path, one) || (functions.length === 1 && functions[0] === one));
  return all
    .filter(({ name }) => given?.has(name) ?? true)
    .filter((one) => !hasDocstring(lines, one.at) && !isOfHead(one) && !saysItInside(one, lines) && !isSaidByType(one, lines))
    .map(({ name, at }) => `${path}:${at + 1} ${name}`);
}

it('what other folders use has a docstring', () => {
  const files = filesUnder('src', ['.ts']).filter((path) => !path.endsWith('.d.ts'));
  const given = givenToOtherFolders(files);
  expect([...given.values()].reduce((sum, { size }) => sum + size, 0)).toBeGreaterThan(800);
  expect(files.flatMap((path) => undocumented(path, textOf(path), given.get(path) ?? new Set()))).toEqual([]);
});

/** A sentence has a subject. */
const FRAGMENT = /\/\*\*(?: |\n\s*\* )(?:Of|To|As|By)\b/g;

it('docstrings are sentences, not fragments', () => {
  const found = filesUnder('src', ['.ts']).flatMap((path) => [...textOf(path).matchAll(FRAGMENT)].map(() => path));
  expect(found).toEqual([]);
});

it.each([
  ['a second function', '/** Head. */\nexport function one() {}\n\nexport function two() {}\n', ['src/one.ts:4 two']],
  ['a file without a head', 'export const one = 1;\n', ['src/one.ts:1 one']],
  [
    'a type that says nothing of its members',
    '/** Head. */\nexport const one = 1;\n\nexport interface Two {\n  a: 1;\n}\n',
    ['src/one.ts:4 Two'],
  ],
  ['lines under one docstring', '/** Head. */\n\n/** Both. */\nexport const a = 1;\nexport const b = 2;\n', []],
  [
    'a schema whose type has a docstring',
    '/** Head. */\n\nexport const a = v.object({});\n/** Its shape. */\nexport type A = Shape<typeof a>;\n',
    [],
  ],
  ['lines under none', '/** Head. */\n\nexport const a = 1;\nexport const b = 2;\n', ['src/one.ts:3 a', 'src/one.ts:4 b']],
])('finds %s', (_, text, expected) => {
  expect(undocumented('src/one.ts', text)).toEqual(expected);
});
