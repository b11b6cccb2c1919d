import { describe, expect, it } from 'vitest';
import { loadTimeline, requestName } from '../../../../src/core/measure/load-timeline.ts';
import { waterfall } from '../../../fixtures/waterfall.ts';

const timelineOf = (text: string) => {
  const timeline = loadTimeline(waterfall(text));
  if (timeline === undefined) throw new Error('The load has no times');
  return timeline;
};
const connectionsOf = (text: string) => timelineOf(text).requests.map(({ connection }) => connection);

describe('a timeline', () => {
  it('has the phases of each request, after the start of the load', () => {
    const { requests, ...load } = timelineOf(`
      load event=500
      a.test/  main_frame fetch=10 dns=10-30 connect=30-130 send=130 first=230 end=330 h1
      a.test/i image      fetch=340 reused send=400 first=500 end=510 h1`);
    // From 10 to 510.
    expect(load).toEqual({ loadTimeMs: 500, cutShort: false, withoutTimes: 0 });
    expect(requests[0]).toMatchObject({ startMs: 0, queueMs: 0, dnsMs: 20, connectMs: 100, sentMs: 120, firstByteMs: 220, endMs: 320 });
    expect(requests[1]).toMatchObject({ startMs: 330, queueMs: 60, sentMs: 390, firstByteMs: 490, endMs: 500 });
    expect(requests[1]).not.toHaveProperty('connectMs');
  });

  it('counts what has no times, and says that a load was cut short', () => {
    expect(
      timelineOf(`
        load event=500 ended=page-left
        a.test/  main_frame fetch=0 connect=1-50 send=50 first=60 end=70
        a.test/r image redirected`),
    ).toMatchObject({ withoutTimes: 1, cutShort: true });
  });

  it('is none of a load whose document has no times', () => {
    expect(loadTimeline(waterfall('a.test/ main_frame failed'))).toBeUndefined();
  });
});

describe('connections', () => {
  it('of HTTP/1.1 carry one request after another: the one that was free last is taken', () => {
    expect(
      connectionsOf(`
        load event=900
        a.test/  main_frame fetch=0 connect=0-50 send=50 first=60 end=100 h1
        a.test/1 image fetch=100 reused send=100 first=150 end=200 h1
        a.test/2 image fetch=100 connect=100-150 send=150 first=200 end=250 h1
        b.test/3 image fetch=100 connect=100-150 send=150 first=200 end=250 h1
        a.test/4 image fetch=260 reused send=260 first=300 end=310 h1`),
    ).toEqual([1, 1, 2, 3, 2]);
  });

  it('of HTTP/2 are shared', () => {
    expect(
      connectionsOf(`
        load event=900
        a.test/  main_frame fetch=0 connect=0-50 send=50 first=60 end=100 h2
        a.test/1 image fetch=100 reused send=100 first=150 end=200 h2
        a.test/2 image fetch=100 reused send=100 first=150 end=200 h2`),
    ).toEqual([1, 1, 1]);
  });

  it('are unknown behind a proxy, and of a cache there is none', () => {
    expect(
      connectionsOf(`
        load event=900
        a.test/  main_frame fetch=0 connect=0-50 send=50 first=60 end=100 proxied
        a.test/1 image fetch=100 reused send=100 first=101 end=102 cached`),
    ).toEqual([undefined, undefined]);
  });
});

it('the wait behind earlier responses is that in which they arrived on the same connection', () => {
  const { requests } = timelineOf(`
    load event=900
    a.test/  main_frame fetch=0 connect=0-50 send=50 first=60 end=100 h2
    a.test/1 image fetch=100 reused send=100 first=200 end=300 h2
    a.test/2 image fetch=110 reused send=110 first=250 end=350 h2
    a.test/3 image fetch=120 reused send=120 first=400 end=410 h2`);
  // 2 waits from 110 to 250 while 1 arrives from 200 on; 3 from 120 to 400 while 1 and 2 arrive from 200 to 350.
  expect(requests.map(({ headOfLineMs }) => headOfLineMs)).toEqual([undefined, undefined, 50, 150]);
});

describe('a request', () => {
  it.each([
    ['https://a.test/', 'a.test'],
    ['https://a.test/x/y.png?q#f', 'y.png'],
    ['https://a.test', 'a.test'],
    ['data:text/plain,a/b', 'data:'],
  ])('of %s is called %s', (url, name) => expect(requestName(url)).toBe(name));
});
