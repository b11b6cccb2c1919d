/**
 * A list of goods in a shop: 80 requests to 6 servers. One server for styles and scripts, one for pictures of goods, one for badges,
 * two of others (payment, counting); a script asks the shop for prices and stock. The mix of kinds is that of the median page of the
 * HTTP Archive (70 to 80 requests: a third pictures, a third scripts, a few styles), with more pictures, as lists of goods have.
 * Content is generated.
 */
import type { PageRecipe, RecipeResource, ResourceKind } from './page-recipe.ts';

/** Indices of the servers. */
const SHOP = 0;
const STATIC = 1;
const GOODS = 2;
const BADGES = 3;
const PAYMENT = 4;
const COUNTING = 5;

const GOODS_BYTES = [7200, 5400, 9800, 6100, 8300, 4700, 11_200, 6600, 5900, 7700];
const GOODS_COUNT = 34;
const BADGE_BYTES = [640, 1250, 820, 390, 1700, 560, 910, 450, 1100, 730, 980, 510];
const COUNTING_PICTURES = 5;

const several = (
  list: readonly number[],
  {
    kind,
    origin,
    from,
    serverMs,
    name,
  }: Omit<RecipeResource, 'bytes' | 'name'> & { readonly name: (index: number) => string; kind: ResourceKind },
): RecipeResource[] => list.map((bytes, index) => ({ name: name(index), kind, bytes, origin, from, serverMs: serverMs ?? 0 }));

const repeated = (list: readonly number[], length: number): number[] =>
  Array.from({ length }, (_, index) => list[index % list.length] ?? 0);

export const shop: PageRecipe = {
  name: 'shop',
  title: 'List of goods in a shop: 80 requests, 6 servers',
  documentBytes: 52_000,
  documentServerMs: 90,
  resources: [
    { name: 'list.css', kind: 'stylesheet', bytes: 31_000, origin: SHOP, from: 'head', serverMs: 4 },
    ...several([8800, 5200], { kind: 'stylesheet', origin: STATIC, from: 'head', serverMs: 4, name: (n) => `shop-${n}.css` }),
    ...several([34_000, 6200], { kind: 'script', origin: STATIC, from: 'head', serverMs: 4, name: (n) => `base-${n}.js` }),
    ...several(repeated(GOODS_BYTES, GOODS_COUNT), {
      kind: 'image',
      origin: GOODS,
      from: 'body',
      serverMs: 8,
      name: (n) => `goods-${n}.png`,
    }),
    ...several(BADGE_BYTES, { kind: 'image', origin: BADGES, from: 'body', serverMs: 5, name: (n) => `badge-${n}.png` }),
    ...several([22_000, 14_300, 9100, 4600, 2200], {
      kind: 'script',
      origin: STATIC,
      from: 'body',
      serverMs: 4,
      name: (n) => `part-${n}.js`,
    }),
    ...several([17_800, 3900], { kind: 'script', origin: PAYMENT, from: 'body', serverMs: 20, name: (n) => `payment-${n}.js` }),
    ...several([1400, 2600], { kind: 'image', origin: PAYMENT, from: 'body', serverMs: 10, name: (n) => `card-${n}.png` }),
    ...several([11_600, 4200], { kind: 'script', origin: COUNTING, from: 'body', serverMs: 15, name: (n) => `counter-${n}.js` }),
    ...several(repeated([90, 140], COUNTING_PICTURES), {
      kind: 'image',
      origin: COUNTING,
      from: 'body',
      serverMs: 15,
      name: (n) => `pixel-${n}.png`,
    }),
    ...several([6100, 2300, 1200, 800, 540], {
      kind: 'image',
      origin: STATIC,
      from: { stylesheet: 'list.css' },
      serverMs: 4,
      name: (n) => `sprite-${n}.png`,
    }),
    ...several([4100, 2700, 1300, 3600], {
      kind: 'fetch',
      origin: SHOP,
      from: { script: 'part-0.js' },
      serverMs: 50,
      name: (n) => `stock-${n}.json`,
    }),
    ...several([5200, 4800, 6300], {
      kind: 'image',
      origin: GOODS,
      from: { script: 'part-1.js' },
      serverMs: 8,
      name: (n) => `lately-${n}.png`,
    }),
  ],
};
