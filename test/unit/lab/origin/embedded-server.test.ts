import { describe, expect, test } from 'vitest';
import { CONNECTION_HEADER, proxiedRequests, servedPages } from '../../../../src/lab/origin/embedded-server.ts';
import { resourceContent } from '../../../../src/lab/pages/page-content.ts';
import { type PageRecipe, parseRecipe } from '../../../../src/lab/pages/page-recipe.ts';
import { PAGES } from '../../../../src/lab/pages/pages.ts';
import { originsOf, REVERSE_PROXY_PORTS, reverseProxyKinds, SERVED_BY } from '../../../../src/lab/pages/served-by.ts';

const ORIGINS = ['https://198.18.0.2:9443', 'https://198.18.0.3:9443'];
const OBJECTS: PageRecipe = {
  name: 'objects',
  title: 'Two objects',
  documentBytes: 900,
  documentServerMs: 7,
  resources: [
    { name: 'ask.js', kind: 'script', bytes: 300, origin: 0, from: 'head', serverMs: 3 },
    { name: 'one.json', kind: 'fetch', bytes: 1_000_000, origin: 0, from: { script: 'ask.js' } },
    { name: 'dot.png', kind: 'image', bytes: 100, origin: 1, from: 'body' },
  ],
};

describe('what the embedded server serves', () => {
  test('a page that was sent, beside the built-in ones, with the names of those who ask', () => {
    const pages = servedPages();
    expect(pages.answer('/objects/t0/', ORIGINS)).toBeUndefined();
    pages.add([OBJECTS]);
    const document = pages.answer('/objects/t0/', ORIGINS);
    expect([document?.content.body.length, document?.serverMs]).toEqual([900, 7]);
    expect(document?.content.body.toString()).toContain('<img src="https://198.18.0.3:9443/objects/t0/dot.png"');
    expect(pages.answer('/objects/t0/ask.js', ORIGINS)?.content.body.toString()).toContain(
      'fetch("https://198.18.0.2:9443/objects/t0/one.json")',
    );
    expect(pages.answer('/objects/t0/one.json', ORIGINS)?.content.body.length).toBe(1_000_000);
    expect(pages.answer('/wiki/t0/skin.css', ORIGINS)?.serverMs).toBe(5);
  });

  test('of two with one name the later counts', () => {
    const pages = servedPages();
    pages.add([{ ...OBJECTS, name: 'wiki' }]);
    expect(pages.answer('/wiki/t0/', ORIGINS)?.content.body.length).toBe(900);
  });

  test.each(['/', '/wiki', '/wiki/', '/wiki/t0', '/wiki//skin.css', '/wiki/t0/nothing', '/nothing/t0/', '/wiki/t0/skin.css/more'])(
    'nothing is at %s',
    (path) => expect(servedPages().answer(path, ORIGINS)).toBeUndefined(),
  );
});

describe('bodies that depend on their size only', () => {
  const body = (bytes: number, kind: 'fetch' | 'image' = 'fetch') =>
    resourceContent({ name: 'x', kind, bytes, origin: 0, from: 'body' }, OBJECTS, { origins: [], prefix: '/' }).body;

  /** Compared as one, not byte by byte. */
  const same = (a: Buffer, b: Buffer) => a === b;

  test('are made once and served again, and are what they were', () => {
    expect(same(body(50_000_000), body(50_000_000))).toBe(true);
    expect(same(body(1000, 'image'), body(1000))).toBe(false);
    expect(body(16).toString()).toBe('"data data data"');
    expect(JSON.parse(body(1_000_000).toString())).toHaveLength(1_000_000 - 2);
  });

  test('are forgotten, the longest unused first, when they would fill the memory', () => {
    const [first, second] = [body(60_000_000), body(60_000_001)];
    expect(same(body(60_000_000), first)).toBe(true);
    // 180 MB would be kept: the second is the longest unused.
    body(60_000_002);
    expect(same(body(60_000_000), first)).toBe(true);
    const again = body(60_000_001);
    expect([same(again, second), again.equals(second)]).toEqual([false, true]);
  });
});

describe('recipes from outside', () => {
  const withResource = (change: object) => ({ ...OBJECTS, resources: [OBJECTS.resources[0], { ...OBJECTS.resources[2], ...change }] });

  test('every built-in page is one, and comes through as it is', () => {
    for (const page of PAGES) expect(parseRecipe(JSON.parse(JSON.stringify(page)))).toEqual(page);
  });

  test.each([
    [{ name: '../etc/passwd' }, 'resources.1.name'],
    [{ bytes: -1 }, 'resources.1.bytes'],
    [{ bytes: 1e9 }, 'resources.1.bytes'],
    [{ origin: 12 }, 'resources.1.origin'],
    [{ kind: 'film' }, 'resources.1.kind'],
    [{ name: 'ask.js' }, 'two resources have the same name'],
    [{ from: { script: 'gone.js' } }, 'dot.png is asked for by gone.js, which is no script of the page'],
    [{ from: { stylesheet: 'ask.js' } }, 'dot.png is asked for by ask.js, which is no stylesheet of the page'],
    [{ kind: 'fetch', origin: 0 }, 'dot.png is a fetch and must be asked for by a script'],
    [{ kind: 'font' }, "dot.png is a font and must be on the document's server"],
    [{ kind: 'script', from: { script: 'ask.js' } }, 'dot.png is asked for by a script, which asks for pictures and data only'],
  ])('%j is refused in words', (change, complaint) => {
    const refused = () => parseRecipe(withResource(change));
    expect(refused).toThrow(/^The page recipe "objects" cannot be served/);
    expect(refused).toThrow(complaint);
  });

  test('what is no recipe at all is refused too', () => {
    expect(() => parseRecipe(undefined)).toThrow(/^A page recipe cannot be served/);
    expect(() => parseRecipe({ ...OBJECTS, title: '<script>' })).toThrow('title');
  });
});

const ADDRESSES = ['198.18.0.2', '198.18.0.3'];
const asked = (host: string, connection = '198.18.0.1:50000') => ({ headers: { host, [CONNECTION_HEADER]: connection } });

describe('who asked for what, behind a server in front', () => {
  const behind = proxiedRequests(['nginx', 'http2'], ADDRESSES);

  test('the Host header tells the server, and how its page names the others', () => {
    expect(behind.identify(asked('198.18.0.3:9443'))).toMatchObject({
      origin: 'https://198.18.0.3:9443',
      origins: ['https://198.18.0.2:9443', 'https://198.18.0.3:9443'],
    });
    expect(behind.identify(asked('198.18.0.2:8080'))).toMatchObject({ origin: 'http://198.18.0.2:8080' });
  });

  test.each(['198.18.0.2', '198.18.0.4:8080', '198.18.0.2:10443', ''])('nobody is behind %j', (host) => {
    expect(behind.identify(asked(host))).toBeUndefined();
  });

  test('servers with names answer to every visitor, each with names of its own', () => {
    const named = proxiedRequests(['negotiated'], ADDRESSES);
    expect(named.identify(asked('s1-t7.lab.test'))).toMatchObject({
      origin: 'https://s1-t7.lab.test',
      origins: ['https://s0-t7.lab.test', 'https://s1-t7.lab.test'],
    });
    for (const nobody of ['s2-t7.lab.test', 's0.lab.test', 's0-t7.lab.test:443', '198.18.0.2']) {
      expect(named.identify(asked(nobody))).toBeUndefined();
    }
    expect(behind.identify(asked('s1-t7.lab.test'))).toBeUndefined();
  });

  test("connections are the browser's: told apart by its end and by server, until the next load", () => {
    const first = behind.identify(asked('198.18.0.2:8080'))?.connection;
    expect(behind.identify(asked('198.18.0.2:8080'))?.connection).toBe(first);
    expect(behind.identify(asked('198.18.0.2:8080', '198.18.0.1:50001'))?.connection).not.toBe(first);
    expect(behind.identify(asked('198.18.0.3:8080'))?.connection).not.toBe(first);
    behind.reset();
    expect(behind.identify(asked('198.18.0.2:8080'))?.connection).not.toBe(first);
  });
});

describe('addresses', () => {
  test('every kind has a port and a scheme of its own', () => {
    expect(SERVED_BY.map((kind) => originsOf(kind, ['198.18.0.2'])[0])).toEqual([
      'http://198.18.0.2',
      'http://198.18.0.2:8080',
      'https://198.18.0.2:8443',
      'https://198.18.0.2:9443',
      'https://198.18.0.2:10443',
      'https://s0-nobody.lab.test',
    ]);
    expect(new Set(Object.values(REVERSE_PROXY_PORTS)).size).toBe(5);
  });

  test('the embedded server stands in front of nothing, and no kind counts twice', () => {
    expect(reverseProxyKinds(['http3', 'embedded', 'nginx', 'http3'])).toEqual(['nginx', 'http3']);
    expect(reverseProxyKinds(['embedded'])).toEqual([]);
  });
});
