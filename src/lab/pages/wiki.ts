/**
 * A wiki article of 45 requests on 2 servers, as wikis are built: one server for the article, its scripts and the skin, one for
 * uploaded pictures and icons. Sizes follow what tiki and MediaWiki skins send: icons below 2 kB, thumbnails of 4-16 kB.
 * Content is generated.
 */
import { type PageRecipe, type RecipeResource, several } from './page-recipe.ts';

/** Index of the server: the wiki itself, or its uploaded files. */
const WIKI = 0;
const UPLOADS = 1;
/** The first icons belong to the skin, the others to the article. */
const SKIN_ICONS = 8;

const ICON_BYTES = [420, 610, 780, 350, 1210, 930, 540, 1480, 660, 870, 390, 1120, 720, 480, 1650, 590, 810, 1010, 440, 1340];
const THUMBNAIL_BYTES = [5200, 8700, 4100, 12_400, 6900, 9800, 15_600, 7300, 11_200, 4800, 10_300, 13_900];

const styles: readonly RecipeResource[] = [
  { name: 'skin.css', kind: 'stylesheet', bytes: 21_000, origin: WIKI, from: 'head', serverMs: 5 },
  { name: 'site.css', kind: 'stylesheet', bytes: 7400, origin: WIKI, from: 'head', serverMs: 5 },
  { name: 'gallery.css', kind: 'stylesheet', bytes: 2900, origin: UPLOADS, from: 'head', serverMs: 5 },
];

const scripts: readonly RecipeResource[] = [
  { name: 'startup.js', kind: 'script', bytes: 9100, origin: WIKI, from: 'head', serverMs: 5 },
  { name: 'library.js', kind: 'script', bytes: 31_000, origin: WIKI, from: 'head', serverMs: 5 },
  { name: 'toc.js', kind: 'script', bytes: 4200, origin: WIKI, from: 'body', serverMs: 5 },
  { name: 'search.js', kind: 'script', bytes: 6800, origin: WIKI, from: 'body', serverMs: 5 },
  { name: 'edit.js', kind: 'script', bytes: 12_500, origin: WIKI, from: 'body', serverMs: 5 },
];

export const wiki: PageRecipe = {
  name: 'wiki',
  title: 'Wiki article: 45 requests, 2 servers',
  documentBytes: 24_000,
  documentServerMs: 40,
  resources: [
    ...styles,
    ...scripts,
    ...ICON_BYTES.map(
      (bytes, index): RecipeResource => ({
        ...{ name: `icon-${index}.png`, kind: 'image', bytes },
        ...{ origin: index < SKIN_ICONS ? WIKI : UPLOADS, from: 'body', serverMs: 5 },
      }),
    ),
    ...several('thumbnail-*.png', THUMBNAIL_BYTES, { kind: 'image', origin: UPLOADS, from: 'body', serverMs: 5 }),
    // Asked for only once the skin has arrived, as background pictures are.
    ...several('skin-*.png', [3100, 1900, 2400, 900], { kind: 'image', origin: WIKI, from: { stylesheet: 'skin.css' }, serverMs: 5 }),
  ],
};
