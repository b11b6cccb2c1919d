/** Pages of one large object each: a script fetches it and reads all of it, as a download or a video segment is. Sizes as the study has them. */
import type { PageRecipe } from './page-recipe.ts';

/** Name of the large object on its page. */
export const LARGE_OBJECT = 'large.bin';

const MEGABYTE = 1_000_000;

/** @param megabytes - 1 MB is 1,000,000 bytes. */
function largeObject(megabytes: number): PageRecipe {
  return {
    name: `large-${megabytes}mb`,
    title: `One object of ${megabytes} MB, fetched by a script, 1 server`,
    documentBytes: 1500,
    resources: [
      { name: 'fetch.js', kind: 'script', bytes: 600, origin: 0, from: 'body' },
      { name: LARGE_OBJECT, kind: 'fetch', bytes: megabytes * MEGABYTE, origin: 0, from: { script: 'fetch.js' } },
    ],
  };
}

export const large1mb: PageRecipe = largeObject(1);
export const large10mb: PageRecipe = largeObject(10);
export const large50mb: PageRecipe = largeObject(50);
