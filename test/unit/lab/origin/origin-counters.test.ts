import { describe, expect, test } from 'vitest';
import { SERVER_ADDRESSES } from '../../../../src/lab/link/emulated-link.ts';
import { originCounters } from '../../../../src/lab/origin/origin-counters.ts';
import { documentContent, resourceContent, resourceUrl } from '../../../../src/lab/pages/page-content.ts';
import { asksForData, bodyBytes, originCount, type RecipeResource, requestCount } from '../../../../src/lab/pages/page-recipe.ts';
import { findPage, PAGES } from '../../../../src/lab/pages/pages.ts';

const ADDRESS = { origins: SERVER_ADDRESSES.map((server) => `http://${server}`), prefix: '/wiki/k3f9-0/' };

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
    const images = findPage('images');
    expect(images.resources.map(({ bytes }) => bytes)).toEqual(Array.from({ length: 10 }, () => 150_000));
    expect([requestCount(images), originCount(images), bodyBytes(images)]).toEqual([11, 1, 1_502_000]);
  });

  test.each([
    ['wiki', 45, 2],
    ['images', 11, 1],
    ['news', 110, 12],
    ['gallery', 60, 2],
    ['shop', 80, 6],
    ['docs', 25, 1],
    ['app', 35, 2],
  ])('%s has %i requests to as many servers as its title says: %i', (name, requests, origins) => {
    const page = findPage(name);
    expect([requestCount(page), originCount(page)]).toEqual([requests, origins]);
    // The image page is the one of a study of its own, with more bytes.
    const bytes = bodyBytes(page);
    if (name !== 'images')
      expect([bytes >= 200_000, bytes <= 900_000, page.title.includes(`${requests} requests`)]).toEqual([true, true, true]);
  });

  test('three have scripts that ask for data, which no load event waits for', () => {
    expect(PAGES.filter(asksForData).map(({ name }) => name)).toEqual(['news', 'shop', 'app']);
  });

  test('an unknown page is refused with those there are', () => {
    expect(() => findPage('wikki')).toThrow(
      'There is no page "wikki". Did you mean wiki? Pages: wiki, images, news, gallery, shop, docs, app, hold',
    );
  });

  describe.each(PAGES.map((page) => [page.name, page] as const))('%s', (_name, page) => {
    const document = documentContent(page, ADDRESS).body.toString();

    test('every body has exactly the bytes of its recipe', () => {
      expect(Buffer.byteLength(document)).toBe(page.documentBytes);
      const relayed = { ...ADDRESS, origins: SERVER_ADDRESSES.map((_, index) => `http://127.0.0.1:${65_535 - index}`) };
      expect(documentContent(page, relayed).body).toHaveLength(page.documentBytes);
      for (const resource of page.resources)
        expect([resource.name, resourceContent(resource, page, ADDRESS).body.length]).toEqual([resource.name, resource.bytes]);
    });

    test('every resource is asked for once, by the document, by its style sheet or by its script', () => {
      expect(new Set(page.resources.map(({ name }) => name)).size).toBe(page.resources.length);
      for (const resource of page.resources) {
        const asking = askedBy(resource);
        const text = asking ? resourceContent(asking, page, ADDRESS).body.toString() : document;
        expect(text.split(`"${resourceUrl(resource, ADDRESS)}"`)).toHaveLength(2);
      }
    });

    const askedBy = ({ from }: RecipeResource): RecipeResource | undefined => {
      if (typeof from === 'string') return undefined;
      const [kind, name] = 'stylesheet' in from ? (['stylesheet', from.stylesheet] as const) : (['script', from.script] as const);
      const asking = page.resources.find((resource) => resource.name === name && resource.kind === kind);
      expect(asking, name).toBeDefined();
      return asking;
    };

    test('fonts, fetches and style sheets that ask for more are on the server of the document, scripts ask for pictures and data only', () => {
      const asking = page.resources.flatMap((resource) => (resource.kind === 'stylesheet' ? [] : (askedBy(resource) ?? [])));
      const own = page.resources.filter(({ kind }) => kind === 'font' || kind === 'fetch');
      expect([...own, ...asking.filter(({ kind }) => kind === 'stylesheet')].filter(({ origin }) => origin !== 0)).toEqual([]);
      const scripted = page.resources.filter((resource) => askedBy(resource)?.kind === 'script');
      expect(scripted.filter(({ kind }) => kind !== 'image' && kind !== 'fetch')).toEqual([]);
      expect(page.resources.filter(({ kind, from }) => kind === 'fetch' && !(typeof from === 'object' && 'script' in from))).toEqual([]);
      expect(originCount(page)).toBeLessThanOrEqual(SERVER_ADDRESSES.length);
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
