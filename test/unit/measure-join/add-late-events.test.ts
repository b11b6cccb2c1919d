import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addLateEvents } from '../../../src/core/measure/add-late-events.ts';
import { joinPageLoad } from '../../../src/core/measure/join-page-load.ts';
import { entry, event, mainEvent, originOf, PAGE, pageTiming } from '../../support/observation-builders.ts';

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

  test('gives the document its own end', () => {
    const timing = pageTiming([], { navigation: entry(PAGE, 1, 0), ended: 'page-left' });
    const load = joinPageLoad(timing, [mainEvent('started', '1', 2)], { originOf });
    const patched = addLateEvents(load, [mainEvent('failed', '1', 90)], originOf);
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
