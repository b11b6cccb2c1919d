/** The pages of `--pages`: those of the lab by name, and recipes from files, such as `plumbfox import-har` writes. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { PlumbfoxError } from '../core/errors.ts';
import type { PageRecipe } from '../lab/pages/page-recipe.ts';
import { findPage, PAGES } from '../lab/pages/pages.ts';
import { parseRecipe } from '../lab/pages/recipe-schema.ts';
import type { OtherPage } from '../lab/studies/study-with-pages.ts';
import { readInput } from './read-input.ts';

/** What ends so, or names a folder, is a file, there or not: no page of the lab has such a name. */
const isFile = (text: string): boolean =>
  /\.(json|har|har\.gz)$/i.test(text) || text.includes('/') || (existsSync(text) && !PAGES.some(({ name }) => name === text));

/** @throws PlumbfoxError `bad-input`, one line, for an unknown page, a file that holds no recipe, and two pages of one name. */
export function askedPages(texts: readonly string[]): readonly OtherPage[] {
  const pages = new Map<string, { readonly page: OtherPage; readonly from: string }>();
  for (const text of texts) {
    const page: OtherPage = isFile(text) ? { recipe: recipeIn(text), file: basename(text) } : { recipe: findPage(text) };
    const { name } = page.recipe;
    const known = pages.get(name);
    const rival = known?.from ?? (isFile(text) && PAGES.some((each) => each.name === name) ? 'the lab' : undefined);
    if (rival !== undefined)
      throw new PlumbfoxError('bad-input', `--pages: ${text} is named "${name}" like the page of ${rival}: change its "name"`);
    pages.set(name, { page, from: text });
  }
  return [...pages.values()].map(({ page }) => page);
}

function recipeIn(file: string): PageRecipe {
  try {
    return recipeOf(file, readInput(file).toString('utf8'));
  } catch (error) {
    if (!(error instanceof PlumbfoxError)) throw error;
    throw new PlumbfoxError(error.kind, `--pages: ${file}: ${withoutName(error.message, file)}`, { cause: error });
  }
}

const withoutName = (message: string, file: string): string => (message.startsWith(`${file} `) ? message.slice(file.length + 1) : message);

function recipeOf(file: string, text: string): PageRecipe {
  if (text.trim() === '') throw new PlumbfoxError('bad-input', 'is empty');
  const value = asJson(text);
  if (value === undefined) throw new PlumbfoxError('bad-input', `is not JSON; ${howToMake('FILE.har')}`);
  if (typeof value !== 'object' || value === null || !('resources' in value)) {
    const isHar = typeof value === 'object' && value !== null && 'log' in value;
    throw new PlumbfoxError(
      'bad-input',
      isHar ? `is a HAR, not yet a page recipe; ${howToMake(file)}` : `is not a page recipe; ${howToMake('FILE.har')}`,
    );
  }
  return parseRecipe(value);
}

const howToMake = (har: string): string => `plumbfox import-har ${har} --out recipe.json writes one`;

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
