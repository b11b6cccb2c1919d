/** A HAR made into a page of the lab: by hand, from the HARs of the repository, and whatever a HAR holds. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { pageFromHar } from '../../../../src/core/har/page-from-har.ts';
import { importHar, numberServers } from '../../../../src/lab/pages/import-har.ts';
import { MAX_ORIGINS, originCount, type PageRecipe, parseRecipe } from '../../../../src/lab/pages/page-recipe.ts';
import { recipeGraph } from '../../../../src/lab/pages/recipe-graph.ts';
import { entry, harOf } from '../../core/har/har-of.ts';

const SITE = 'http://site.example';
const OTHER = 'http://other.example';
const imported = (entries: readonly unknown[]) => importHar(harOf(entries), { name: 'page' });
const resource = ({ resources }: PageRecipe, name: string) => resources.find((each) => each.name === name);

describe('what asks for what', () => {
  /** Initiators as Chrome names them. */
  const by = (url: string) => ({ more: { _initiator: { type: 'script', url } } });
  const { recipe, changes } = imported([
    entry(`${SITE}/`, { wait: 100, receive: 50, body: 9000 }),
    entry(`${SITE}/main.css`, { at: 120, body: 4000, ...by(`${SITE}/`) }),
    entry(`${OTHER}/app.js`, { at: 125, body: 20_000, ...by(`${SITE}/`), connect: 50 }),
    entry(`${SITE}/logo.png`, { at: 130, body: 700, ...by(`${SITE}/`) }),
    entry(`${OTHER}/tile.png`, { at: 300, body: 800, ...by(`${SITE}/main.css`) }),
    entry(`${OTHER}/cart.json`, { at: 400, body: 900, ...by(`${OTHER}/app.js`) }),
    entry(`${OTHER}/item.png`, { at: 600, body: 1000, ...by(`${OTHER}/cart.json`) }),
    entry(`${OTHER}/more.js`, { at: 620, body: 1500, ...by(`${OTHER}/app.js`) }),
  ]);

  it('is kept where a recipe can hold it', () => {
    expect(recipe.resources.map(({ name, from }) => [name, from])).toEqual([
      ['style-1.css', 'head'],
      ['script-1.js', 'body'],
      ['picture-1.png', 'body'],
      ['picture-2.png', { stylesheet: 'style-1.css' }],
      ['data-1.json', { script: 'script-1.js' }],
      ['picture-3.png', { script: 'script-1.js' }],
      ['script-2.js', 'body'],
    ]);
  });

  it('is said where it cannot be', () => {
    expect(changes).toEqual([
      "1 request moved to the document's server, where fonts, data, and style sheets that ask for pictures must be.",
      '1 request: asked for by a script, style sheet, frame or answer there; named by the document, and so asked for earlier, here.',
      '1 request: what asked for it there asks for nothing here; asked for by the script or style sheet before that.',
    ]);
  });

  it("has the document's server as 0, and data there", () => {
    expect(recipe.resources.map(({ origin }) => origin)).toEqual([0, 1, 0, 1, 0, 1, 1]);
  });

  it('is as long on the wire as it was recorded, heads included', () => {
    // 100 bytes of headers each, as `entry` has them.
    const sizes = recipeGraph(recipe).requests.map(({ bytes }) => bytes);
    expect(sizes).toEqual([9100, 4100, 20_100, 800, 900, 1000, 1100, 1600]);
  });

  it('has the times of the servers', () => {
    // The wait of 100 ms less the round trip: 50 ms by the one handshake that is recorded.
    expect(resource(recipe, 'data-1.json')?.serverMs).toBe(50);
  });
});

it('follows a redirect to who asked for it', () => {
  const { recipe, changes } = imported([
    entry('http://site.example/', { status: 301, location: `${SITE}/home`, body: 0 }),
    entry(`${SITE}/home`, { at: 100 }),
    entry(`${SITE}/main.css`, { at: 210, referer: `${SITE}/home` }),
    entry(`${SITE}/old.png`, { at: 400, status: 302, location: `${SITE}/new.png`, more: { _initiator: { url: `${SITE}/main.css` } } }),
    entry(`${SITE}/new.png`, { at: 520 }),
  ]);
  expect(recipe.resources).toHaveLength(2);
  expect(resource(recipe, 'picture-1.png')?.from).toEqual({ stylesheet: 'style-1.css' });
  expect(changes).toEqual(['2 redirects excluded: what they lead to is requested instead.']);
});

describe('what a recipe has no word for', () => {
  it('is a picture, and said', () => {
    const { recipe, changes } = imported([
      entry(`${SITE}/`),
      entry(`${SITE}/film.mp4`, { at: 120, mimeType: 'video/mp4' }),
      entry(`${SITE}/frame.html`, { at: 121 }),
      entry(`${SITE}/first.json`, { at: 122 }),
    ]);
    expect(recipe.resources.map(({ kind }) => kind)).toEqual(['image', 'image', 'image']);
    expect(changes).toEqual([
      '1 request: a frame there, a picture here: nothing in it asks for more.',
      '1 request: media, or of no known kind, there; a picture here.',
      '1 request: data before any script there, a picture here.',
    ]);
  });
});

describe('servers', () => {
  it("are numbered by their requests, the document's first", () => {
    const { numberOf, folded } = numberServers(['a', 'd', 'b', 'b'], 'd');
    expect([...numberOf]).toEqual([
      ['d', 0],
      ['b', 1],
      ['a', 2],
    ]);
    expect(folded).toBe(0);
  });

  it('beyond twelve join those with the fewest requests', () => {
    // Eleven beside the document's have a number: s0 with 3 requests, s1 with 2, s2 .. s10 with 1; t and u join s2 and s3.
    const names = Array.from({ length: 11 }, (_, at) => `s${at}`);
    const { numberOf, folded } = numberServers(['d', ...names, 's0', 's0', 's1', 't', 'u'], 'd');
    expect([numberOf.get('s0'), numberOf.get('s1'), numberOf.get('t'), numberOf.get('u')]).toEqual([1, 2, 3, 4]);
    expect(folded).toBe(2);
    expect(new Set(numberOf.values()).size).toBe(MAX_ORIGINS);
  });
});

describe.each(['browsertime', 'chrome', 'firefox', 'webpagetest'])('the HAR of %s', (producer) => {
  const text = readFileSync(new URL(`../../../fixtures/har/${producer}.har`, import.meta.url), 'utf8');
  const har: unknown = JSON.parse(text);
  const { recipe } = importHar(har, { name: 'from-har' });

  it('becomes a recipe that the lab can serve', () => {
    expect(parseRecipe(JSON.parse(JSON.stringify(recipe)))).toEqual(recipe);
    expect(originCount(recipe)).toBe(new Set([0, ...recipe.resources.map(({ origin }) => origin)]).size);
  });

  it('keeps no address of it', () => {
    expect(JSON.stringify(recipe)).not.toMatch(/https?:|example|shop|blog|\.test\b/);
  });

  it('keeps the bytes of it', () => {
    const total = (page: ReturnType<typeof recipeGraph>) => page.requests.reduce((sum, { bytes }) => sum + bytes, 0);
    const recorded = pageFromHar(har).page;
    // The redirect to the document, a few hundred bytes, is left out; heads of ours can be longer than a whole small answer.
    expect(Math.abs(total(recipeGraph(recipe)) / total(recorded) - 1)).toBeLessThan(0.05);
  });
});

it('makes a page that can be served of whatever a HAR holds, or refuses it in one line', () => {
  const url = fc
    .tuple(
      fc.constantFrom(...Array.from({ length: 16 }, (_, at) => `http://s${at}.example`)),
      fc.nat(30),
      fc.constantFrom('css', 'js', 'png', 'woff2', 'json', 'html', 'mp4'),
    )
    .map(([server, number, ending]) => `${server}/${number}.${ending}`);
  const oneEntry = fc
    .record({
      url,
      at: fc.nat(3000),
      wait: fc.nat(500),
      body: fc.nat(50_000),
      status: fc.constantFrom(200, 200, 200, 302, 404, 0),
      location: url,
      initiator: fc.option(url, { nil: undefined }),
    })
    .map(({ url: address, initiator, ...options }) =>
      entry(address, { ...options, ...(initiator !== undefined && { more: { _initiator: { url: initiator } } }) }),
    );
  fc.assert(
    fc.property(fc.array(oneEntry, { maxLength: 60 }), (entries) => {
      try {
        const { recipe } = importHar(harOf(entries), { name: 'any' });
        expect(parseRecipe(recipe)).toEqual(recipe);
        expect(recipeGraph(recipe).requests).toHaveLength(recipe.resources.length + 1);
        expect(JSON.stringify(recipe)).not.toContain('example');
      } catch (error) {
        if (!(error instanceof PlumbfoxError)) throw error;
        expect(error.kind).toBe('bad-input');
        expect(error.message).not.toContain('\n');
      }
    }),
  );
});
