/** The lab's pages by name, among them the plain ones; the others have a file each. */
import { PlumbfoxError } from '../../core/errors.ts';
import { didYouMean } from '../../core/nearest-name.ts';
import { app } from './app.ts';
import { news } from './news.ts';
import { type PageRecipe, repeated, several } from './page-recipe.ts';
import { shop } from './shop.ts';
import { wiki } from './wiki.ts';

/** Many small pictures that the server holds back: shows how many requests a browser really has outstanding. */
export const hold: PageRecipe = {
  name: 'hold',
  title: 'Probe: 24 pictures held back for 80 ms, 1 server',
  documentBytes: 4000,
  resources: several('held-*.png', repeated([500], 24), { kind: 'image', origin: 0, from: 'body', serverMs: 80 }),
};

/** The image page of "Pipelining: be afraid": 10 pictures of 150 kB on one server. */
export const images: PageRecipe = {
  name: 'images',
  title: 'Image page: 10 pictures of 150 kB, 1 server',
  documentBytes: 2000,
  documentServerMs: 10,
  resources: several('picture-*.png', repeated([150_000], 10), { kind: 'image', origin: 0, from: 'body', serverMs: 5 }),
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

/** JPEGs of 240 pixels vary about so much. */
const THUMBNAIL_BYTES = [14_200, 11_300, 17_800, 9400, 13_100, 21_600, 8200, 15_900, 12_400, 10_700, 18_300];

/**
 * A gallery: 60 requests to 2 servers, 55 of them thumbnails of 8 to 22 kB from their own server, as photo sites have them.
 * The page itself is small. Content is generated.
 */
export const gallery: PageRecipe = {
  name: 'gallery',
  title: 'Picture gallery: 60 requests, 2 servers',
  documentBytes: 14_000,
  documentServerMs: 30,
  resources: [
    { name: 'gallery.css', kind: 'stylesheet', bytes: 9600, origin: 0, from: 'head', serverMs: 4 },
    { name: 'gallery.js', kind: 'script', bytes: 24_000, origin: 0, from: 'head', serverMs: 4 },
    ...several('photo-*.png', repeated(THUMBNAIL_BYTES, 55), { kind: 'image', origin: 1, from: 'body', serverMs: 6 }),
    { name: 'slides.js', kind: 'script', bytes: 16_500, origin: 0, from: 'body', serverMs: 4 },
    { name: 'background.png', kind: 'image', bytes: 4300, origin: 0, from: { stylesheet: 'gallery.css' }, serverMs: 4 },
  ],
};

const FIGURE_BYTES = [4200, 2600, 6800, 3100, 5400, 1900, 7300, 2800, 3900, 2200, 4700, 1600, 3300, 2400];

/**
 * A page of documentation: 25 requests to one server, as generators of documentation make them: a long document, two style sheets,
 * a few scripts, two fonts (sizes of WOFF2 subsets: 22 to 25 kB in a recorded page of the Filament Group), figures. Content is generated.
 */
export const docs: PageRecipe = {
  name: 'docs',
  title: 'Page of documentation: 25 requests, 1 server',
  documentBytes: 41_000,
  documentServerMs: 15,
  resources: [
    { name: 'theme.css', kind: 'stylesheet', bytes: 19_000, origin: 0, from: 'head', serverMs: 3 },
    { name: 'code.css', kind: 'stylesheet', bytes: 3600, origin: 0, from: 'head', serverMs: 3 },
    { name: 'text.woff2', kind: 'font', bytes: 23_400, origin: 0, from: 'head', serverMs: 3 },
    { name: 'code.woff2', kind: 'font', bytes: 17_200, origin: 0, from: 'head', serverMs: 3 },
    { name: 'theme.js', kind: 'script', bytes: 6900, origin: 0, from: 'head', serverMs: 3 },
    ...several('figure-*.png', FIGURE_BYTES, { kind: 'image', origin: 0, from: 'body', serverMs: 3 }),
    { name: 'contents.js', kind: 'script', bytes: 8300, origin: 0, from: 'body', serverMs: 3 },
    { name: 'search.js', kind: 'script', bytes: 27_000, origin: 0, from: 'body', serverMs: 3 },
    { name: 'copy.js', kind: 'script', bytes: 2500, origin: 0, from: 'body', serverMs: 3 },
    { name: 'anchor.png', kind: 'image', bytes: 640, origin: 0, from: { stylesheet: 'theme.css' }, serverMs: 3 },
    { name: 'note.png', kind: 'image', bytes: 980, origin: 0, from: { stylesheet: 'theme.css' }, serverMs: 3 },
  ],
};

export const PAGES: readonly PageRecipe[] = [wiki, images, news, gallery, shop, docs, app, hold];

/** The pages that `tune` loads unless others are named. */
export const DEFAULT_PAGES: readonly string[] = ['wiki', 'images'];

/** @throws PlumbfoxError `bad-input` naming the pages there are. */
export function findPage(name: string): PageRecipe {
  const page = PAGES.find((candidate) => candidate.name === name);
  if (page) return page;
  const names = PAGES.map((known) => known.name);
  throw new PlumbfoxError('bad-input', `There is no page "${name}".${didYouMean(name, names)} Pages: ${names.join(', ')}`);
}
