/** A small picture on each of eleven servers that no connection leads to yet: shows what opening connections ahead of need brings. Our own. */
import type { PageRecipe } from './page-recipe.ts';

/** With the document's server as many as a lane has addresses. */
export const DOORS = 11;

export const doors: PageRecipe = {
  name: 'doors',
  title: `Doors: ${DOORS} pictures of 1 kB on ${DOORS} servers`,
  documentBytes: 2000,
  resources: Array.from({ length: DOORS }, (_, index) => ({
    name: `door-${index}.png`,
    kind: 'image',
    bytes: 1024,
    origin: index + 1,
    from: 'body',
  })),
};
