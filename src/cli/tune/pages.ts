/** The pages that `tune` measures. */
import type { LinkSpec } from '../../lab/link/link-spec.ts';
import type { PageRecipe } from '../../lab/pages/page-recipe.ts';
import { PAGES } from '../../lab/pages/pages.ts';
import { checkDataIsAwaited } from '../../lab/run/network-idle.ts';
import { askedPages } from '../asked-pages.ts';

/**
 * @param links - What they are to be loaded over.
 * @throws PlumbfoxError `bad-input`, one line, as `askedPages` does, and for a page whose data comes too late to be recorded.
 */
export function tunePages(texts: readonly string[], links: readonly LinkSpec[]): readonly PageRecipe[] {
  const found = askedPages(texts).map(({ recipe }) => recipe);
  checkDataIsAwaited(found, links);
  return found;
}

/** Pages that servers do not know unless they are told. */
export const ownPages = (pages: readonly PageRecipe[]): readonly PageRecipe[] => pages.filter((page) => !PAGES.includes(page));
