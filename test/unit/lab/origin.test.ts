import { describe, expect, test } from 'vitest';
import { originCounters } from '../../../src/lab/origin/origin-counters.ts';
import { documentContent, resourceContent, resourceUrl } from '../../../src/lab/pages/page-content.ts';
import { bodyBytes, originCount, requestCount, widestWave } from '../../../src/lab/pages/page-recipe.ts';
import { findPage, PAGES } from '../../../src/lab/pages/pages.ts';

const ADDRESS = { origins: ['http://198.18.0.2', 'http://198.18.0.3'], prefix: '/wiki/k3f9-0/' };

describe('what the servers count', () => {
  test('requests, connections and what is outstanding, at their most', () => {
    const counters = originCounters();
    const [first, second] = [{}, {}];
    const a = counters.arrive('x', first);
    const b = counters.arrive('x', first);
    a(100);
    const c = counters.arrive('x', second);
    expect(counters.read()).toEqual({
      x: { requests: 3, connections: 2, peakConnections: 2, peakOutstanding: 2, peakDepth: 2, bodyBytes: 100 },
    });
    b(10);
    c(1);
    // An answer counts once, however its connection ends.
    c(1);
    counters.connectionClosed(second);
    counters.arrive('x', {})(0);
    expect(counters.read().x).toEqual({
      requests: 4,
      connections: 3,
      peakConnections: 2,
      peakOutstanding: 2,
      peakDepth: 2,
      bodyBytes: 111,
    });
  });

  test('servers are counted apart, and reset forgets; late answers of before do not count', () => {
    const counters = originCounters();
    const late = counters.arrive('x', {});
    counters.arrive('y', {});
    expect(Object.keys(counters.read())).toEqual(['x', 'y']);
    counters.reset();
    late(5);
    expect(counters.read()).toEqual({});
  });
});

describe('the pages', () => {
  test('the wiki has 45 requests on 2 servers, the image page 10 pictures of 150 kB on one', () => {
    const wiki = findPage('wiki');
    // 1 document, 3 style sheets, 5 scripts, 20 icons, 12 thumbnails, 4 pictures of the skin.
    expect([requestCount(wiki), originCount(wiki)]).toEqual([45, 2]);
    // The server of uploads has 1 style sheet, 12 icons and 12 thumbnails; the other 2 + 5 + 8.
    expect(widestWave(wiki)).toBe(25);
    const images = findPage('images');
    expect(images.resources.map(({ bytes }) => bytes)).toEqual(Array.from({ length: 10 }, () => 150_000));
    expect([requestCount(images), originCount(images), bodyBytes(images), widestWave(images)]).toEqual([11, 1, 1_502_000, 10]);
  });

  test('an unknown page is refused with those there are', () => {
    expect(() => findPage('wikki')).toThrow('There is no page "wikki". Pages: wiki, images, hold');
  });

  describe.each(PAGES.map((page) => [page.name, page] as const))('%s', (_name, page) => {
    const document = documentContent(page, ADDRESS).body.toString();

    test('every body has exactly the bytes of its recipe', () => {
      expect(Buffer.byteLength(document)).toBe(page.documentBytes);
      const relayed = { ...ADDRESS, origins: ['http://127.0.0.1:65535', 'http://127.0.0.1:65534'] };
      expect(documentContent(page, relayed).body).toHaveLength(page.documentBytes);
      for (const resource of page.resources)
        expect([resource.name, resourceContent(resource, page, ADDRESS).body.length]).toEqual([resource.name, resource.bytes]);
    });

    test('every resource is asked for once, by the document or by its style sheet', () => {
      expect(new Set(page.resources.map(({ name }) => name)).size).toBe(page.resources.length);
      for (const resource of page.resources) {
        const sheet = page.resources.find(({ name }) => typeof resource.from === 'object' && name === resource.from.stylesheet);
        const asking = sheet ? resourceContent(sheet, page, ADDRESS).body.toString() : document;
        expect(asking.split(`"${resourceUrl(resource, ADDRESS)}"`)).toHaveLength(2);
      }
    });

    test('nothing ends an element or a comment before its time', () => {
      expect(document.match(/<\/html>/g)).toHaveLength(1);
      for (const resource of page.resources.filter(({ kind }) => kind === 'script' || kind === 'stylesheet')) {
        const text = resourceContent(resource, page, ADDRESS).body.toString();
        expect(text.indexOf('*/')).toBe(text.length - 2);
      }
      // Asking for no icon of its own: a request that the recipe does not have.
      expect(document).toContain('<link rel="icon" href="data:,">');
    });
  });
});
