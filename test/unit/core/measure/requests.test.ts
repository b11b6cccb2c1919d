import { describe, expect, it, test } from 'vitest';
import { duplicateCost, duplicateFetches, duplicateMeasures } from '../../../../src/core/measure/duplicate-fetches.ts';
import {
  connectionState,
  connectionUse,
  countVersions,
  httpVersionOf,
  httpVersionShares,
  peakOutstanding,
  queueWait,
  renderBlockingEnd,
  requestQueueWait,
} from '../../../../src/core/measure/requests.ts';
import { milliseconds } from '../../../../src/core/units.ts';
import { requestOf, waterfall } from '../../../fixtures/waterfall.ts';

const requests = (...lines: string[]) => lines.map(requestOf);

describe('queue wait', () => {
  it('is the time before the request went out, less its own lookup and connection', () => {
    // 500 - 0 = 500, less 20 (lookup) and 300 (connection): 180.
    expect(requestQueueWait(requestOf('a.test/ image fetch=0 dns=0-20 connect=150-450 send=500 end=900'))).toBe(180);
    expect(requestQueueWait(requestOf('a.test/ image fetch=100 reused send=340 end=900'))).toBe(240);
    expect(requestQueueWait(requestOf('a.test/ image fetch=100 send=340 end=900'))).toBe(240);
  });
  it('is less nothing for a phase of which an end is unknown, or that ended before it began', () => {
    const timing = { fetchStart: milliseconds(0), requestStart: milliseconds(500), responseEnd: milliseconds(900) };
    const ends = { domainLookupEnd: milliseconds(20), connectEnd: milliseconds(20) };
    expect(requestQueueWait({ ...requestOf('a.test/ image'), timing: { ...timing, ...ends } })).toBe(500);
    for (const phases of ['dns=20', 'dns=20-10', 'connect=20', 'connect=20-10']) {
      expect(requestQueueWait(requestOf(`a.test/ image fetch=0 ${phases} send=500 end=900`))).toBe(500);
    }
  });
  it('is never negative: the clock has steps of 1 ms', () => {
    expect(requestQueueWait(requestOf('a.test/ image fetch=0 connect=0-301 send=300 end=900'))).toBe(0);
  });
  it('is unknown without a requestStart, and of what a cache answered', () => {
    expect(requestQueueWait(requestOf('a.test/ image fetch=0 end=900'))).toBeUndefined();
    expect(requestQueueWait(requestOf('a.test/ image'))).toBeUndefined();
    expect(requestQueueWait(requestOf('a.test/ image fetch=0 send=10 end=900 cached'))).toBeUndefined();
    expect(queueWait(requests('a.test/ image fetch=0 end=900'))).toBeUndefined();
  });
  it('sums up: waits 0, 100, 500', () => {
    expect(
      queueWait(
        requests(
          'a.test/1 image fetch=0 send=0 end=1',
          'a.test/2 image fetch=0 send=500 end=501',
          'a.test/3 image fetch=0 send=100 end=101',
        ),
      ),
    ).toEqual({ medianMs: 100, maxMs: 500, totalMs: 600 });
  });
});

describe('requests outstanding', () => {
  it('are counted over all origins and for each', () => {
    // a: 0..100 and 50..200; b: 100..150. At 100 one of a ends as b's begins: all origins stay at 2.
    const over = peakOutstanding(
      requests(
        'a.test/1 image fetch=0 send=0 end=100',
        'a.test/2 image fetch=0 send=50 end=200',
        'b.test/1 image fetch=0 send=100 end=150',
      ),
    );
    expect(over).toEqual({ peak: 2, byOrigin: { 'http://a.test': 2, 'http://b.test': 1 } });
  });
  it('does not count a connection twice that sends its next request as the one before ends', () => {
    const [first, second] = ['a.test/1 image fetch=0 send=0 end=10', 'a.test/2 image fetch=0 send=10 end=20'];
    expect(peakOutstanding(requests(first, second)).peak).toBe(1);
    expect(peakOutstanding(requests(second, first)).peak).toBe(1);
  });
  it('counts a request answered within one step of the clock for its instant', () => {
    expect(peakOutstanding(requests('a.test/1 image fetch=5 send=5 end=5'))).toMatchObject({ peak: 1 });
    // So does one that ended before it was sent, by its clock.
    expect(peakOutstanding(requests('a.test/1 image fetch=5 send=9 end=5'))).toMatchObject({ peak: 1 });
    const over = peakOutstanding(requests('a.test/1 image fetch=0 send=0 end=100', 'b.test/2 image fetch=50 send=50 end=50'));
    expect(over).toEqual({ peak: 2, byOrigin: { 'http://a.test': 1, 'http://b.test': 1 } });
  });
  it('leaves out caches, data: URLs and what has no requestStart', () => {
    expect(
      peakOutstanding(
        requests(
          'a.test/1 image fetch=0 send=0 end=9 cached',
          'data:, image fetch=0 send=0 end=9',
          'a.test/2 image fetch=0 end=9',
          'a.test/3 image',
        ),
      ),
    ).toEqual({ peak: 0, byOrigin: {} });
  });
});

describe('connection use', () => {
  it.each([
    ['a.test/ image fetch=0 connect=0-300 end=900', 'cold'],
    ['a.test/ image fetch=7 reused end=900', 'reused'],
    ['a.test/ image fetch=0 end=900', 'unknown'],
    ['a.test/ image', 'unknown'],
    ['a.test/ image fetch=0 connect=5 end=900', 'unknown'],
    ['a.test/ image fetch=0 connect=0-1 end=900 proxied', 'unknown'],
    ['a.test/ image fetch=0 reused end=1 cached', 'none'],
    ['data:, image fetch=0 reused end=1', 'none'],
  ])('%s: %s', (line, state) => {
    expect(connectionState(requestOf(line))).toBe(state);
  });
  it('is unknown where only the end of connecting is', () => {
    const timing = { fetchStart: milliseconds(0), connectEnd: milliseconds(5), responseEnd: milliseconds(9) };
    expect(connectionState({ ...requestOf('a.test/ image'), timing })).toBe('unknown');
  });
  it('counts what is known, and is unknown where nothing is', () => {
    expect(
      connectionUse(requests('a.test/ image fetch=0 connect=0-3 end=9', 'a.test/ image fetch=7 reused end=9', 'a.test/ image')),
    ).toEqual({
      cold: 1,
      reused: 1,
    });
    expect(connectionUse(requests('a.test/ image'))).toBeUndefined();
  });
});

describe('duplicate fetches', () => {
  const found = (...lines: string[]) => duplicateFetches(waterfall(lines.join('\n')));
  const document = 'a.test/ main_frame bytes=1';

  it('finds what was fetched again, fragment or not', () => {
    expect(found(document, 'a.test/i image', 'a.test/i#x image', 'a.test/i stylesheet', 'a.test/j image')).toEqual([
      { url: 'http://a.test/i', extra: 2, bytes: undefined, emptySource: false },
    ]);
  });
  it('prices them: bytes, round trips, and the time one after the other', () => {
    const twice = found(
      'a.test/ main_frame bytes=4000',
      'a.test/ image bytes=4000',
      'a.test/i image bytes=900',
      'a.test/i image bytes=1000',
    );
    const measures = duplicateMeasures(twice);
    expect(measures).toEqual({ duplicateFetches: 2, duplicateBytes: 5000, emptySources: 1 });
    // 2 x 100 ms, and 5,000 bytes at 1,000 kbit/s: 40 ms.
    expect(duplicateCost(measures, { rttMs: 100, downKbps: 1000 })).toEqual({
      ...{ requests: 2, roundTrips: 2, emptySources: 1, bytes: 5000, ms: 240 },
    });
    expect(duplicateCost(measures, undefined)).not.toHaveProperty('ms');
    expect(duplicateMeasures(found('a.test/ main_frame', 'a.test/i image', 'a.test/i image'))).toEqual({ duplicateFetches: 1 });
    expect(duplicateCost({ duplicateFetches: 0 }, undefined)).toBeUndefined();
    expect(duplicateCost(measures, { rttMs: 100, downKbps: 0 })).not.toHaveProperty('ms');
    expect(duplicateCost({ duplicateFetches: 1 }, { rttMs: 100, downKbps: 1000 })).toEqual({ requests: 1, roundTrips: 1, emptySources: 0 });
    expect(duplicateMeasures([])).toEqual({ duplicateFetches: 0 });
  });
  it('takes the bytes of several addresses together only where each is known', () => {
    const [known, unknown] = [
      ['a.test/i image bytes=1', 'a.test/i image bytes=900'],
      ['a.test/j image', 'a.test/j image'],
    ] as const;
    const other = ['a.test/k image bytes=1', 'a.test/k image bytes=50', 'a.test/k image bytes=50'];
    expect(duplicateMeasures(found(document, ...known, ...other))).toEqual({ duplicateFetches: 3, duplicateBytes: 1000 });
    expect(duplicateMeasures(found(document, ...known, ...unknown))).toEqual({ duplicateFetches: 2 });
  });
  it('lists them by address', () => {
    const lines = ['c', 'a', 'b'].flatMap((name) => [`a.test/${name} image`, `a.test/${name} image`]);
    expect(found(document, ...lines).map(({ url }) => url)).toEqual(['http://a.test/a', 'http://a.test/b', 'http://a.test/c']);
  });
  it.each(['sub_frame', 'stylesheet', 'script', 'image', 'imageset', 'font', 'media', 'object', 'xslt', 'web_manifest', 'json'])(
    'counts what is the same each time: %s',
    (type) => {
      expect(found(document, `a.test/i ${type}`, `a.test/i ${type}`)).toMatchObject([{ extra: 1 }]);
    },
  );
  it('counts a document and an image set that are fetched as the page itself', () => {
    expect(found(document, 'a.test/ main_frame')).toMatchObject([{ extra: 1, emptySource: false }]);
    expect(found(document, 'a.test/ imageset')).toMatchObject([{ extra: 1, emptySource: true }]);
  });
  it('knows an image without a source by the document it fetches', () => {
    expect(found('a.test/#top main_frame', 'a.test/ image')).toMatchObject([{ url: 'http://a.test/', extra: 1, emptySource: true }]);
    expect(found(document, 'a.test/ sub_frame')).toMatchObject([{ url: 'http://a.test/', extra: 1, emptySource: false }]);
  });
  it.each([
    ['answered by a cache', ['a.test/i image', 'a.test/i image cached']],
    ['a redirect to itself', ['a.test/i image redirected', 'a.test/i image']],
    ['tried again after a failure', ['a.test/i image failed', 'a.test/i image']],
    ['ranges of one file', ['a.test/v media status=206', 'a.test/v media status=206']],
    ['what a script polls', ['a.test/p xmlhttprequest', 'a.test/p xmlhttprequest']],
    ['beacons', ['a.test/p beacon', 'a.test/p beacon']],
  ])('is not: %s', (_, lines) => {
    expect(found(document, ...lines)).toEqual([]);
  });
});

describe('HTTP versions and render blocking', () => {
  it('shares out the requests whose version is known', () => {
    expect(
      httpVersionShares(
        requests(
          'a.test/1 image h2',
          'a.test/2 image h1',
          'a.test/3 image h2',
          'a.test/4 image h2',
          'a.test/5 image',
          'a.test/6 image h1 cached',
        ),
      ),
    ).toEqual({
      'http/1.1': 0.25,
      'http/2': 0.75,
    });
    expect(httpVersionShares(requests('a.test/1 image'))).toEqual({});
    // In their own order, whichever came first.
    const versions = httpVersionShares(requests('a.test/1 image h3', 'a.test/2 image h1', 'a.test/3 image h2'));
    expect(Object.keys(versions)).toEqual(['http/1.1', 'http/2', 'http/3']);
  });
  it('ends with the last request that blocked painting', () => {
    expect(
      renderBlockingEnd(
        requests(
          'a.test/1 script fetch=0 end=70 blocking',
          'a.test/2 stylesheet fetch=0 end=90 blocking',
          'a.test/3 image fetch=0 end=500',
        ),
      ),
    ).toBe(90);
    expect(renderBlockingEnd(requests('a.test/3 image fetch=0 end=500', 'a.test/4 script blocking'))).toBeUndefined();
  });
});

describe('httpVersionOf', () => {
  test.each([
    ['HTTP/1.0 200 OK', 'http/1.0'],
    ['HTTP/1.1 200 OK', 'http/1.1'],
    ['HTTP/1.1 404', 'http/1.1'],
    // As seen in Firefox 153: an empty reason after the status.
    ['HTTP/2.0 200 ', 'http/2'],
    ['HTTP/2 200', 'http/2'],
    ['HTTP/3.0 200 ', 'http/3'],
    ['HTTP/3 200', 'http/3'],
  ])('reads %j as %s', (line, version) => {
    expect(httpVersionOf(line)).toBe(version);
  });

  test.each([
    '',
    'HTTP/0.9 200 OK',
    'HTTP/11.1 200',
    'http/1.1 200 OK',
    'SIP/2.0 200 OK',
    ' HTTP/1.1 200',
    'HTTP/1.10 200',
    'HTTP/4 200',
    'HTTP/1.1',
    undefined,
  ])('knows no version in %j', (line) => {
    expect(httpVersionOf(line)).toBe(line === 'HTTP/1.1' ? 'http/1.1' : undefined);
  });
});

test('requests are counted by HTTP version, those of the network alone', () => {
  const over = (httpVersion?: 'http/1.0' | 'http/1.1' | 'http/2' | 'http/3', fromCache = false) => ({
    origin: 'https://a.test',
    wire: { fromCache, ...(httpVersion && { httpVersion }) },
  });
  const counts = countVersions([
    over('http/1.1'),
    over('http/1.0'),
    over('http/2'),
    over('http/3'),
    over('http/3'),
    over(),
    over('http/2', true),
    { origin: null },
    { origin: 'https://b.test' },
  ]);
  expect(counts).toEqual({ requests: 7, http1: 2, http2: 1, http3: 2 });
});
