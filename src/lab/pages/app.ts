/**
 * A web application: 35 requests to 2 servers. A short document names a few large scripts on the server of static files; once the last
 * of them runs, it asks the application for its data and the static server for the pictures of people. Sizes are those of bundles as
 * build tools make them (a framework of 50 to 90 kB compressed, the application itself about as large). Content is generated.
 */
import { type PageRecipe, type RecipeResource, several } from './page-recipe.ts';

const APPLICATION = 0;
const STATIC = 1;

/** Answers of the application: size of the body, and how long the server thinks, ms. */
const ANSWERS = [
  { bytes: 900, serverMs: 30 },
  { bytes: 6200, serverMs: 80 },
  { bytes: 14_800, serverMs: 120 },
  { bytes: 2100, serverMs: 40 },
  { bytes: 3700, serverMs: 60 },
  { bytes: 1200, serverMs: 35 },
  { bytes: 8600, serverMs: 90 },
  { bytes: 540, serverMs: 25 },
] as const;
const PERSON_BYTES = [1900, 2400, 1600, 3100, 2200, 1800, 2700, 2050, 1450, 2900, 2300, 1700, 2600, 2150];

const answers: readonly RecipeResource[] = ANSWERS.map(({ bytes, serverMs }, index) => ({
  name: `answer-${index}.json`,
  kind: 'fetch',
  bytes,
  origin: APPLICATION,
  from: { script: 'application.js' },
  serverMs,
}));

export const app: PageRecipe = {
  name: 'app',
  title: 'Web application: 35 requests, 2 servers',
  documentBytes: 3200,
  documentServerMs: 35,
  resources: [
    { name: 'base.css', kind: 'stylesheet', bytes: 14_000, origin: APPLICATION, from: 'head', serverMs: 4 },
    { name: 'parts.css', kind: 'stylesheet', bytes: 5600, origin: STATIC, from: 'head', serverMs: 4 },
    { name: 'runtime.js', kind: 'script', bytes: 3100, origin: STATIC, from: 'head', serverMs: 4 },
    { name: 'framework.js', kind: 'script', bytes: 62_000, origin: STATIC, from: 'body', serverMs: 4 },
    { name: 'parts.js', kind: 'script', bytes: 27_000, origin: STATIC, from: 'body', serverMs: 4 },
    { name: 'application.js', kind: 'script', bytes: 71_000, origin: STATIC, from: 'body', serverMs: 4 },
    { name: 'logo.png', kind: 'image', bytes: 3800, origin: APPLICATION, from: 'body', serverMs: 4 },
    { name: 'splash.png', kind: 'image', bytes: 9200, origin: APPLICATION, from: 'body', serverMs: 4 },
    ...several('icon-*.png', [1300, 860, 610, 420], { kind: 'image', origin: STATIC, from: { stylesheet: 'base.css' }, serverMs: 4 }),
    ...answers,
    ...several('person-*.png', PERSON_BYTES, { kind: 'image', origin: STATIC, from: { script: 'application.js' }, serverMs: 4 }),
  ],
};
