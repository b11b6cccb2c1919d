/**
 * The front page of a news site: 110 requests to 12 servers. Its shape follows a recorded front page of the BBC (120 requests, 37
 * servers: 47 scripts, half of them below 5 kB, 52 pictures of which 23 are counting pixels, 6 style sheets), with the servers that
 * carry one or two requests put together, and pictures scaled down to the size phones are sent. Content is generated.
 */
import { type PageRecipe, type RecipeResource, several } from './page-recipe.ts';

/** Indices of the servers: the site, its scripts and styles, its pictures, and eight of others (advertisements, counters, widgets). */
const SITE = 0;
const STATIC = 1;
const PICTURES = 2;
const MORE_PICTURES = 3;
const FIRST_FOREIGN = 4;
const FOREIGN_SERVERS = 8;

/** The first is the site's own, the others come with its scripts. */
const STYLE_BYTES = [26_000, 16_000, 6400, 4100, 9200];
const HEAD_SCRIPT_BYTES = [18_600, 7300, 3400];
const SCRIPT_BYTES = [31_000, 12_600, 9800, 6400, 5100, 3300, 2100, 1900, 1400, 900];
const PICTURE_BYTES = [
  21_400, 9700, 8800, 7600, 9100, 6900, 8300, 7200, 6100, 9400, 5700, 8600, 7900, 6600, 5300, 7400, 8100, 6800, 5900, 7100, 6300, 4900,
  5600, 7700,
];
const SMALL_PICTURE_BYTES = [3900, 3200, 4400, 2800, 3600, 4100, 2600, 3300, 3800, 2900, 3100, 4200, 2700, 3500];
/** One script per foreign server, in the order of the servers. */
const FOREIGN_SCRIPT_BYTES = [28_400, 19_700, 12_600, 8300, 5400, 3200, 2300, 1300];
/** Pixels, logos and small pictures of advertisements, on each foreign server. */
const FOREIGN_PICTURE_BYTES = [90, 120, 2600, 90, 740];

const styles: readonly RecipeResource[] = STYLE_BYTES.map((bytes, index) => ({
  name: `news-${index}.css`,
  kind: 'stylesheet',
  bytes,
  origin: index === 0 ? SITE : STATIC,
  from: 'head',
  serverMs: 4,
}));

const headScripts = several('loader-*.js', HEAD_SCRIPT_BYTES, { kind: 'script', origin: STATIC, from: 'head', serverMs: 4 });

const pictures = several('story-*.png', PICTURE_BYTES, { kind: 'image', origin: PICTURES, from: 'body', serverMs: 6 });

const smallPictures = several('teaser-*.png', SMALL_PICTURE_BYTES, { kind: 'image', origin: MORE_PICTURES, from: 'body', serverMs: 6 });

const scripts = several('module-*.js', SCRIPT_BYTES, { kind: 'script', origin: STATIC, from: 'body', serverMs: 4 });

const foreign: readonly RecipeResource[] = Array.from({ length: FOREIGN_SERVERS }, (_, server) => FIRST_FOREIGN + server).flatMap(
  (origin, server): RecipeResource[] => [
    { name: `widget-${server}.js`, kind: 'script', bytes: FOREIGN_SCRIPT_BYTES[server] ?? 0, origin, from: 'body', serverMs: 25 },
    ...several(`pixel-${server}-*.png`, FOREIGN_PICTURE_BYTES, { kind: 'image', origin, from: 'body', serverMs: 15 }),
  ],
);

/** Sprites and arrows of the site's own style sheet. */
const sprites = several('sprite-*.png', [5400, 1200, 860, 430], {
  kind: 'image',
  origin: STATIC,
  from: { stylesheet: 'news-0.css' },
  serverMs: 4,
});

const headline = several('breaking.json', [1800], { kind: 'fetch', origin: SITE, from: { script: 'module-0.js' }, serverMs: 45 });

export const news: PageRecipe = {
  name: 'news',
  title: 'News front page: 110 requests, 12 servers',
  documentBytes: 74_000,
  documentServerMs: 60,
  resources: [...styles, ...headScripts, ...pictures, ...smallPictures, ...scripts, ...foreign, ...sprites, ...headline],
};

/**
 * The news front page without what its scripts ask for: 109 requests to 12 servers. No load event waits for data that a script asks for, so
 * after such a page the recorder has to wait two seconds more; a study of many loads is spared that.
 */
export const newsStill: PageRecipe = {
  ...news,
  name: 'news-still',
  title: 'News front page without data of scripts: 109 requests, 12 servers',
  resources: news.resources.filter(({ kind }) => kind !== 'fetch'),
};
