/** Many small pictures that the server holds back: shows how many requests a browser really has outstanding. */
import type { PageRecipe } from './page-recipe.ts';

export const hold: PageRecipe = {
  name: 'hold',
  title: 'Probe: 24 pictures held back for 80 ms, 1 server',
  documentBytes: 4000,
  resources: Array.from({ length: 24 }, (_, index) => ({
    name: `held-${index}.png`,
    kind: 'image',
    bytes: 500,
    origin: 0,
    from: 'body',
    serverMs: 80,
  })),
};
