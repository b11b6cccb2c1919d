/** The image page of "Pipelining: be afraid": 10 pictures of 150 kB on one server. */
import type { PageRecipe } from './page-recipe.ts';

export const images: PageRecipe = {
  name: 'images',
  title: 'Image page: 10 pictures of 150 kB, 1 server',
  documentBytes: 2000,
  documentServerMs: 10,
  resources: Array.from({ length: 10 }, (_, index) => ({
    name: `picture-${index}.png`,
    kind: 'image',
    bytes: 150_000,
    origin: 0,
    from: 'body',
    serverMs: 5,
  })),
};
