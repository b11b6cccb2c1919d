import { describe, expect, it } from 'vitest';
import { longestCause, timeByCause } from '../../../../src/core/measure/load-causes.ts';
import { waterfall } from '../../../fixtures/waterfall.ts';

const NOTHING = { receiving: 0, opening: 0, 'queue-wait': 0, server: 0, idle: 0, unknown: 0 };
const partsOf = (text: string) => timeByCause(waterfall(text));
const longestOf = (text: string) => longestCause(waterfall(text));

/** 100 ms of set-up from 10 on, 200 for the first byte, 50 of bytes: it ends at 360. */
const DOCUMENT = 'a.test/ main_frame fetch=10 dns=10-30 connect=30-110 send=110 first=310 end=360 h1';

describe('the time of a load by cause', () => {
  it('is that of its phases, where one request follows another', () => {
    expect(
      partsOf(`
        load event=500
        ${DOCUMENT}
        a.test/i image fetch=400 reused send=430 first=480 end=490 h1`),
    ).toEqual({
      ...NOTHING,
      opening: 100, // 10 to 110
      server: 250, // 110 to 310, 430 to 480
      receiving: 60, // 310 to 360, 480 to 490
      idle: 70, // 360 to 430: before the image is sent, nothing of its server is on the way that it could wait for
    });
  });

  it('counts parallel requests once', () => {
    const image = 'a.test/i image fetch=360 reused send=360 first=460 end=480 h1';
    // Until 360 as above; 360 to 460, 460 to 480, however many there are.
    const once = { ...NOTHING, opening: 100, server: 300, receiving: 70 };
    expect(partsOf(`load event=500\n${DOCUMENT}\n${image}`)).toEqual(once);
    expect(partsOf(`load event=500\n${DOCUMENT}\n${image}\n${image}\n${image}`)).toEqual(once);
  });

  it('is receiving while anything arrives, whatever others wait for', () => {
    expect(
      partsOf(`
        load event=900
        ${DOCUMENT}
        a.test/1 image fetch=360 reused send=360 first=400 end=500 h1
        a.test/2 image fetch=360 reused send=500 first=600 end=620 h1
        b.test/3 image fetch=380 connect=380-460 send=460 first=650 end=660 h1`),
    ).toEqual({
      ...NOTHING,
      // 310 to 360, 400 to 500 for the first image, 600 to 620 for the second, 650 to 660 for the third
      receiving: 180,
      opening: 120, // 10 to 110, 380 to 400
      'queue-wait': 20, // 360 to 380
      server: 330, // 110 to 310, 500 to 600, 620 to 650
    });
  });

  it('is waiting for a connection while the connections there are wait for servers, but not while one is opened', () => {
    expect(
      partsOf(`
        load event=900
        ${DOCUMENT}
        a.test/1 image fetch=360 reused send=360 first=560 end=570 h1
        a.test/2 image fetch=360 connect=360-440 send=440 first=640 end=650 h1
        a.test/3 image fetch=360 reused send=570 first=770 end=780 h1
        b.test/4 image fetch=460 reused send=700 first=740 end=745 h1`),
    ).toEqual({
      ...NOTHING,
      opening: 180, // 10 to 110, 360 to 440
      // 440 to 560: the third image waits, as the first does for its byte. The fourth has no server that others wait for.
      'queue-wait': 120,
      receiving: 85, // 310 to 360, 560 to 570, 640 to 650, 740 to 745, 770 to 780
      server: 385, // 110 to 310, 570 to 640, 650 to 740, 745 to 770
    });
  });

  it.each(['h2', 'h3'])('is no wait for a free connection where all requests share one (%s)', (version) => {
    expect(
      partsOf(`
        load event=900
        a.test/  main_frame fetch=0 connect=0-100 send=100 first=200 end=300 ${version}
        a.test/1 image fetch=300 reused send=340 first=400 end=410 ${version}
        a.test/2 image fetch=300 reused send=380 first=400 end=410 ${version}`),
      // Firefox held both images back from 300 to 340, and the second until 380.
    ).toEqual({ ...NOTHING, opening: 100, server: 160, receiving: 110, idle: 40 });
  });

  it('is unknown, unless something arrives, while a request is under way whose phases are not reported', () => {
    expect(
      partsOf(`
        load event=900
        ${DOCUMENT}
        b.test/f sub_frame fetch=330 end=500 h1
        c.test/i image fetch=360 connect=360-380 send=380 first=460 end=550 h1
        c.test/s image fetch=550 reused send=560 end=600 h1
        c.test/r image fetch=600 first=610 end=620 h1`),
      // The frame from 360 until the image arrives at 460, and the two others, whose phases are not whole, from 550 to 620.
    ).toEqual({ ...NOTHING, opening: 100, server: 200, receiving: 140, unknown: 170 });
  });

  it('is unknown for the first byte through a proxy', () => {
    expect(partsOf('load event=400\na.test/ main_frame fetch=0 connect=0-10 send=10 first=200 end=300 h1 proxied')).toEqual({
      ...NOTHING,
      opening: 10,
      receiving: 100,
      unknown: 190,
    });
  });

  it.each([
    ['the HTTP version is unknown', ''],
    // Firefox has repeated it, and its phases are of several tries.
    ['the connection was cut', 'h1 failed'],
  ])('is unknown where %s', (_, words) => {
    expect(
      partsOf(`
        load event=500
        ${DOCUMENT}
        a.test/i script fetch=360 reused send=370 first=400 end=490 ${words}`),
    ).toEqual({ ...NOTHING, opening: 100, server: 200, receiving: 50, unknown: 130 });
  });

  it('is not known to be idle where a redirect was under way at an unknown time, unless it led to the document', () => {
    const image = 'a.test/i image fetch=400 reused send=400 first=480 end=490 h1';
    const idle = { ...NOTHING, opening: 100, server: 280, receiving: 60, idle: 40 };
    expect(partsOf(`load event=500\n${DOCUMENT}\na.test/r image redirected\n${image}`)).toEqual({ ...idle, idle: 0, unknown: 40 });
    expect(partsOf(`load event=500\n${DOCUMENT}\na.test/r main_frame redirected\n${image}`)).toEqual(idle);
    const timed = 'a.test/r image fetch=360 reused send=360 first=365 end=370 h1 redirected';
    expect(partsOf(`load event=500\n${DOCUMENT}\n${timed}\n${image}`)).toEqual({ ...idle, server: 285, receiving: 65, idle: 30 });
  });

  it('leaves out what came from a cache, and what began when the load was over', () => {
    expect(
      partsOf(`
        load event=500
        ${DOCUMENT}
        a.test/c image fetch=360 reused send=360 first=361 end=480 cached
        a.test/i image fetch=460 reused send=460 first=470 end=480 h1
        a.test/p xmlhttprequest fetch=9000 reused send=9000 first=9300 end=9310 h1`),
    ).toEqual({ ...NOTHING, opening: 100, server: 210, receiving: 60, idle: 100 });
  });

  it('counts from the start of the load to its end, and no phase that ends before it begins', () => {
    expect(
      partsOf(`
        load event=500
        ${DOCUMENT}
        b.test/f sub_frame fetch=0 end=20 h1
        a.test/1 image fetch=360 connect=470-500 send=360 first=460 end=440 h1
        a.test/2 image fetch=400 reused send=400 first=410 end=460 h1`),
      // The frame from 10 to 20. The first image waits from 360 on, and the second arrives from 410 to 460, the end.
    ).toEqual({ ...NOTHING, unknown: 10, opening: 90, server: 250, receiving: 100 });
  });

  it('is none of a load that was not seen to its end', () => {
    expect(partsOf(`load event=500 ended=page-left\n${DOCUMENT}`)).toBeUndefined();
    expect(partsOf('a.test/ main_frame failed')).toBeUndefined();
  });
});

describe('the longest part', () => {
  it('has its cause and its time', () => {
    expect(longestOf(`load event=500\n${DOCUMENT}`)).toEqual({ cause: 'server', timeMs: 200 });
  });

  it.each([
    ['opening', 'connect=0-60 send=60 first=100 end=101'],
    ['server', 'reused send=0 first=60 end=100'],
    ['receiving', 'reused send=0 first=40 end=100'],
  ])('may be %s', (cause, phases) => {
    expect(longestOf(`load event=101\na.test/ main_frame fetch=0 ${phases} h1`)).toEqual({ cause, timeMs: 60 });
  });

  it('may be the wait for a free connection', () => {
    expect(
      longestOf(`
        load event=900
        a.test/  main_frame fetch=0 reused send=0 first=50 end=60 h1
        a.test/1 image fetch=60 reused send=60 first=200 end=210 h1
        a.test/2 image fetch=60 reused send=210 first=260 end=270 h1`),
    ).toEqual({ cause: 'queue-wait', timeMs: 140 }); // 60 to 200
  });

  it('may be the time without requests', () => {
    expect(
      longestOf(`
        load event=900
        ${DOCUMENT}
        a.test/i image fetch=800 reused send=800 first=810 end=820 h1`),
    ).toEqual({ cause: 'idle', timeMs: 440 }); // 360 to 800
  });

  it('is named only if it stays the longest, whatever the time of unknown cause was spent on', () => {
    // 200 for the server, 100 for opening.
    const withUnknown = (end: number) => longestOf(`load event=500\n${DOCUMENT}\nb.test/f sub_frame fetch=360 end=${end}`);
    expect(withUnknown(459)).toEqual({ cause: 'server', timeMs: 200 });
    expect(withUnknown(460)).toBeUndefined();
  });

  it('is none where two are equally long', () => {
    expect(longestOf('load event=100\na.test/ main_frame fetch=0 reused send=0 first=50 end=100 h1')).toBeUndefined();
  });

  it('is none of a load that was not seen to its end', () => {
    expect(longestOf(`load event=500 ended=page-left\n${DOCUMENT}`)).toBeUndefined();
  });
});
