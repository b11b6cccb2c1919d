/** Pages that studies load besides the built-in ones. */
import { type PageRecipe, repeated, several } from './page-recipe.ts';

/** Our own choice. */
export const SEQUENCE_OBJECTS = 5;
/** The document is small and elsewhere: it must not warm the connection that is looked at. */
const DOCUMENT_BYTES = 1500;

/**
 * Objects of one size on a server of their own, so that with one connection per server (`c1-d1`) they come one after another over one
 * connection: its first request can be held against the later ones. Our own, after the survey of slow start that the study `warm-up` repeats
 * (100 values of 1 kB read over one connection); fewer objects, because a browser loads them anew many times.
 * @param bytes - Body bytes of each object.
 */
export function sequence({ name, bytes }: { readonly name: string; readonly bytes: number }): PageRecipe {
  return {
    name,
    title: `${SEQUENCE_OBJECTS} objects of ${bytes} bytes on a server of their own`,
    documentBytes: DOCUMENT_BYTES,
    resources: several('object-*.png', repeated([bytes], SEQUENCE_OBJECTS), { kind: 'image', origin: 1, from: 'body' }),
  };
}

/** With the document's server as many as a lane has addresses. */
export const MANY_ORIGINS = 11;

/** A small picture on each of eleven servers that no connection leads to yet: shows what opening connections ahead of need brings. Our own. */
export const manyOrigins: PageRecipe = {
  name: 'doors',
  title: `Many servers: ${MANY_ORIGINS} pictures of 1 kB on ${MANY_ORIGINS} servers`,
  documentBytes: 2000,
  resources: Array.from({ length: MANY_ORIGINS }, (_, index) => ({
    name: `door-${index}.png`,
    kind: 'image',
    bytes: 1024,
    origin: index + 1,
    from: 'body',
  })),
};

/** Name of the large object on its page. */
export const LARGE_OBJECT = 'large.png';

const MEGABYTE = 1_000_000;

/**
 * A page of one large object. It is a picture, which the load event waits for: a load is over when the network has been idle for a while
 * after that, and of what a script fetches nothing is heard before all of it is there.
 * @param megabytes - 1 MB is 1,000,000 bytes.
 */
function largeObject(megabytes: number): PageRecipe {
  return {
    name: `large-${megabytes}mb`,
    title: `One object of ${megabytes} MB, 1 server`,
    documentBytes: 1500,
    resources: [{ name: LARGE_OBJECT, kind: 'image', bytes: megabytes * MEGABYTE, origin: 0, from: 'body' }],
  };
}

/** The three sizes of the study `h2-large-objects`. */
export const large1mb: PageRecipe = largeObject(1);
export const large10mb: PageRecipe = largeObject(10);
export const large50mb: PageRecipe = largeObject(50);
