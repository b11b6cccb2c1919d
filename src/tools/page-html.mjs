// @ts-check
// The HTML of the extension's pages, with what several of them have: `<!-- include NAME slot="value" -->` stands for src/views/html/NAME.html, in
// which {slot} is what the page gives.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SHARED = join('src', 'views', 'html');
const INCLUDE = /^( *)<!-- include (\w+)(.*?) -->/gms;
const GIVEN = /(\w+)=(?:"([^"]*)"|'([^']*)')/g;

/** @type {(root: string) => string[]} The pages of the extension. */
export const pagesOf = (root) =>
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => join('src', path))
    .filter((path) => path.endsWith('.html') && !path.startsWith(SHARED))
    .map((path) => join(root, path));

/** @type {(root: string, path: string) => string} A page as it is in the package. @throws Error where a page gives not what it includes asks for. */
export function pageHtml(root, path) {
  return readFileSync(path, 'utf8').replaceAll(INCLUDE, (_, indent, name, given) => {
    const values = new Map([...given.matchAll(GIVEN)].map(([, slot, ...[one, other]]) => [slot, one ?? other]));
    const used = new Set();
    const html = readFileSync(join(root, SHARED, `${name}.html`), 'utf8').replaceAll(/\{(\w+)\}/g, (_, slot) => {
      if (!values.has(slot)) throw new Error(`${path} includes ${name} without ${slot}`);
      used.add(slot);
      return values.get(slot) ?? '';
    });
    const unused = [...values.keys()].filter((slot) => !used.has(slot));
    if (unused.length > 0) throw new Error(`${path} gives ${name} what it has no place for: ${unused.join(', ')}`);
    return html.trimEnd().replaceAll(/^(?=.)/gm, indent);
  });
}
