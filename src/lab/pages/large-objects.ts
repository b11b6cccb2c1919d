/**
 * Pages of one large object each. It is a picture, which the load event waits for: a load is over when the network has been quiet for a while
 * after that, and of what a script fetches nothing is heard before all of it is there. Sizes as the study has them.
 */
import type { PageRecipe } from './page-recipe.ts';

/** Name of the large object on its page. */
export const LARGE_OBJECT = 'large.png';

const MEGABYTE = 1_000_000;

/** @param megabytes - 1 MB is 1,000,000 bytes. */
function largeObject(megabytes: number): PageRecipe {
  return {
    name: `large-${megabytes}mb`,
    title: `One object of ${megabytes} MB, 1 server`,
    documentBytes: 1500,
    resources: [{ name: LARGE_OBJECT, kind: 'image', bytes: megabytes * MEGABYTE, origin: 0, from: 'body' }],
  };
}

/** The three sizes; 1 MB is a million bytes. */
export const large1mb: PageRecipe = largeObject(1);
export const large10mb: PageRecipe = largeObject(10);
export const large50mb: PageRecipe = largeObject(50);
