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

/**
 * The image page of "Pipelining: be afraid" as its graphs have it. Its text says pictures of about 150 kb; its time-sequence graphs reach
 * 80,000 bytes on the connection that carried five of them, which is about 16 kB each (150 kilobits are 18.75 kB).
 */
export const imagesSmall: PageRecipe = {
  ...images,
  name: 'images-16k',
  title: 'Image page: 10 pictures of 16 kB, 1 server',
  resources: images.resources.map((picture) => ({ ...picture, bytes: 16_000 })),
};
