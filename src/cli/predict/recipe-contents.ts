/** What a page recipe, as `plumbfox import-har` writes one, holds for a prediction: one page as the lab serves it, and no link. */

import { recipeGraph } from '../../lab/pages/recipe-graph.ts';
import { parseRecipe } from '../../lab/pages/recipe-schema.ts';
import type { PredictContents } from './contents.ts';

/** @param file - As it was named: `tune --pages` takes it too. @throws PlumbfoxError `bad-input`, one line. */
export function recipeContents(json: unknown, file: string): PredictContents {
  const recipe = parseRecipe(json);
  return {
    pages: [{ name: recipe.name, page: recipeGraph(recipe), inferred: [] }],
    links: [],
    labPages: [{ page: recipe.name, asked: file }],
    recorded: [],
    notes: ['A recipe is predicted as the lab serves it: over plain HTTP/1.1.'],
    linkNotes: [],
  };
}
