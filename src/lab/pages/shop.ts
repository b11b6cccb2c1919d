/**
 * A list of goods in a shop: 80 requests to 6 servers. One server for styles and scripts, one for pictures of goods, one for badges,
 * two of others (payment, counting); a script asks the shop for prices and stock. The mix of kinds is that of the median page of the
 * HTTP Archive (70 to 80 requests: a third pictures, a third scripts, a few styles), with more pictures, as lists of goods have.
 * Content is generated.
 */
import { type PageRecipe, repeated, several } from './page-recipe.ts';

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

export const shop: PageRecipe = {
  name: 'shop',
  title: 'List of goods in a shop: 80 requests, 6 servers',
  documentBytes: 52_000,
  documentServerMs: 90,
  resources: [
    { name: 'list.css', kind: 'stylesheet', bytes: 31_000, origin: SHOP, from: 'head', serverMs: 4 },
    ...several('shop-*.css', [8800, 5200], { kind: 'stylesheet', origin: STATIC, from: 'head', serverMs: 4 }),
    ...several('base-*.js', [34_000, 6200], { kind: 'script', origin: STATIC, from: 'head', serverMs: 4 }),
    ...several('goods-*.png', repeated(GOODS_BYTES, GOODS_COUNT), { kind: 'image', origin: GOODS, from: 'body', serverMs: 8 }),
    ...several('badge-*.png', BADGE_BYTES, { kind: 'image', origin: BADGES, from: 'body', serverMs: 5 }),
    ...several('part-*.js', [22_000, 14_300, 9100, 4600, 2200], { kind: 'script', origin: STATIC, from: 'body', serverMs: 4 }),
    ...several('payment-*.js', [17_800, 3900], { kind: 'script', origin: PAYMENT, from: 'body', serverMs: 20 }),
    ...several('card-*.png', [1400, 2600], { kind: 'image', origin: PAYMENT, from: 'body', serverMs: 10 }),
    ...several('counter-*.js', [11_600, 4200], { kind: 'script', origin: COUNTING, from: 'body', serverMs: 15 }),
    ...several('pixel-*.png', repeated([90, 140], COUNTING_PICTURES), { kind: 'image', origin: COUNTING, from: 'body', serverMs: 15 }),
    ...several('sprite-*.png', [6100, 2300, 1200, 800, 540], {
      kind: 'image',
      origin: STATIC,
      from: { stylesheet: 'list.css' },
      serverMs: 4,
    }),
    ...several('stock-*.json', [4100, 2700, 1300, 3600], { kind: 'fetch', origin: SHOP, from: { script: 'part-0.js' }, serverMs: 50 }),
    ...several('lately-*.png', [5200, 4800, 6300], { kind: 'image', origin: GOODS, from: { script: 'part-1.js' }, serverMs: 8 }),
  ],
};
