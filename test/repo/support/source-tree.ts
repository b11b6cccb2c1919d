/** The repository's own files, as every repository test reads them: what is built, installed or measured is left out. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Tests run from the repository's root (Vitest's `root`). */
export const ROOT = process.cwd();

const NOT_OURS = new Set(['node_modules', 'dist', '.git', 'plumbfox-results', '.cache', '.vscode', '.idea']);

/** Paths relative to the root, with forward slashes, sorted. */
export function filesUnder(folder: string, extensions?: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    // `.git` is a file in a further work tree.
    if (NOT_OURS.has(entry.name)) continue;
    if (entry.isDirectory()) {
      found.push(...filesUnder(path, extensions));
    } else if (!entry.name.endsWith('.tsbuildinfo') && (extensions?.some((extension) => entry.name.endsWith(extension)) ?? true)) {
      found.push(path);
    }
  }
  return found.toSorted();
}

export const foldersOf = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();

export const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

export const jsonOf = (path: string): unknown => JSON.parse(textOf(path));

/** What a module imports, statically or not: `./x.ts`, `node:fs`, `valibot`. */
export const importsOf = (path: string): readonly string[] =>
  [...textOf(path).matchAll(/^(?:import|export|\}).*?\bfrom '([^']+)';$|\bimport\(\s*'([^']+)'|^import '([^']+)';$/gm)].flatMap(
    ([, from, dynamic, bare]) => from ?? dynamic ?? bare ?? [],
  );

/** Rows of the first Markdown table below a heading, without its header; cells trimmed, backticks removed. */
export function tableBelow(path: string, heading: string): readonly (readonly string[])[] {
  const lines = textOf(path).split('\n');
  const at = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading);
  if (at < 0) throw new Error(`${path} has no heading "${heading}"`);
  const rest = lines.slice(at + 1);
  const next = rest.findIndex((line) => /^#+ /.test(line));
  const section = rest.slice(0, next < 0 ? rest.length : next);
  const rows = section.filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}
