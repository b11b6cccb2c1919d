/**
 * Objects of one size on a server of their own, so that with one connection per server (`c1-d1`) they come one after another over one
 * connection: its first request can be held against the later ones. Our own, after the survey of slow start that the study `warm-up` repeats
 * (100 values of 1 kB read over one connection); fewer objects, because a browser loads them anew many times.
 */
import type { PageRecipe } from './page-recipe.ts';

/** Our own choice; see above. */
export const SEQUENCE_OBJECTS = 5;
/** The document is small and elsewhere: it must not warm the connection that is looked at. */
const DOCUMENT_BYTES = 1500;

/** @param bytes - Body bytes of each object. */
export function sequence({ name, bytes }: { readonly name: string; readonly bytes: number }): PageRecipe {
  return {
    name,
    title: `${SEQUENCE_OBJECTS} objects of ${bytes} bytes on a server of their own`,
    documentBytes: DOCUMENT_BYTES,
    resources: Array.from({ length: SEQUENCE_OBJECTS }, (_, index) => ({
      name: `object-${index}.png`,
      kind: 'image',
      bytes,
      origin: 1,
      from: 'body',
    })),
  };
}
