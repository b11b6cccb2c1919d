import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinPageLoad } from '../../../../src/core/measure/join-page-load.ts';
import { addLateEvents } from '../../../../src/core/measure/late-arrivals.ts';
import { MAX_REQUESTS } from '../../../../src/core/measure/load-measures.ts';
import { measureLoad } from '../../../../src/core/measure/measure-load.ts';
import { entry, event, mainEvent, originOf, PAGE, pageTiming } from '../../../support/observation-builders.ts';

const IMAGE = 'http://site.test/a.png';

describe('addLateEvents', () => {
  test('gives an open request its end', () => {
    const frame = { type: 'sub_frame', url: 'http://frame.test/' } as const;
    const load = joinPageLoad(pageTiming(), [mainEvent('completed', '1', 50), event('started', '2', 80, frame)], { originOf });
    expect(load.requests[1]?.outcome.state).toBe('unfinished');
    const patched = addLateEvents(load, [event('completed', '2', 2_500, frame)], originOf);
    expect(patched.requests).toHaveLength(2);
    expect(patched.requests[1]).toMatchObject({ requestId: '2', outcome: { state: 'completed' }, wire: { responseBytes: 500 } });
  });

  test('gives what a frame asked for its time, by the clock of the document', () => {
    const inFrame = { frameId: 7, url: 'http://ad.test/a.png' } as const;
    // webRequest's clock is 30 ms ahead: the document ended at 50 and was seen to end at 80.
    const seen = [mainEvent('completed', '1', 80), event('started', '2', 150, inFrame), event('started', '3', 160, inFrame)];
    const load = joinPageLoad(pageTiming(), [...seen, event('completed', '3', 180, inFrame)], { originOf });
    expect(load.observation.eventsAheadMs).toBe(30);
    const of = (loaded: typeof load, id: string) => loaded.requests.find(({ requestId }) => requestId === id);
    expect(of(load, '3')?.timing).toEqual({ fetchStart: 130, responseEnd: 150 });
    expect(of(load, '2')).toMatchObject({ outcome: { state: 'unfinished' }, beganAt: 120 });
    // Nobody knows of the page's own requests that have no end, and so not of these.
    expect(measureLoad(load, {})).toMatchObject({ loadTimeMs: 149, bytes: 1000, requests: 2 });
    const patched = addLateEvents(load, [event('completed', '2', 2_430, inFrame)], originOf);
    expect(of(patched, '2')?.timing).toEqual({ fetchStart: 120, responseEnd: 2_400 });
    expect(measureLoad(patched, {})).toMatchObject({ loadTimeMs: 2_399, bytes: 1500, requests: 3 });
  });

  test('gives an entry without a channel the channel it waited for, and keeps its timing', () => {
    const load = joinPageLoad(pageTiming([entry(IMAGE, 20, 60)]), [mainEvent('completed', '1', 50)], { originOf });
    const patched = addLateEvents(load, [event('completed', '2', 61, { url: IMAGE })], originOf);
    expect(patched.requests).toHaveLength(2);
    expect(patched.requests[1]).toMatchObject({ requestId: '2', type: 'image', timing: { fetchStart: 20 }, wire: { responseBytes: 500 } });
  });

  test('adds a request that was not known', () => {
    const load = joinPageLoad(pageTiming(), [mainEvent('completed', '1', 50)], { originOf });
    const patched = addLateEvents(load, [event('failed', '9', 2_400)], originOf);
    expect(patched.requests.map(({ requestId, outcome }) => [requestId, outcome.state])).toEqual([
      ['1', 'completed'],
      ['9', 'failed'],
    ]);
  });

  describe('of a request that is open', () => {
    const inFrame = { frameId: 7, url: 'http://ad.test/a.png' } as const;
    // webRequest's clock is 30 ms ahead.
    const seen = [mainEvent('completed', '1', 80), event('started', '2', 150, inFrame)];
    const load = joinPageLoad(pageTiming(), seen, { originOf });
    const patched = (...events: Parameters<typeof addLateEvents>[1]) => addLateEvents(load, events, originOf).requests[1];

    test('a failure is no end to measure by', () => {
      const failed = patched(event('failed', '2', 2_430, inFrame));
      expect(failed).toMatchObject({ beganAt: 120, outcome: { state: 'failed', at: 2_400 } });
      expect(failed).not.toHaveProperty('timing');
    });
    test('the first end counts, and no beginning passes for one', () => {
      const twice = [event('completed', '2', 2_430, inFrame), event('completed', '2', 2_500, inFrame)];
      const ended = patched(event('started', '2', 150, inFrame), ...twice);
      expect(ended?.timing).toEqual({ fetchStart: 120, responseEnd: 2_400 });
      expect(ended).not.toHaveProperty('beganAt');
    });
    test('a redirect is not its end', () => {
      const ended = patched(event('redirected', '2', 200, { ...inFrame, status: 302 }), event('completed', '2', 2_430, inFrame));
      expect(ended).toMatchObject({ outcome: { state: 'completed' }, wire: { status: 200, responseBytes: 500 } });
    });
    test('the time that an entry told is kept', () => {
      const timed = joinPageLoad(pageTiming([entry(IMAGE, 20, 60)]), [...seen, event('started', '3', 55, { url: IMAGE })], { originOf });
      const own = addLateEvents(timed, [event('completed', '3', 91, { url: IMAGE })], originOf).requests[1];
      expect(own).toMatchObject({ requestId: '3', outcome: { state: 'completed' }, timing: { fetchStart: 20, responseEnd: 60 } });
      expect(own).not.toHaveProperty('beganAt');
      const failed = addLateEvents(timed, [event('failed', '3', 91, { url: IMAGE })], originOf).requests[1];
      expect(failed).toMatchObject({ outcome: { state: 'failed', at: 61 }, timing: { responseEnd: 60 } });
      expect(failed).not.toHaveProperty('beganAt');
    });
  });

  test('changes nothing that has its end', () => {
    const load = joinPageLoad(pageTiming(), [mainEvent('completed', '1', 50), event('completed', '2', 90, { url: IMAGE })], { originOf });
    expect(addLateEvents(load, [event('completed', '2', 95, { url: IMAGE, responseBytes: 900 })], originOf)).toEqual(load);
  });

  test('gives no channel to an entry that has one, nor to one that a cache answered', () => {
    const late = [event('completed', '3', 2_400, { url: IMAGE })];
    const ids = (entries: Parameters<typeof pageTiming>[0], own: Parameters<typeof addLateEvents>[1]) => {
      const load = joinPageLoad(pageTiming(entries), [mainEvent('completed', '1', 50), ...own], { originOf });
      return addLateEvents(load, late, originOf).requests.map(({ requestId, wire }) => [requestId, wire?.fromCache]);
    };
    expect(ids([entry(IMAGE, 20, 60)], [event('completed', '2', 61, { url: IMAGE })])).toEqual([
      ['1', false],
      ['2', false],
      ['3', false],
    ]);
    expect(ids([entry(IMAGE, 20, 60, { transferSize: 0 })], [])).toEqual([
      ['1', false],
      [undefined, true],
      ['3', false],
    ]);
    // What has begun and has an id, but no facts yet, waits for its own.
    expect(ids([entry(IMAGE, 20, 60)], [event('started', '2', 30, { url: IMAGE })])).toEqual([
      ['1', false],
      ['2', undefined],
      ['3', false],
    ]);
  });

  test('keeps to the most that a load may have, and says so: what came late is cut too', () => {
    const load = joinPageLoad(pageTiming(), [mainEvent('completed', '1', 50)], { originOf });
    const late = Array.from({ length: MAX_REQUESTS }, (_, at) => event('completed', `late-${at}`, 2_400));
    const patched = addLateEvents(load, late, originOf);
    expect(patched.requests).toHaveLength(MAX_REQUESTS);
    expect(patched.observation.tooManyRequests).toBe(true);
    expect(addLateEvents(load, late.slice(1), originOf).observation).not.toHaveProperty('tooManyRequests');
  });

  test('gives the document its own end', () => {
    const timing = pageTiming([], { navigation: entry(PAGE, 1, 0), ended: 'page-left' });
    const load = joinPageLoad(timing, [mainEvent('started', '1', 2)], { originOf });
    const patched = addLateEvents(load, [mainEvent('failed', '1', 90)], originOf);
    expect(patched.requests.map(({ outcome }) => outcome.state)).toEqual(['failed']);
  });

  test('gives the document the channel that had not come when it was joined, the redirects before it among it', () => {
    const moved = 'http://site.test/moved';
    const all = [
      mainEvent('started', '1', 2, { url: moved }),
      mainEvent('redirected', '1', 10, { url: moved }),
      mainEvent('completed', '1', 50),
    ];
    const timing = pageTiming([entry(IMAGE, 60, 80)]);
    const image = event('completed', '2', 81, { url: IMAGE });
    const load = joinPageLoad(timing, [image], { originOf });
    expect(load.requests.map(({ requestId }) => requestId)).toEqual([undefined, '2']);
    const patched = addLateEvents(load, all, originOf);
    expect(patched.requests.map(({ requestId, url, outcome }) => [requestId, url, outcome.state])).toEqual([
      ['1', PAGE, 'completed'],
      ['1', moved, 'redirected'],
      ['2', IMAGE, 'completed'],
    ]);
    expect(patched.requests[0]).toMatchObject({ timing: { fetchStart: 1, responseEnd: 50 }, wire: { responseBytes: 500 } });
    expect(addLateEvents(patched, all, originOf).requests).toEqual(patched.requests);
  });

  test('takes the document from its own request, whatever else comes late', () => {
    const load = joinPageLoad(pageTiming([entry(IMAGE, 60, 80)]), [], { originOf });
    const image = event('completed', '2', 10, { url: IMAGE });
    const ids = (late: Parameters<typeof addLateEvents>[1], to = load) =>
      addLateEvents(to, late, originOf).requests.map(({ requestId, type, outcome }) => [requestId, type, outcome.state]);
    expect(ids([image])).toEqual([
      [undefined, 'main_frame', 'completed'],
      ['2', 'image', 'completed'],
    ]);
    const frame = event('completed', '3', 12, { type: 'sub_frame', url: 'http://frame.test/' });
    expect(ids([image, frame, mainEvent('completed', '1', 50)])).toEqual([
      ['1', 'main_frame', 'completed'],
      ['2', 'image', 'completed'],
      ['3', 'sub_frame', 'completed'],
    ]);
    // It was on its way when it was last seen.
    const moved = { url: 'http://site.test/moved' };
    expect(ids([mainEvent('started', '1', 2, moved), mainEvent('redirected', '1', 10, moved)])[0]).toEqual([
      '1',
      'main_frame',
      'unfinished',
    ]);
  });

  test('leaves to a document the request that it has', () => {
    const load = joinPageLoad(pageTiming(), [mainEvent('completed', '1', 50)], { originOf });
    const patched = addLateEvents(load, [mainEvent('failed', '9', 90)], originOf);
    expect(patched.requests.map(({ requestId, outcome }) => [requestId, outcome.state])).toEqual([
      ['1', 'completed'],
      ['9', 'failed'],
    ]);
  });

  test('says of a document whose request has failed that it has', () => {
    const load = joinPageLoad(pageTiming(), [], { originOf });
    const patched = addLateEvents(load, [mainEvent('failed', '1', 50)], originOf);
    expect(patched.requests.map(({ outcome }) => outcome.state)).toEqual(['failed']);
  });

  test('property: in whatever two parts the events come, every request is there once, with its facts', () => {
    const events = [
      mainEvent('started', '1', 1),
      mainEvent('completed', '1', 50),
      ...Array.from({ length: 8 }, (_, at) =>
        event('completed', `${at + 2}`, 60 + at, { url: `http://site.test/${at}.png`, responseBytes: 100 + at }),
      ),
    ];
    const timing = pageTiming(Array.from({ length: 8 }, (_, at) => entry(`http://site.test/${at}.png`, 20, 60 + at)));
    const whole = joinPageLoad(timing, events, { originOf }).requests;
    const facts = (requests: typeof whole) =>
      requests.map(({ requestId, url, wire, timing: own }) => `${requestId} ${url} ${wire?.responseBytes} ${own?.responseEnd}`);
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: events.length, maxLength: events.length }), (early) => {
        const first = events.filter((_, at) => early[at] || at === 1);
        const late = events.filter((_, at) => !(early[at] || at === 1));
        const patched = addLateEvents(joinPageLoad(timing, first, { originOf }), late, originOf);
        expect(facts(patched.requests).toSorted()).toEqual(facts(whole).toSorted());
        expect(addLateEvents(patched, late, originOf)).toEqual(patched);
      }),
    );
  });
});
