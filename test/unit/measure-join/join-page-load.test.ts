import { describe, expect, test } from 'vitest';
import { joinPageLoad } from '../../../src/core/measure/join-page-load.ts';
import { entry, event, mainEvent, ORIGIN_AT, originOf, PAGE, pageTiming } from '../../support/observation-builders.ts';

const IMAGE = 'http://site.test/a.png';
const join = (timing: Parameters<typeof joinPageLoad>[0], events: Parameters<typeof joinPageLoad>[1]) =>
  joinPageLoad(timing, events, { originOf });

describe('the document', () => {
  test('comes first, with its timing and its wire facts', () => {
    const load = join(pageTiming([entry(IMAGE, 0, 5)]), [mainEvent('started', '7', 2), mainEvent('completed', '7', 51)]);
    expect(load.id).toBe(`7-${ORIGIN_AT}`);
    expect(load.requests[0]).toMatchObject({
      requestId: '7',
      url: PAGE,
      origin: 'http://site.test',
      type: 'main_frame',
      timing: { fetchStart: 1, responseEnd: 50 },
      wire: { responseBytes: 500, httpVersion: 'http/1.1', status: 200, fromCache: false },
      outcome: { state: 'completed' },
    });
    expect(load.requests[0]).not.toHaveProperty('initiatorType');
  });

  test('comes before the redirects that led to it', () => {
    const load = join(pageTiming(), [
      mainEvent('started', '7', 0, { url: 'http://short.test/' }),
      mainEvent('redirected', '7', 5, { url: 'http://short.test/', status: 301 }),
      mainEvent('started', '7', 6),
      mainEvent('completed', '7', 51),
    ]);
    expect(load.requests.map(({ url, outcome }) => [url, outcome.state])).toEqual([
      [PAGE, 'completed'],
      ['http://short.test/', 'redirected'],
    ]);
    expect(load.requests[1]?.wire).toMatchObject({ status: 301 });
    expect(load.requests[1]).not.toHaveProperty('timing');
  });

  test('left before it was complete is unfinished and has no timing', () => {
    const timing = pageTiming([], { navigation: entry(PAGE, 1, 0), ended: 'page-left', loadEventEnd: 0, domContentLoadedEventEnd: 0 });
    const load = join(timing, [mainEvent('started', '7', 2)]);
    expect(load.requests[0]?.outcome).toEqual({ state: 'unfinished' });
    expect(load.requests[0]).not.toHaveProperty('timing');
    expect(load).not.toHaveProperty('loadEventEnd');
    expect(load.observation.ended).toBe('page-left');
  });

  test('without any event of its own is still a load', () => {
    const load = join(pageTiming(), []);
    expect(load.id).toBe(`unseen-${ORIGIN_AT}`);
    expect(load.requests).toHaveLength(1);
    expect(load.requests[0]).not.toHaveProperty('wire');
  });
});

describe('timing', () => {
  test('leaves out what is 0, as not known', () => {
    const load = join(pageTiming([entry(IMAGE, 10, 30, { connectStart: 0, connectEnd: 0, requestStart: 0 })]), []);
    expect(load.requests[1]?.timing).toEqual({
      fetchStart: 10,
      domainLookupStart: 10,
      domainLookupEnd: 10,
      responseStart: 30,
      responseEnd: 30,
    });
  });

  test('keeps that the connection was open already of a document that begins before its time origin', () => {
    // As Firefox 153 tells it: fetchStart is a moment before the time origin, and DNS and connection fall back to it.
    const load = join(pageTiming([], { navigation: entry(PAGE, -1, 88, { requestStart: 3 }) }), []);
    expect(load.requests[0]?.timing).toMatchObject({ fetchStart: -1, connectStart: -1, connectEnd: -1, requestStart: 3 });
  });

  test('keeps a 0 of a document that begins at its time origin', () => {
    const load = join(pageTiming([], { navigation: entry(PAGE, 0, 30) }), []);
    expect(load.requests[0]?.timing).toMatchObject({ fetchStart: 0, requestStart: 0 });
    expect(load.requests[0]?.timing).not.toHaveProperty('secureConnectionStart');
  });

  test('of a request in a frame is what webRequest saw of it', () => {
    const frame = { type: 'sub_frame', frameId: 4, url: 'http://frame.test/' } as const;
    const load = join(pageTiming(), [event('started', '9', 70, frame), event('completed', '9', 110, frame)]);
    expect(load.requests[1]?.timing).toEqual({ fetchStart: 70, responseEnd: 110 });
  });
});

describe('pairing', () => {
  test('puts the same URL fetched twice together by their ends, whatever order they come in', () => {
    const url = 'http://site.test/twice.png';
    // Asked at 10 and 20; the second is answered first: ends 100 and 40.
    const timing = pageTiming([entry(url, 10, 100), entry(url, 20, 40)]);
    const load = join(timing, [
      event('completed', '2', 41, { url, responseBytes: 22 }),
      event('completed', '1', 103, { url, responseBytes: 11 }),
    ]);
    expect(load.requests.slice(1).map(({ requestId, timing: own, wire }) => [requestId, own?.fetchStart, wire?.responseBytes])).toEqual([
      ['1', 10, 11],
      ['2', 20, 22],
    ]);
  });

  test('pairs a redirected request by the URL first asked for, and gives the timing to the last hop', () => {
    const from = 'http://site.test/old.js';
    const to = 'http://cdn.test/new.js';
    const load = join(pageTiming([entry(from, 20, 60, { initiatorType: 'script' })]), [
      event('redirected', '3', 30, { url: from, type: 'script', status: 302 }),
      event('completed', '3', 61, { url: to, type: 'script' }),
    ]);
    expect(load.requests.slice(1).map(({ url, outcome, timing, origin }) => [url, outcome.state, timing?.responseEnd, origin])).toEqual([
      [from, 'redirected', undefined, 'http://site.test'],
      [to, 'completed', 60, 'http://cdn.test'],
    ]);
  });

  test('does not mind a fragment', () => {
    const load = join(pageTiming([entry(`${IMAGE}#x`, 20, 60)]), [event('completed', '3', 61, { url: IMAGE })]);
    expect(load.requests).toHaveLength(2);
    expect(load.requests[1]?.requestId).toBe('3');
  });

  test('keeps a failed request and when it failed, with its timing where there is one', () => {
    const load = join(pageTiming([entry(IMAGE, 20, 60)]), [event('failed', '3', 61, { url: IMAGE }), event('failed', '4', 70)]);
    expect(load.requests.slice(1).map(({ requestId, outcome, timing }) => [requestId, outcome, timing?.responseEnd])).toEqual([
      ['3', { state: 'failed', error: 'NS_ERROR_NET_RESET', at: 61 }, 60],
      ['4', { state: 'failed', error: 'NS_ERROR_NET_RESET', at: 70 }, undefined],
    ]);
  });

  test('leaves a request that was still open unfinished', () => {
    const load = join(pageTiming(), [event('started', '5', 80, { type: 'sub_frame' })]);
    expect(load.requests[1]?.outcome).toEqual({ state: 'unfinished' });
  });
});

describe('what never reached the network', () => {
  test('data: has no origin and no wire facts', () => {
    const load = join(pageTiming([entry('data:image/gif;base64,AA', 20, 21)]), []);
    expect(load.requests[1]).toMatchObject({ origin: null, type: 'image', outcome: { state: 'completed' } });
    expect(load.requests[1]).not.toHaveProperty('wire');
  });

  test('an entry with a transfer size of 0 and no channel came from a cache', () => {
    const load = join(pageTiming([entry(IMAGE, 20, 21, { transferSize: 0 })]), []);
    expect(load.requests[1]?.wire).toEqual({ fromCache: true, responseBytes: 0 });
  });

  test('an entry with an unknown transfer size and no channel stays unknown', () => {
    const load = join(pageTiming([entry(IMAGE, 20, 21, { transferSize: 300 })]), []);
    expect(load.requests[1]).not.toHaveProperty('wire');
  });
});

test('an unknown size of a response stays unknown', () => {
  const { responseBytes: _, ...unsized } = event('completed', '3', 61);
  const load = join(pageTiming(), [unsized]);
  expect(load.requests[1]?.wire).toEqual({ fromCache: false, status: 200, httpVersion: 'http/1.1' });
});

test('orders by start, and by the first event where no start is known', () => {
  const load = join(pageTiming([entry('http://site.test/late.png', 90, 95), entry('http://site.test/early.png', 20, 99)]), [
    event('completed', 'middle', 50),
  ]);
  expect(load.requests.slice(1).map(({ url }) => url)).toEqual([
    'http://site.test/early.png',
    'http://site.test/middle.png',
    'http://site.test/late.png',
  ]);
});
