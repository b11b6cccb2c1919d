/** The pages of `--pages`: those of the lab by name, and recipes from files, such as `plumbfox import-har` writes. */
import { readFileSync } from 'node:fs';
import { PlumbfoxError } from '../core/errors.ts';
import type { LinkSpec } from '../lab/link/link-spec.ts';
import type { PageRecipe } from '../lab/pages/page-recipe.ts';
import { findPage, PAGES } from '../lab/pages/pages.ts';
import { parseRecipe } from '../lab/pages/recipe-schema.ts';
import { checkDataIsAwaited } from '../lab/run/quiet-window.ts';

/** What ends so, or names a folder, is a file: no page of the lab has such a name. */
const isFile = (text: string): boolean => text.endsWith('.json') || text.includes('/');

/**
 * @param links - What they are to be loaded over.
 * @throws PlumbfoxError `bad-input`, one line, for an unknown page, a file that holds no recipe, two pages of one name, and one whose data
 *   comes too late to be recorded.
 */
export function tunePages(texts: readonly string[], links: readonly LinkSpec[]): readonly PageRecipe[] {
  const pages = new Map<string, { readonly page: PageRecipe; readonly from: string }>();
  for (const text of texts) {
    const page = isFile(text) ? recipeIn(text) : findPage(text);
    const known = pages.get(page.name);
    const rival = known?.from ?? (isFile(text) && PAGES.some(({ name }) => name === page.name) ? 'the lab' : undefined);
    if (rival !== undefined) {
      throw new PlumbfoxError('bad-input', `--pages: ${text} is named "${page.name}" like the page of ${rival}: change its "name"`);
    }
    pages.set(page.name, { page, from: text });
  }
  const found = [...pages.values()].map(({ page }) => page);
  checkDataIsAwaited(found, links);
  return found;
}

/** Pages that servers do not know unless they are told. */
export const ownPages = (pages: readonly PageRecipe[]): readonly PageRecipe[] => pages.filter((page) => !PAGES.includes(page));

function recipeIn(file: string): PageRecipe {
  try {
    return parseRecipe(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new PlumbfoxError('bad-input', `--pages: ${file}: ${complaint(error)}`, { cause: error });
  }
}

function complaint(error: unknown): string {
  if (error instanceof PlumbfoxError) return error.message;
  if (error instanceof SyntaxError) return 'is no JSON; plumbfox import-har FILE.har --out recipe.json writes a recipe';
  return `cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`;
}
