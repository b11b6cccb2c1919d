/** Pages that studies load besides the built-in ones. */
import { mean } from '../../core/stats/mean.ts';
import { bodyBytes, type PageRecipe, repeated, several } from './page-recipe.ts';
import { findPage } from './pages.ts';
import { asSent } from './recipe-graph.ts';

/** Chosen, not measured. */
export const SEQUENCE_OBJECTS = 5;
/** The document is small and elsewhere: it must not warm the connection that is looked at. */
const DOCUMENT_BYTES = 1500;

/**
 * Objects of one size on their own server, so that with one connection per server (`c1-d1`) they come one after another over one
 * connection: its first request can be compared with the later ones. Our own, after the survey of slow start that the study `warm-up` repeats
 * (100 values of 1 kB read over one connection); fewer objects, because a browser loads them again many times.
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

/** Together with the document's, as many servers as a lane has addresses. */
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
 * after that, and what a script fetches is not seen before all of it is there.
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

interface WeightOptions {
  /** The recipe's own unless given. */
  readonly name?: string;
  /** Body sizes are multiplied by it; > 0. */
  readonly factor: number;
}

/**
 * The same page, lighter or heavier. Nothing gets smaller than what it has to hold: the document its tags, a style sheet its rules, a script
 * its requests, an image enough bytes to decode. So the page may come out a little heavier than the factor says; the sizes of the recipe are
 * those that are sent.
 */
export function atWeight(recipe: PageRecipe, { name = recipe.name, factor }: WeightOptions): PageRecipe {
  return asSent({
    ...recipe,
    name,
    title: factor === 1 ? recipe.title : `${recipe.title}; bodies times ${Number(factor.toPrecision(2))}`,
    documentBytes: Math.round(recipe.documentBytes * factor),
    resources: recipe.resources.map((resource) => ({ ...resource, bytes: Math.round(resource.bytes * factor) })),
  });
}

/**
 * Mean body bytes of a page of 2008; 1 kB is 1,000 bytes. The average page then had 312 kB and 49.9 objects (A. King, "Average Web Page Size
 * Triples Since 2003", websiteoptimization.com/speed/tweak/average-web-page/, from Flinn and Betcher's sample of March 2008).
 */
export const AVERAGE_PAGE_BYTES_2008 = 312_000;

const LAB_PAGES = ['wiki', 'images', 'news', 'gallery', 'shop', 'docs', 'app'].map(findPage);
const FACTOR_2008 = AVERAGE_PAGE_BYTES_2008 / mean(LAB_PAGES.map(bodyBytes));

/**
 * The seven pages of the 2008 study, `wiki-2008` and so on. The study's pages are not public ("tiki" is the one it names): these are the lab's seven,
 * brought to the weight of that year. They have 52 requests on average, as they are, and 598 kB; one factor for all bodies, the documents'
 * included, brings their mean to 312 kB.
 */
export const PAGES_2008: readonly PageRecipe[] = LAB_PAGES.map((page) =>
  atWeight(page, { name: `${page.name}-2008`, factor: FACTOR_2008 }),
);
