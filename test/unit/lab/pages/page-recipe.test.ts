/** The pages of the lab are pages such as there are: enough requests, on several servers, with what really blocks. */
import { describe, expect, it } from 'vitest';
import { documentContent } from '../../../../src/lab/pages/page-content.ts';
import { originCount, type PageRecipe, parseRecipe, requestCount } from '../../../../src/lab/pages/page-recipe.ts';
import { findPage, PAGES } from '../../../../src/lab/pages/pages.ts';
import { laneAddress, recipeGraph } from '../../../../src/lab/pages/recipe-graph.ts';

/** Made after real pages; the others are probes, or a page with nothing but what its study is about. */
const LIKE_REAL_PAGES = ['wiki', 'news', 'gallery', 'shop', 'docs', 'app'].map(findPage);

describe.each(LIKE_REAL_PAGES.map((page) => [page.name, page] as const))('%s', (_, page) => {
  it('has 20 to 120 requests on 1 to 12 servers, numbered without a gap', () => {
    expect(requestCount(page)).toBeGreaterThanOrEqual(20);
    expect(requestCount(page)).toBeLessThanOrEqual(120);
    expect(originCount(page)).toBeLessThanOrEqual(12);
    expect(Math.max(...page.resources.map(({ origin }) => origin))).toBe(originCount(page) - 1);
  });

  it('has style sheets and scripts in its head, which hold images back', () => {
    const blocking = recipeGraph(page).requests.filter((request) => request.blocking === true);
    expect(blocking.map((request) => request.class)).toEqual(expect.arrayContaining(['stylesheet', 'script']));
    const html = documentContent(page, laneAddress(page)).body.toString();
    const head = html.slice(0, html.indexOf('</head>'));
    for (const { id, class: kind } of blocking) {
      // Neither async nor deferred, nor for another medium: such do not block.
      expect(head).toMatch(
        kind === 'script' ? new RegExp(`<script src="[^"]*/${id}"></script>`) : new RegExp(`<link rel="stylesheet" href="[^"]*/${id}">`),
      );
    }
  });

  it('has something that is asked for only once something else has arrived', () => {
    expect(page.resources.filter(({ from }) => typeof from === 'object').length).toBeGreaterThan(0);
  });
});

it('the title of each says how many requests and servers it has', () => {
  const said = ({ title }: PageRecipe) => /(?:: |, )(\d+) requests?, (\d+) servers?$/.exec(title)?.slice(1).map(Number);
  for (const page of LIKE_REAL_PAGES) expect(said(page)).toEqual([requestCount(page), originCount(page)]);
});

it.each(PAGES.map((page) => [page.name, page] as const))('%s is a recipe as the schema has it', (_, page) => {
  expect(parseRecipe(JSON.parse(JSON.stringify(page)))).toEqual(page);
});

it('there are at least seven with a name of their own', () => {
  expect(new Set(PAGES.map(({ name }) => name)).size).toBe(PAGES.length);
  expect(PAGES.length).toBeGreaterThanOrEqual(7);
});
