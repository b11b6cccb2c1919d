// @ts-check
// Licences of the packages that are bundled into what we hand out: their texts, to lie beside it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @type {(source: string) => string | undefined} The package of a bundled file, by its path from the root of the repository. */
const packageOf = (source) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1];

/** @type {(sources: Iterable<string>) => string[]} */
export const bundledPackages = (sources) => [...new Set([...sources].flatMap((source) => packageOf(source) ?? []))].sort();

/**
 * @param {string} root of the repository
 * @param {Iterable<string>} sources paths of bundled files from there
 * @returns {string}
 */
export function thirdPartyText(root, sources) {
  return bundledPackages(sources)
    .map((name) => {
      const folder = join(root, 'node_modules', name);
      const { version, license, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = readdirSync(folder).find((each) => /^licen[cs]e(\.(md|txt))?$/i.test(each));
      if (file === undefined) throw new Error(`${name} has no licence text, so it cannot be bundled`);
      const text = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
      // The MPL asks that whoever gets the package learns where its source is (3.2).
      const source = license.startsWith('MPL') ? `Source: ${repository.url.replace(/^git\+|\.git$/g, '')}\n\n` : '';
      return `${name} ${version} (${license})\n\n${source}${text}\n`;
    })
    .join('\n----\n\n');
}
