/** How many bytes a response takes, by what its HAR says of it. */
import { describe, expect, it } from 'vitest';
import { pageFromHar } from '../../../../src/core/har/page-from-har.ts';
import { entry, harOf } from '../har/har-of.ts';

const DOCUMENT = entry('https://a.test/', { body: 4900 });

interface Said {
  readonly url?: string;
  readonly request?: Readonly<Record<string, unknown>>;
  readonly response: Readonly<Record<string, unknown>>;
  readonly of?: Readonly<Record<string, unknown>>;
  readonly others?: readonly unknown[];
}

/** Bytes of the last request, and the rules for sizes that were used. */
function sizeOf({ url = 'https://a.test/x.js', request, response, of, others = [] }: Said) {
  const sound = entry(url, { at: 200 }) as { request: object; response: object };
  const last = { ...sound, request: { ...sound.request, ...request }, response: { ...sound.response, ...response }, ...of };
  const { page, inferred } = pageFromHar(harOf([DOCUMENT, ...others, last]));
  return [page.requests.at(-1)?.bytes, ...inferred.filter(({ field }) => field === 'sizes').map(({ rule }) => rule.slice(0, 20))];
}

const header = (name: string, value: string) => ({ name, value });
/** 14 + 2 + 4 + 2 = 22 characters with the lines' ends; 19 more for status line and empty line. */
const LENGTH = header('Content-Length', '2000');
const GZIP = header('Content-Encoding', 'gzip');

describe('a response', () => {
  it('is as large as was transferred', () => {
    expect(sizeOf({ response: { _transferSize: 1234 } })).toEqual([1234]);
    expect(sizeOf({ response: {}, of: { _bytesIn: '1234' } })).toEqual([1234]);
  });

  it('is headers and body', () => {
    expect(sizeOf({ response: { headersSize: 300, bodySize: 2000 } })).toEqual([2300]);
    // What was transferred by the time the headers were there is no size.
    expect(sizeOf({ response: { headersSize: 300, bodySize: 2000, _transferSize: 300 } })).toEqual([2300]);
  });

  it('holds its headers in the body where that exceeds its length', () => {
    expect(sizeOf({ response: { headersSize: -1, bodySize: 2040, headers: [LENGTH] } })).toEqual([2040]);
  });

  it('has headers as long as their text where they are not measured, and shorter ones where they are packed', () => {
    const response = { headersSize: -1, bodySize: 1000, headers: [header('X', 'y'.repeat(176))] };
    // 1 + 176 + 4 + 19 = 200.
    expect(sizeOf({ response })).toEqual([1200, 'Headers of a respons']);
    expect(sizeOf({ response: { ...response, httpVersion: 'h2' } })).toEqual([1030, 'Headers of a respons']);
    // Without text as long as the page's others, 100.
    expect(sizeOf({ response: { ...response, headers: [] } })).toEqual([1100, 'Headers of a respons']);
  });

  it('has a body as long as its Content-Length, or as its contents less what compression saved', () => {
    const unknown = { headersSize: 100, bodySize: -1 };
    expect(sizeOf({ response: { ...unknown, headers: [LENGTH] } })).toEqual([2100]);
    expect(sizeOf({ response: { ...unknown, content: { size: 5000, compression: 3500 } } })).toEqual([1600]);
    // A body of 0 with contents beside it was not seen.
    expect(sizeOf({ response: { headersSize: 100, bodySize: 0, headers: [LENGTH], content: { size: 5000 } } })).toEqual([2100]);
  });

  it('is as large as its contents, or what compression leaves of them', () => {
    const response = { headersSize: 100, bodySize: -1, content: { size: 5000 } };
    expect(sizeOf({ response })).toEqual([5100, 'The size on the wire']);
    expect(sizeOf({ response: { ...response, headers: [GZIP] } })).toEqual([1600, 'The size on the wire']);
    const other = { ...entry('https://a.test/o.js', { at: 190 }) };
    const packed = { ...(other.response as object), headers: [GZIP], bodySize: 400, content: { size: 2000 } };
    expect(sizeOf({ response: { ...response, headers: [GZIP] }, others: [{ ...other, response: packed }] })[0]).toBe(1100);
  });

  it('is like others of its class, or like all, where nothing is known', () => {
    const unknown = { headersSize: -1, bodySize: -1, content: {} };
    const scripts = [1000, 2000, 4000].map((body, n) => entry(`https://a.test/${n}.js`, { at: 190, body: body - 100 }));
    expect(sizeOf({ response: unknown, others: scripts })).toEqual([2000, 'No size is recorded,']);
    expect(sizeOf({ response: unknown, others: [entry('https://a.test/i.png', { at: 190, body: 900 })] })).toEqual([
      3000,
      'No size is recorded,',
    ]);
    expect(sizeOf({ response: unknown })).toEqual([5000, 'No size is recorded,']);
    expect(sizeOf({ response: { ...unknown, bodySize: 2 ** 30 + 1 } })).toEqual([5000, 'No size is recorded,']);
  });

  it('has no body where status or method say so', () => {
    for (const status of [204, 304])
      expect(sizeOf({ response: { status, headersSize: 250, bodySize: -1, content: { size: 9000 } } })).toEqual([250]);
    expect(sizeOf({ request: { method: 'HEAD' }, response: { headersSize: 250, bodySize: -1, content: { size: 9000 } } })).toEqual([250]);
  });

  it('is never nothing', () => {
    expect(sizeOf({ response: { status: 204, headersSize: -1, bodySize: 0, headers: [header('X', '')] } })[0]).toBe(24);
    expect(sizeOf({ response: { headersSize: -5, bodySize: -7, _transferSize: -3, content: { size: -1 } } })[0]).toBe(5000);
  });
});

it('takes a typical size where the whole page has none', () => {
  const bare = { ...entry('https://a.test/'), response: { status: 200 } };
  const { page, inferred } = pageFromHar(harOf([bare]));
  expect(page.requests.map(({ bytes }) => bytes)).toEqual([37_000]);
  expect(inferred.find(({ field }) => field === 'sizes')?.rule).toContain('37 kB');
});

it('asks again for a document that came from the cache, at the cost of headers', () => {
  const cached = { ...entry('https://a.test/', { body: 90_000 }), _fromCache: 'disk' };
  const { page, inferred } = pageFromHar(harOf([cached, entry('https://a.test/x.js', { at: 200 })]));
  expect(page.requests.map(({ bytes }) => bytes)).toEqual([100, 1000]);
  expect(inferred.find(({ field }) => field === 'sizes')?.rule).toContain('came from the cache');
});

describe('a request', () => {
  const requestBytes = (request: Readonly<Record<string, unknown>>) => {
    const sound = entry('https://a.test/') as { request: object };
    return pageFromHar(harOf([{ ...sound, request: { ...sound.request, ...request } }])).page.requests[0]?.requestBytes;
  };

  it('is headers and body, as stated or as long as their text', () => {
    expect(requestBytes({ headersSize: 420, bodySize: 80 })).toBe(500);
    // Path 1, line 16, header 4 + 11 + 4.
    expect(requestBytes({ headersSize: -1, bodySize: -1, headers: [header('Name', 'eleven char')] })).toBe(36);
    expect(requestBytes({ headersSize: -1, headers: [] })).toBeUndefined();
  });
});
