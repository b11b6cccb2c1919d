import { describe, expect, test } from 'vitest';
import { selectLoadEvents } from '../../../src/core/measure/select-load-events.ts';
import { event, mainEvent, PAGE, pageTiming } from '../../support/observation-builders.ts';

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
});
