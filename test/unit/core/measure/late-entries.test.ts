import { describe, expect, test } from 'vitest';
import { joinPageLoad } from '../../../../src/core/measure/join-page-load.ts';
import { addLateEntries } from '../../../../src/core/measure/late-arrivals.ts';
import { MAX_REQUESTS } from '../../../../src/core/measure/load-measures.ts';
import type { RawRequestEvent } from '../../../../src/core/measure/page-load.ts';
import type { RawEntry } from '../../../../src/core/measure/page-timing.ts';
import { entry, event, mainEvent, originOf, PAGE, pageTiming } from '../../../support/observation-builders.ts';

const IMAGE = 'http://site.test/a.png';
const image = { url: IMAGE } as const;

/** A load of which some entries came in time, and the same with those that came late. */
function late(events: readonly RawRequestEvent[], entries: readonly RawEntry[], inTime: readonly RawEntry[] = []) {
  const load = joinPageLoad(pageTiming(inTime), [mainEvent('completed', '1', 50), ...events], { originOf });
  return { load, added: addLateEntries(load, { timing: pageTiming(inTime), late: entries, originOf }) };
}

describe('addLateEntries', () => {
  test('gives a channel its timing, who asked for it and whether it held up painting', () => {
    const { load, added } = late([event('completed', '2', 2_400, image)], [entry(IMAGE, 80, 2_400, { renderBlocking: true })]);
    expect(load.requests[1]).not.toHaveProperty('timing');
    expect(added.requests).toHaveLength(2);
    expect(added.requests[1]).toMatchObject({
      ...{ requestId: '2', initiatorType: 'img', renderBlocking: true, wire: { responseBytes: 500 } },
      timing: { fetchStart: 80, responseEnd: 2_400 },
    });
  });

  test('leaves open what the entry does not say', () => {
    const frame = { ...image, frameId: 4 };
    const { load, added } = late([event('started', '2', 70, frame), event('completed', '2', 110, frame)], [entry(IMAGE, 80, 0)]);
    expect(load.requests[1]?.timing).toEqual({ fetchStart: 70, responseEnd: 110 });
    expect(added.requests[1]?.timing).toEqual({ fetchStart: 70, responseEnd: 110 });
    expect(added.requests[1]).not.toHaveProperty('renderBlocking');
  });

  test('makes a request of an entry without a channel', () => {
    const { load, added } = late([], [entry(IMAGE, 80, 90)]);
    expect(added.requests).toHaveLength(2);
    expect(added.requests[0]).toEqual(load.requests[0]);
    expect(added.requests[1]).toMatchObject({ url: IMAGE, type: 'image', timing: { fetchStart: 80 } });
    expect(added.requests[1]).not.toHaveProperty('requestId');
  });

  test('does not give a channel the entry of another address', () => {
    const { added } = late([event('completed', '2', 90, image)], [entry('http://site.test/other.png', 80, 90)]);
    expect(added.requests.slice(1).map(({ requestId, timing }) => [requestId, timing?.fetchStart])).toEqual([
      ['2', undefined],
      [undefined, 80],
    ]);
  });

  test('gives each channel one entry, in the order of the channels', () => {
    const events = [event('completed', '2', 90, image), event('completed', '3', 95, image)];
    const { added } = late(events, [entry(IMAGE, 80, 90), entry(IMAGE, 81, 95), entry(IMAGE, 82, 99)]);
    expect(added.requests.slice(1).map(({ requestId, timing }) => [requestId, timing?.fetchStart])).toEqual([
      ['2', 80],
      ['3', 81],
      [undefined, 82],
    ]);
  });

  test('finds a redirected request by the URL first asked for, and the one that was answered', () => {
    const to = 'http://cdn.test/new.png';
    const { added } = late(
      [event('redirected', '2', 60, { ...image, status: 302 }), event('completed', '2', 90, { url: to })],
      [entry(IMAGE, 55, 90)],
    );
    expect(added.requests.slice(1).map(({ url, timing }) => [url, timing?.fetchStart])).toEqual([
      [IMAGE, undefined],
      [to, 55],
    ]);
  });

  test('does not mind a fragment, on either side', () => {
    expect(late([event('completed', '2', 90, image)], [entry(`${IMAGE}#x`, 80, 90)]).added.requests).toHaveLength(2);
    expect(late([event('completed', '2', 90, { url: `${IMAGE}#y` })], [entry(IMAGE, 80, 90)]).added.requests).toHaveLength(2);
  });

  test('takes nothing from a channel that has its entry, nor from the document', () => {
    const known = late([event('completed', '2', 90, image)], [entry(IMAGE, 100, 120)], [entry(IMAGE, 80, 90)]);
    expect(known.added.requests.slice(1).map(({ requestId, timing }) => [requestId, timing?.fetchStart])).toEqual([
      ['2', 80],
      [undefined, 100],
    ]);
    // <img src=""> fetches the page itself.
    const { load, added } = late([], [entry(PAGE, 100, 120)]);
    expect(added.requests).toEqual([load.requests[0], expect.objectContaining({ url: PAGE, type: 'image' })]);
  });

  test('keeps to the most that a load may have, and says so: what came late is cut too', () => {
    const entries = Array.from({ length: MAX_REQUESTS }, (_, at) => entry(`http://site.test/${at}.png`, 80, 90));
    const { load, added } = late([], entries);
    expect(load.observation).not.toHaveProperty('tooManyRequests');
    expect(added.requests).toHaveLength(MAX_REQUESTS);
    expect(added.observation.tooManyRequests).toBe(true);
  });
});
