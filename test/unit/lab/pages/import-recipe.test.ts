/** The numbers and names of an imported page. */
import { describe, expect, it } from 'vitest';
import type { PageGraph } from '../../../../src/core/graph/page-graph.ts';
import { pageFromHar } from '../../../../src/core/har/page-from-har.ts';
import { predict } from '../../../../src/core/predict/predict.ts';
import { importHar } from '../../../../src/lab/pages/import-har.ts';
import { parseRecipe } from '../../../../src/lab/pages/page-recipe.ts';
import { recipeGraph } from '../../../../src/lab/pages/recipe-graph.ts';
import { type EntryOptions, entry, harOf } from '../../core/har/har-of.ts';

const SITE = 'http://site.example';
const OTHER = 'http://other.example';
const imported = (entries: readonly unknown[]) => importHar(harOf(entries), { name: 'shop' });
const from = (url: string, options: EntryOptions, initiator: string) => entry(url, { ...options, more: { _initiator: initiator } });

it('is called as asked, and says how much is on it', () => {
  const alone = imported([entry(`${SITE}/`)]).recipe;
  expect([alone.name, alone.title, alone.resources]).toEqual(['shop', 'Imported page: 1 request, 1 server', []]);
  const { title } = imported([entry(`${SITE}/`), entry(`${OTHER}/a.png`, { at: 200 }), entry(`${OTHER}/b.png`, { at: 200 })]).recipe;
  expect(title).toBe('Imported page: 3 requests, 2 servers');
});

it('names each kind by itself', () => {
  const names = ['a.css', 'a.js', 'a.png', 'a.woff2', 'b.js', 'b.css', 'c.png', 'd.json', 'e.json', 'b.woff2', 'x.mp4'];
  const { resources } = imported([entry(`${SITE}/`), ...names.map((name, at) => entry(`${SITE}/${name}`, { at: 200 + at }))]).recipe;
  expect(resources.map(({ name }) => name)).toEqual([
    ...['style-1.css', 'script-1.js', 'picture-1.png', 'font-1.woff2', 'script-2.js', 'style-2.css', 'picture-2.png', 'data-1.json'],
    ...['data-2.json', 'font-2.woff2', 'picture-3.png'],
  ]);
});

it("has on the document's server what must be there, and says how much of it was elsewhere", () => {
  const { recipe, changes } = imported([
    entry(`${SITE}/`),
    // Asks for a picture.
    from(`${OTHER}/asks.css`, { at: 120 }, `${SITE}/`),
    from(`${OTHER}/not.css`, { at: 121 }, `${SITE}/`),
    from(`${OTHER}/s.js`, { at: 122 }, `${SITE}/`),
    from(`${OTHER}/a.png`, { at: 300 }, `${OTHER}/asks.css`),
    from(`${OTHER}/b.png`, { at: 300 }, `${OTHER}/s.js`),
    from(`${OTHER}/a.woff2`, { at: 300 }, `${SITE}/`),
    from(`${OTHER}/a.json`, { at: 300 }, `${OTHER}/s.js`),
    from(`${SITE}/b.woff2`, { at: 300 }, `${SITE}/`),
  ]);
  expect(recipe.resources.map(({ name, origin }) => [name, origin])).toEqual([
    ['style-1.css', 0],
    ['style-2.css', 1],
    ['script-1.js', 1],
    ['picture-1.png', 1],
    ['picture-2.png', 1],
    ['font-1.woff2', 0],
    ['data-1.json', 0],
    ['font-2.woff2', 0],
  ]);
  expect(changes[0]).toMatch(/^3 requests moved to /);
});

it('has what servers needed, to a tenth of a ms and a minute at most, and none where they needed nothing', () => {
  // Handshakes take 40 ms, which a wait holds beside what the server needed.
  const { recipe } = imported([
    entry(`${SITE}/`, { connect: 40, wait: 60.26 }),
    entry(`${SITE}/a.png`, { at: 200, wait: 45.04 }),
    entry(`${SITE}/b.png`, { at: 200, wait: 40 }),
    entry(`${SITE}/c.json`, { at: 200, wait: 61_000 }),
  ]);
  const { documentServerMs, resources } = recipe;
  expect([documentServerMs, ...resources.map(({ serverMs }) => serverMs)]).toEqual([20.3, 5, undefined, 60_000]);
  expect(resources[1]).not.toHaveProperty('serverMs');
  expect(imported([entry(`${SITE}/`, { connect: 40, wait: 40 })]).recipe).not.toHaveProperty('documentServerMs');
});

it('has the smallest picture there is where the head alone is longer than the whole response was', () => {
  const { recipe } = imported([entry(`${SITE}/`), entry(`${SITE}/a.png`, { at: 200, body: 0 })]);
  // A PNG of one pixel.
  expect(recipe.resources.map(({ bytes }) => bytes)).toEqual([70]);
});

it('is as long as recorded where a body without its head has a digit less', () => {
  for (const body of [999, 1000, 1010, 1100, 9999, 10_000, 10_020, 10_100]) {
    const { recipe } = imported([entry(`${SITE}/`), entry(`${SITE}/a.png`, { at: 200, body })]);
    expect(recipeGraph(recipe).requests[1]?.bytes).toBe(body + 100);
  }
});

it('says how much larger it is than recorded, where that is a kB or more', () => {
  const pictures = Array.from({ length: 60 }, (_, at) => entry(`${SITE}/${at}.png`, { at: 200 }));
  const { recipe, changes } = imported([entry(`${SITE}/`, { body: 200 }), ...pictures]);
  const document = recipeGraph(recipe).requests[0]?.bytes ?? 0;
  // Recorded: 200 and 100 of headers.
  expect(changes).toEqual([
    `${Math.round((document - 300) / 1000)} kB larger than recorded: names of what is asked for take more room than compressed ones did.`,
  ]);
});

it('is the document at the end of its redirects: its size, its time and its server', () => {
  const { recipe } = imported([
    entry(`${OTHER}/`, { status: 301, location: `${SITE}/`, body: 50, connect: 40, wait: 40 }),
    entry(`${SITE}/`, { at: 100, body: 5000, connect: 40, wait: 65 }),
    entry(`${SITE}/a.png`, { at: 300, connect: 40 }),
    entry(`${OTHER}/b.png`, { at: 300, connect: 40 }),
  ]);
  expect(recipeGraph(recipe).requests[0]?.bytes).toBe(5100);
  expect(recipe.documentServerMs).toBe(25);
  expect(recipe.resources.map(({ origin }) => origin)).toEqual([0, 1]);
});

describe('protocols', () => {
  const SECURE = 'https://site.example';
  const IMAGES = 'https://images.example';
  const link = { rttMs: 300, downKbps: 20_000, queuePackets: 1000 };
  /** A document, a sheet and 30 pictures. @param version - Of the pictures' server; the document's speaks HTTP/2. */
  const page = (version: string) =>
    harOf([
      entry(`${SECURE}/`, { version: 'h2', connect: 200, ssl: 100, wait: 100, body: 9000 }),
      entry(`${SECURE}/a.css`, { version: 'h2', at: 320, body: 4000 }),
      ...Array.from({ length: 30 }, (_, at) => entry(`${IMAGES}/${at}.png`, { version, at: 330, connect: 200, ssl: 100, body: 9000 })),
    ]);
  /** What 24 connections gain over Firefox's own. */
  const gainOf = (graph: PageGraph): number => {
    const [own, more] = predict({ page: graph, link, profiles: ['firefox-default', 'c24-d1'] });
    return (own?.loadTimeMs ?? Number.NaN) / (more?.loadTimeMs ?? Number.NaN) - 1;
  };
  const fromHar = (har: unknown): number => gainOf(pageFromHar(har).page);
  const fromRecipe = (har: unknown): number => gainOf(recipeGraph(importHar(har, { name: 'page' }).recipe));

  it('are those of each server, so that more connections gain over them what they gain in the HAR', () => {
    expect([fromHar(page('h2')), fromRecipe(page('h2'))]).toEqual([0, 0]);
    expect(fromRecipe(page('h3'))).toBe(0);
    const [har, recipe] = [fromHar(page('http/1.1')), fromRecipe(page('http/1.1'))];
    expect(har).toBeGreaterThan(0.2);
    expect(recipe).toBeCloseTo(har, 1);
  });

  it('are said, with the name that tune has for most of them, and how many used another', () => {
    const { recipe, changes } = importHar(page('http/1.1'), { name: 'page' });
    expect(recipe.servers).toEqual([
      { protocol: 'http/2', tls: '1.3' },
      { protocol: 'http/1.1', tls: '1.3' },
    ]);
    expect(changes).toEqual([
      "plumbfox predict keeps each server's protocol. tune serves the page over one, by --protocol https, which 2 of the 32 requests did not use.",
    ]);
    expect(importHar(page('h2'), { name: 'page' }).changes).toEqual([
      "plumbfox predict keeps each server's protocol. tune serves the page over one, by --protocol http/2.",
    ]);
    expect(imported([entry(`${SITE}/`)]).recipe).not.toHaveProperty('servers');
  });

  it("are the document's for what moves to its server, and that is counted", () => {
    const font = entry(`${IMAGES}/a.woff2`, { version: 'http/1.1', at: 330 });
    const { changes } = imported([
      entry(`${SECURE}/`, { version: 'h2' }),
      font,
      entry(`${IMAGES}/a.png`, { version: 'http/1.1', at: 330 }),
    ]);
    expect(changes).toContain('1 request at a server that speaks another protocol than the one there did.');
  });

  it('are the one the lab serves it over, where that is given', () => {
    const { recipe } = importHar(page('h2'), { name: 'page' });
    expect(Object.values(recipeGraph(recipe, 'https').origins ?? {})).toEqual(Array(2).fill({ protocol: 'http/1.1', tls: '1.3' }));
  });

  it('of a server that has resources must be there', () => {
    const { recipe } = importHar(page('h2'), { name: 'page' });
    expect(() => parseRecipe({ ...recipe, servers: recipe.servers?.slice(1) })).toThrow('nothing is said of server 1');
  });
});
