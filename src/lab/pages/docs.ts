/**
 * A page of documentation: 25 requests to one server, as generators of documentation make them: a long document, two style sheets,
 * a few scripts, two fonts (sizes of WOFF2 subsets: 22 to 25 kB in a recorded page of the Filament Group), figures. Content is generated.
 */
import type { PageRecipe, RecipeResource } from './page-recipe.ts';

const FIGURE_BYTES = [4200, 2600, 6800, 3100, 5400, 1900, 7300, 2800, 3900, 2200, 4700, 1600, 3300, 2400];

const figures: readonly RecipeResource[] = FIGURE_BYTES.map((bytes, index) => ({
  name: `figure-${index}.png`,
  kind: 'image',
  bytes,
  origin: 0,
  from: 'body',
  serverMs: 3,
}));

export const docs: PageRecipe = {
  name: 'docs',
  title: 'Page of documentation: 25 requests, 1 server',
  documentBytes: 41_000,
  documentServerMs: 15,
  resources: [
    { name: 'theme.css', kind: 'stylesheet', bytes: 19_000, origin: 0, from: 'head', serverMs: 3 },
    { name: 'code.css', kind: 'stylesheet', bytes: 3600, origin: 0, from: 'head', serverMs: 3 },
    { name: 'text.woff2', kind: 'font', bytes: 23_400, origin: 0, from: 'head', serverMs: 3 },
    { name: 'code.woff2', kind: 'font', bytes: 17_200, origin: 0, from: 'head', serverMs: 3 },
    { name: 'theme.js', kind: 'script', bytes: 6900, origin: 0, from: 'head', serverMs: 3 },
    ...figures,
    { name: 'contents.js', kind: 'script', bytes: 8300, origin: 0, from: 'body', serverMs: 3 },
    { name: 'search.js', kind: 'script', bytes: 27_000, origin: 0, from: 'body', serverMs: 3 },
    { name: 'copy.js', kind: 'script', bytes: 2500, origin: 0, from: 'body', serverMs: 3 },
    { name: 'anchor.png', kind: 'image', bytes: 640, origin: 0, from: { stylesheet: 'theme.css' }, serverMs: 3 },
    { name: 'note.png', kind: 'image', bytes: 980, origin: 0, from: { stylesheet: 'theme.css' }, serverMs: 3 },
  ],
};
