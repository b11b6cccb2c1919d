import { describe, expect, test } from 'vitest';
import { selectLoadEvents } from '../../../../src/core/measure/select-load-events.ts';
import { event, mainEvent, ORIGIN_AT, PAGE, pageTiming } from '../../../support/observation-builders.ts';

const ids = (selected: ReturnType<typeof selectLoadEvents>) => selected.events.map(({ requestId }) => requestId);

describe('with the identities of Firefox 153', () => {
  const timing = pageTiming([], { documentId: 'doc-b' });

  test('takes the document whose identity both sides name, although another navigation is nearer in time', () => {
    const selected = selectLoadEvents(timing, [
      mainEvent('started', '1', 5),
      mainEvent('completed', '1', 20, { documentId: 'doc-a' }),
      mainEvent('started', '2', 400),
      mainEvent('completed', '2', 420, { documentId: 'doc-b' }),
      event('completed', '3', 30, { documentId: 'doc-a' }),
      event('completed', '4', 430, { documentId: 'doc-b' }),
      // The old document's last request ends after the new one began.
      event('failed', '5', 425, { documentId: 'doc-a' }),
    ]);
    expect(selected.mainRequestId).toBe('2');
    expect(ids(selected)).toEqual(['2', '2', '4']);
  });

  test('keeps a request that ends after the next navigation began', () => {
    const selected = selectLoadEvents(timing, [
      mainEvent('completed', '2', 20, { documentId: 'doc-b' }),
      mainEvent('started', '6', 100, { url: 'http://other.test/' }),
      event('failed', '4', 130, { documentId: 'doc-b' }),
    ]);
    expect(ids(selected)).toEqual(['2', '4']);
  });

  test('knows the document by the end of its navigation: what begins one may name the document that is left', () => {
    const selected = selectLoadEvents(timing, [
      mainEvent('started', '2', 1),
      mainEvent('started', '3', 500, { url: 'http://other.test/', documentId: 'doc-b' }),
      event('completed', '9', 20, { documentId: 'doc-b' }),
      mainEvent('completed', '2', 20, { documentId: 'doc-b' }),
    ]);
    expect(selected.mainRequestId).toBe('2');
    expect(ids(selected)).toEqual(['2', '9', '2']);
  });

  test('goes by the clock where one side names no document, and in frames', () => {
    const events = [
      mainEvent('started', '2', 1),
      mainEvent('completed', '2', 20, { documentId: 'doc-b' }),
      event('completed', '3', 30),
      event('completed', '4', 40, { frameId: 5, documentId: 'frame' }),
      mainEvent('started', '6', 100, { url: 'http://other.test/' }),
      event('completed', '7', 130),
    ];
    expect(ids(selectLoadEvents(timing, events))).toEqual(['2', '2', '3', '4']);
    const named = events.map((one) => ({ ...one, documentId: 'doc-b' }));
    expect(ids(selectLoadEvents(pageTiming(), named))).toEqual(['2', '2', '3', '4']);
  });
});

describe('before Firefox 153: by URL and clock', () => {
  test('tells fast reloads of one URL apart by their starts', () => {
    const events = [
      mainEvent('started', '1', -300),
      mainEvent('completed', '1', -280),
      event('completed', 'a', -250, { documentUrl: PAGE }),
      mainEvent('started', '2', 3),
      mainEvent('completed', '2', 20),
      event('completed', 'b', 40, { documentUrl: PAGE }),
      mainEvent('started', '3', 310),
      mainEvent('completed', '3', 330),
      event('completed', 'c', 350, { documentUrl: PAGE }),
    ];
    const selected = selectLoadEvents(pageTiming(), events);
    expect(selected.mainRequestId).toBe('2');
    expect(ids(selected)).toEqual(['2', '2', 'b']);
  });

  test('leaves the requests of the page before to it, though they end after this one began', () => {
    const previous = 'http://before.test/';
    const selected = selectLoadEvents(pageTiming(), [
      mainEvent('started', '1', -900, { url: previous }),
      event('completed', 'a', -850, { documentUrl: previous }),
      mainEvent('started', '2', 3),
      event('failed', 'b', 15, { documentUrl: previous }),
      event('completed', 'c', 60, { documentUrl: PAGE }),
    ]);
    expect(ids(selected)).toEqual(['2', 'c']);
  });

  test('finds a redirected navigation by where it ended', () => {
    const selected = selectLoadEvents(pageTiming(), [
      mainEvent('started', '1', 2, { url: 'http://short.test/' }),
      mainEvent('redirected', '1', 8, { url: 'http://short.test/' }),
      mainEvent('started', '1', 9),
      mainEvent('completed', '1', 40),
    ]);
    expect(selected.mainRequestId).toBe('1');
    expect(selected.events).toHaveLength(4);
  });

  test('does not mind the fragment of the page', () => {
    expect(selectLoadEvents(pageTiming([], { url: `${PAGE}#part` }), [mainEvent('completed', '1', 40)]).mainRequestId).toBe('1');
  });

  test('takes no navigation that is further away than the clocks can differ', () => {
    // 5 s is the tolerance; this one began 5.001 s before.
    const selected = selectLoadEvents(pageTiming(), [mainEvent('started', '1', -5_001), mainEvent('completed', '1', -4_000)]);
    expect(selected).toEqual({ mainRequestId: undefined, events: [] });
  });

  test('takes requests in frames by time alone', () => {
    const selected = selectLoadEvents(pageTiming(), [
      mainEvent('started', '1', 2),
      event('completed', 'f', 70, { frameId: 5, documentUrl: 'http://frame.test/' }),
      mainEvent('started', '2', 900, { url: 'http://other.test/' }),
      event('completed', 'g', 950, { frameId: 5, documentUrl: 'http://frame.test/' }),
    ]);
    expect(ids(selected)).toEqual(['1', 'f']);
  });

  test('leaves the requests of a page that is asked for again to the later load', () => {
    const events = [
      mainEvent('started', '1', 3),
      event('completed', 'a', 40, { documentUrl: PAGE }),
      mainEvent('started', '2', 310, { url: 'http://other.test/' }),
      // Cut off by the page that came.
      event('failed', 'b', 320, { documentUrl: PAGE }),
      mainEvent('started', '3', 900),
      event('completed', 'c', 950, { documentUrl: PAGE }),
    ];
    expect(ids(selectLoadEvents(pageTiming(), events))).toEqual(['1', 'a', 'b']);
    expect(ids(selectLoadEvents(pageTiming(), events.slice(0, 4)))).toEqual(['1', 'a', 'b']);
    const again = selectLoadEvents(pageTiming([], { timeOrigin: ORIGIN_AT + 900 }), events);
    expect(ids(again)).toEqual(['3', 'c']);
  });

  test('is not misled by the order in which events were stored', () => {
    const selected = selectLoadEvents(pageTiming([], { timeOrigin: ORIGIN_AT + 300 }), [
      mainEvent('completed', '3', 930),
      mainEvent('started', '3', 910, { url: 'http://short.test/' }),
      mainEvent('completed', '2', 340),
      event('completed', 'b', 350),
      event('completed', 'c', 940),
      mainEvent('started', '2', 303, { url: 'http://short.test/' }),
      event('completed', 'a', 250),
      mainEvent('completed', '1', 40),
      mainEvent('started', '1', 2, { url: 'http://short.test/' }),
    ]);
    expect(selected.mainRequestId).toBe('2');
    expect(ids(selected)).toEqual(['2', 'b', '2']);
  });

  test.each([-5_000, 5_000])('takes a navigation that is %i ms away: the tolerance', (at) => {
    expect(selectLoadEvents(pageTiming(), [mainEvent('started', '1', at)]).mainRequestId).toBe('1');
    expect(selectLoadEvents(pageTiming(), [mainEvent('started', '1', at + Math.sign(at))]).mainRequestId).toBeUndefined();
  });

  test('takes the navigation that is nearest, on either side', () => {
    const [before, after] = [mainEvent('started', '1', -30), mainEvent('started', '2', 20)];
    expect(selectLoadEvents(pageTiming(), [before, after]).mainRequestId).toBe('2');
    expect(selectLoadEvents(pageTiming(), [{ ...before, at: ORIGIN_AT - 10 }, after]).mainRequestId).toBe('1');
  });

  test('lasts from the instant at which its navigation began to that at which the next did', () => {
    const selected = selectLoadEvents(pageTiming(), [
      event('completed', 'a', 1),
      mainEvent('started', '1', 2),
      event('completed', 'b', 2),
      event('completed', 'c', 99),
      mainEvent('started', '2', 100, { url: 'http://other.test/' }),
      event('completed', 'd', 100),
      event('completed', 'e', 100, { documentUrl: 'http://third.test/' }),
    ]);
    expect(ids(selected)).toEqual(['1', 'b', 'c']);
  });

  test('lasts from its time origin where no navigation is its own', () => {
    const away = { url: 'http://other.test/' };
    const selected = selectLoadEvents(pageTiming(), [
      mainEvent('started', '1', -900, away),
      event('completed', 'a', -1),
      event('completed', 'b', 0),
      event('completed', 'c', 50, { documentUrl: away.url }),
      mainEvent('started', '2', 100, away),
      event('completed', 'd', 101),
    ]);
    expect(selected.mainRequestId).toBeUndefined();
    expect(ids(selected)).toEqual(['b', 'c']);
  });

  test('knows the page before by where it ended, and no page by its fragment', () => {
    const selected = selectLoadEvents(pageTiming([], { url: `${PAGE}#here` }), [
      mainEvent('started', '1', -900, { url: 'http://short.test/' }),
      mainEvent('completed', '1', -800, { url: 'http://before.test/#top' }),
      mainEvent('started', '2', 3),
      event('failed', 'a', 15, { documentUrl: 'http://before.test/#part' }),
      event('completed', 'b', 60, { documentUrl: 'http://short.test/' }),
      mainEvent('started', '3', 100, { url: 'http://other.test/' }),
      event('completed', 'c', 110, { documentUrl: `${PAGE}#there` }),
      event('completed', 'd', 110, { documentUrl: 'http://short.test/' }),
      mainEvent('started', '4', 200, { url: `${PAGE}#part` }),
      event('completed', 'e', 200, { documentUrl: PAGE }),
    ]);
    expect(ids(selected)).toEqual(['2', 'b', 'c']);
  });
});
