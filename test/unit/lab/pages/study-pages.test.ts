import { describe, expect, it } from 'vitest';
import { documentContent, resourceContent } from '../../../../src/lab/pages/page-content.ts';
import { bodyBytes, type PageRecipe } from '../../../../src/lab/pages/page-recipe.ts';
import { findPage, PAGES } from '../../../../src/lab/pages/pages.ts';
import { laneAddress } from '../../../../src/lab/pages/recipe-graph.ts';
import { AVERAGE_PAGE_BYTES_2008, atWeight, PAGES_2008 } from '../../../../src/lab/pages/study-pages.ts';

const bytesOf = ({ resources }: PageRecipe, name: string) => resources.find((resource) => resource.name === name)?.bytes;

describe('a page at another weight', () => {
  it('has every body by one factor, and nothing else changed', () => {
    const half = atWeight(findPage('wiki'), { name: 'half', factor: 0.5 });
    // 24,000, 31,000 and 12,400 bytes, halved.
    expect([half.documentBytes, bytesOf(half, 'library.js'), bytesOf(half, 'thumbnail-3.png')]).toEqual([12_000, 15_500, 6200]);
    const shape = ({ resources }: PageRecipe) => resources.map(({ bytes: _, ...rest }) => rest);
    expect(shape(half)).toEqual(shape(findPage('wiki')));
    expect(half.name).toBe('half');
    expect(half.documentServerMs).toBe(40);
  });

  it('keeps what a content has to hold: its sizes are those that are sent', () => {
    const least = atWeight(findPage('news'), { factor: 0.001 });
    const address = laneAddress(least);
    // A PNG of one pixel has 70 bytes; 21,400 times 0.001 would be 21.
    expect(bytesOf(least, 'story-0.png')).toBe(70);
    expect(documentContent(least, address).body.length).toBe(least.documentBytes);
    for (const resource of least.resources) expect(resourceContent(resource, least, address).body.length).toBe(resource.bytes);
    const sheet = least.resources.findIndex(({ name }) => name === 'news-0.css');
    expect(least.resources[sheet]?.bytes).toBeGreaterThan(4 * '.r0{background-image:url("")}'.length);
  });

  it.each(PAGES.map((page) => [page.name, page] as const))('%s by 1 is what it was', (_, page) => {
    expect({ ...atWeight(page, { factor: 1 }), title: page.title }).toEqual(page);
  });
});

describe('the pages of 2008', () => {
  it('are seven, of 312 kB and 52 requests on average', () => {
    expect(PAGES_2008.map(({ name }) => name)).toEqual(
      ['wiki', 'images', 'news', 'gallery', 'shop', 'docs', 'app'].map((name) => `${name}-2008`),
    );
    const total = PAGES_2008.reduce((sum, page) => sum + bodyBytes(page), 0);
    expect(Math.abs(total / 7 / AVERAGE_PAGE_BYTES_2008 - 1)).toBeLessThan(0.001);
    expect(PAGES_2008.reduce((sum, { resources }) => sum + resources.length + 1, 0)).toBe(366);
  });

  it('keep the weights relative to each other', () => {
    const factors = PAGES_2008.map((page) => bodyBytes(page) / bodyBytes(findPage(page.name.replace('-2008', ''))));
    for (const factor of factors) expect(Math.abs(factor / 0.522 - 1)).toBeLessThan(0.01);
  });
});
