/**
 * A gallery: 60 requests to 2 servers, 55 of them thumbnails of 8 to 22 kB from a server of their own, as photo sites have them.
 * Of the page itself there is little. Content is generated.
 */
import type { PageRecipe, RecipeResource } from './page-recipe.ts';

const SITE = 0;
const THUMBNAILS = 1;

/** Repeated to the number of thumbnails: JPEGs of 240 pixels vary about so much. */
const THUMBNAIL_BYTES = [14_200, 11_300, 17_800, 9400, 13_100, 21_600, 8200, 15_900, 12_400, 10_700, 18_300];
const THUMBNAIL_COUNT = 55;

const thumbnails: readonly RecipeResource[] = Array.from({ length: THUMBNAIL_COUNT }, (_, index) => ({
  name: `photo-${index}.png`,
  kind: 'image',
  bytes: THUMBNAIL_BYTES[index % THUMBNAIL_BYTES.length] ?? 0,
  origin: THUMBNAILS,
  from: 'body',
  serverMs: 6,
}));

export const gallery: PageRecipe = {
  name: 'gallery',
  title: 'Picture gallery: 60 requests, 2 servers',
  documentBytes: 14_000,
  documentServerMs: 30,
  resources: [
    { name: 'gallery.css', kind: 'stylesheet', bytes: 9600, origin: SITE, from: 'head', serverMs: 4 },
    { name: 'gallery.js', kind: 'script', bytes: 24_000, origin: SITE, from: 'head', serverMs: 4 },
    ...thumbnails,
    { name: 'slides.js', kind: 'script', bytes: 16_500, origin: SITE, from: 'body', serverMs: 4 },
    { name: 'background.png', kind: 'image', bytes: 4300, origin: SITE, from: { stylesheet: 'gallery.css' }, serverMs: 4 },
  ],
};
