import { describe, expect, test } from 'vitest';
import { joinPageLoad, wireOf } from '../../../../src/core/measure/join-page-load.ts';
import type { AppliedProfile } from '../../../../src/core/profiles/profile.ts';
import { entry, event, mainEvent, ORIGIN_AT, originOf, PAGE, pageTiming } from '../../../support/observation-builders.ts';

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
    expect(load.requests[0]?.type).toBe('main_frame');
  });

  test('was loaded under the profile that is said', () => {
    const applied = { profileId: 'c8-d1', verified: true } as unknown as AppliedProfile;
    expect(joinPageLoad(pageTiming(), [], { originOf, applied }).applied).toBe(applied);
    expect(join(pageTiming(), [])).not.toHaveProperty('applied');
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
    expect(load.requests[1]).toMatchObject({ requestId: '3', url: `${IMAGE}#x` });
  });

  test('does not go by the order in which the events of a request come', () => {
    const to = 'http://site.test/new.png';
    const hops = [
      event('completed', '3', 61, { url: to }),
      event('redirected', '3', 30, { url: IMAGE }),
      event('started', '3', 21, { url: IMAGE }),
    ];
    const load = join(pageTiming([entry(IMAGE, 20, 60)]), hops);
    expect(load.requests.slice(1).map(({ url, timing }) => [url, timing?.fetchStart])).toEqual([
      [IMAGE, undefined],
      [to, 20],
    ]);
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

describe('what is kept of a document', () => {
  test('is when it was parsed, loaded and painted, where that is known', () => {
    const painted = join(pageTiming([], { firstContentfulPaint: 70, largestContentfulPaint: 90 }), []);
    expect(painted).toMatchObject({
      ...{ format: 1, url: PAGE, startedAt: ORIGIN_AT, observation: { ended: 'quiet', quietMs: 2000 } },
      ...{ domContentLoadedEventEnd: 60, loadEventEnd: 200, firstContentfulPaint: 70, largestContentfulPaint: 90 },
    });
    const bare = join(pageTiming([], { domContentLoadedEventEnd: 0, loadEventEnd: 0 }), []);
    expect(Object.keys(bare).toSorted()).toEqual(['format', 'id', 'observation', 'requests', 'startedAt', 'url']);
    expect(bare.observation).not.toHaveProperty('eventsAheadMs');
  });
});

describe("webRequest's clock", () => {
  const seen = [mainEvent('completed', '1', 80), event('completed', '2', 100, { url: IMAGE })];

  test('is ahead by the middle of what both saw the end of', () => {
    // 30 of the document, 40 of the image.
    expect(join(pageTiming([entry(IMAGE, 20, 60)]), seen).observation.eventsAheadMs).toBe(35);
    // An image without an end says nothing, nor one that failed.
    expect(join(pageTiming([entry(IMAGE, 20, 0)]), seen).observation.eventsAheadMs).toBe(30);
    const failed = [mainEvent('completed', '1', 80), event('failed', '2', 100, { url: IMAGE })];
    expect(join(pageTiming([entry(IMAGE, 20, 60)]), failed).observation.eventsAheadMs).toBe(30);
  });
  test('is as far ahead as is said', () => {
    const load = joinPageLoad(pageTiming(), [mainEvent('completed', '1', 80), event('failed', '2', 100)], { originOf, eventsAheadMs: 7 });
    expect(load.observation.eventsAheadMs).toBe(7);
    expect(load.requests[1]?.outcome).toMatchObject({ at: 93 });
  });
});

describe('the same URL asked for very often', () => {
  const url = 'http://site.test/poll';
  const entries = (count: number) => Array.from({ length: count }, (_, at) => entry(url, at, 1000 + 10 * at));
  /** Each ends as the entry after its own does: nearness pairs them one off, the order of ends does not. */
  const chains = (count: number) =>
    Array.from({ length: count }, (_, at) => event('completed', `c${at}`, 1010 + 10 * at, { url })).reverse();
  const idOf = (load: ReturnType<typeof join>, start: number) =>
    load.requests.slice(1).find(({ timing }) => timing?.fetchStart === start)?.requestId;

  test('is paired by nearness up to 100,000 pairs', () => {
    const load = join(pageTiming(entries(250)), chains(400));
    expect([1, 100, 249].map((at) => idOf(load, at))).toEqual(['c0', 'c99', 'c248']);
  });
  test('is paired in the order of the ends beyond that, as far as there are channels', () => {
    const load = join(pageTiming(entries(317).reverse()), chains(316));
    expect([0, 1, 100, 315, 316].map((at) => idOf(load, at))).toEqual(['c0', 'c1', 'c100', 'c315', undefined]);
    expect(load.requests).toHaveLength(318);
  });
});

describe('a request', () => {
  test('keeps its wire facts, each where it is told', () => {
    const told = { address: '192.0.2.1', requestBytes: 300, proxied: true, fromCache: true } as const;
    const load = join(pageTiming(), [event('completed', '3', 61, told)]);
    expect(load.requests[1]?.wire).toEqual({ ...told, responseBytes: 500, status: 200, httpVersion: 'http/1.1' });
  });

  test('has no wire facts before its end, and of a failure those that there are', () => {
    expect(wireOf(event('started', '3', 61))).toStrictEqual({});
    expect(wireOf(event('failed', '3', 61))).toStrictEqual({ wire: { fromCache: false } });
    const open = join(pageTiming([entry(IMAGE, 20, 60, { transferSize: 0 })]), [event('started', '5', 25, { url: IMAGE })]).requests[1];
    expect(open).not.toHaveProperty('wire');
  });

  test('that has ended is not open, whether it failed or not', () => {
    for (const phase of ['failed', 'completed'] as const) {
      const ended = join(pageTiming(), [event('started', '3', 20), event(phase, '3', 61)]).requests[1];
      expect(ended).not.toHaveProperty('beganAt');
    }
  });

  test('that failed without a reason, before the clocks agree, failed at the beginning', () => {
    const { error: _, ...failed } = event('failed', '3', -20);
    expect(join(pageTiming(), [failed]).requests[1]?.outcome).toEqual({ state: 'failed', error: 'unknown', at: 0 });
  });

  test('that began and has no end is open since then; the document is not', () => {
    const load = join(pageTiming([], { navigation: entry(PAGE, 1, 0) }), [mainEvent('started', '1', 2), event('started', '5', 80)]);
    expect(load.requests[1]).toMatchObject({ beganAt: 80, outcome: { state: 'unfinished' } });
    expect(load.requests[0]).not.toHaveProperty('beganAt');
  });

  test('with an entry but an open channel is unfinished, as is an entry without an end', () => {
    const open = join(pageTiming([entry(IMAGE, 20, 60)]), [event('started', '5', 25, { url: IMAGE })]).requests[1];
    expect(open).toMatchObject({ outcome: { state: 'unfinished' }, timing: { responseEnd: 60 } });
    expect(open).not.toHaveProperty('beganAt');
    const endless = join(pageTiming([entry(IMAGE, 20, 0)]), []).requests[1];
    expect(endless).toMatchObject({ url: IMAGE, outcome: { state: 'unfinished' } });
    expect(endless).not.toHaveProperty('timing');
  });

  test('in a frame that was redirected has the time of its last hop', () => {
    const frame = { type: 'sub_frame', frameId: 4 } as const;
    const load = join(pageTiming(), [
      event('started', '9', 10, { ...frame, url: 'http://old.test/' }),
      event('redirected', '9', 20, { ...frame, url: 'http://old.test/' }),
      event('started', '9', 25, { ...frame, url: 'http://new.test/' }),
      event('completed', '9', 60, { ...frame, url: 'http://new.test/' }),
    ]);
    expect(load.requests.slice(1).map(({ url, timing, type }) => [url, timing, type])).toEqual([
      ['http://old.test/', undefined, 'sub_frame'],
      ['http://new.test/', { fetchStart: 25, responseEnd: 60 }, 'sub_frame'],
    ]);
  });

  test('keeps whether it held up painting, and the lookups of a connection of its own', () => {
    const connected = { domainLookupStart: 21, domainLookupEnd: 22, connectStart: 23, connectEnd: 25, secureConnectionStart: 24 };
    const load = join(pageTiming([entry(IMAGE, 20, 60, { ...connected, requestStart: 26, responseStart: 50, renderBlocking: false })]), []);
    expect(load.requests[1]).toMatchObject({ renderBlocking: false, initiatorType: 'img' });
    expect(load.requests[1]?.timing).toEqual({ ...{ fetchStart: 20, requestStart: 26, responseStart: 50, responseEnd: 60 }, ...connected });
  });

  test.each([
    ...(['img', 'image', 'input'] as const).map((name) => [name, 'image'] as const),
    ...(['audio', 'video', 'track'] as const).map((name) => [name, 'media'] as const),
    ...(['object', 'embed'] as const).map((name) => [name, 'object'] as const),
    ...(['iframe', 'frame'] as const).map((name) => [name, 'sub_frame'] as const),
    ...(['fetch', 'xmlhttprequest'] as const).map((name) => [name, 'xmlhttprequest'] as const),
    ...([
      ['script', 'script'],
      ['link', 'stylesheet'],
      ['beacon', 'beacon'],
      ['ping', 'ping'],
    ] as const),
    // An image, a font or another sheet; and what is a property of every object, but no initiator.
    ...([
      ['css', 'other'],
      ['constructor', 'other'],
    ] as const),
  ])('that only an entry tells of is of the type of who asked for it: %s: %s', (initiatorType, type) => {
    expect(join(pageTiming([entry(IMAGE, 20, 60, { initiatorType })]), []).requests[1]?.type).toBe(type);
  });
});
