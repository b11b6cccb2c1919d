import { describe, expect, it } from 'vitest';
import { beganBeforeQuiet, loadWindow } from '../../../../src/core/measure/load-window.ts';
import type { PageLoad } from '../../../../src/core/measure/page-load.ts';
import { milliseconds } from '../../../../src/core/units.ts';
import { waterfall } from '../../../fixtures/waterfall.ts';

function loadTime(load: PageLoad): number | undefined {
  const window = loadWindow(load);
  return window && window.end - window.start;
}

describe('the stretch of time that is a load', () => {
  it('runs from the fetchStart of the navigation to the last responseEnd', () => {
    // 5 -> 900, not from the time origin and not to the load event.
    expect(
      loadTime(
        waterfall(`
          load event=950
          a.test/  main_frame fetch=5  end=300
          a.test/i image      fetch=310 end=900`),
      ),
    ).toBe(895);
  });

  it('takes in what began before the network had been quiet for 2 s after the load event', () => {
    // Busy until 1000 (load event); 2999 < 3000 belongs and keeps it busy until 4000; 5999 < 6000 belongs; 8000 = 6000 + 2000 does not.
    const load = waterfall(`
      load event=1000
      a.test/  main_frame     fetch=0    end=300
      a.test/x image          failed
      a.test/1 xmlhttprequest fetch=2999 end=4000
      a.test/2 xmlhttprequest fetch=5999 end=6000
      a.test/3 xmlhttprequest fetch=8000 end=8100`);
    expect(loadTime(load)).toBe(6000);
    expect(loadWindow(load)?.requests.map(({ url }) => url.slice(-1))).toEqual(['/', 'x', '1', '2']);
  });

  it('counts quiet only while nothing is outstanding', () => {
    // One request from 900 keeps the network busy until 5000, so the one that begins at 6500 still belongs.
    expect(
      loadTime(
        waterfall(`
          load event=1000
          a.test/     main_frame     fetch=0    end=300
          a.test/slow xmlhttprequest fetch=900  end=5000
          a.test/late xmlhttprequest fetch=6500 end=6600`),
      ),
    ).toBe(6600);
  });

  it('does not go by the order of the record, and is as long as a document that came after the load event', () => {
    const load = waterfall(`
      load event=1000
      a.test/  main_frame     fetch=0    end=300
      a.test/2 xmlhttprequest fetch=5999 end=6000
      a.test/1 xmlhttprequest fetch=2999 end=4000`);
    expect(loadTime(load)).toBe(6000);
    // By its clock the document began after the load event. What began before it ended belongs.
    const late = waterfall('load event=5 quiet=0\n a.test/ main_frame fetch=9 end=20\n a.test/i image fetch=15 end=40');
    expect(loadTime(late)).toBe(31);
  });

  it('takes in everything where there was no load event', () => {
    const load = waterfall('load ended=page-left\n a.test/ main_frame fetch=0 end=300\n a.test/i image fetch=9000 end=9100');
    expect(loadTime(load)).toBe(9100);
  });

  it('counts quiet from the load event where no request is timed', () => {
    const began = beganBeforeQuiet({ loadEventEnd: 1000, quietMs: 2000, timings: [] });
    expect([1000, 2999, 3000].map(began)).toEqual([true, true, false]);
  });

  it('waits no longer for quiet than the recorder did', () => {
    // Recorded with 500 ms of quiet: 1500 is not before 1000 + 500.
    const load = (at: number) => `
      load event=1000 quiet=500
      a.test/  main_frame     fetch=0   end=300
      a.test/1 xmlhttprequest fetch=${at} end=1600`;
    expect(loadTime(waterfall(load(1500)))).toBe(300);
    expect(loadTime(waterfall(load(1499)))).toBe(1600);
  });

  it('takes in a request at the very millisecond of the load event, even without a wait for quiet', () => {
    expect(
      loadTime(
        waterfall(`
          load event=1000 quiet=0
          a.test/  main_frame fetch=0    end=300
          a.test/1 image      fetch=1000 end=1100
          a.test/2 image      fetch=1100 end=1200`),
      ),
    ).toBe(1100);
  });

  it('is at most 60 s, and says that it was cut', () => {
    const load = waterfall(`
      load event=1000
      a.test/  main_frame fetch=10 end=300
      a.test/v media      fetch=20 end=90000`);
    expect(loadTime(load)).toBe(60_000);
    expect(loadWindow(load)?.cutShort).toBe('time-limit');
  });

  it('is not cut where it ended at 60 s', () => {
    const load = waterfall('load event=1000\n a.test/ main_frame fetch=10 end=300\n a.test/v media fetch=20 end=60010');
    expect(loadTime(load)).toBe(60_000);
    expect(loadWindow(load)).not.toHaveProperty('cutShort');
  });

  it('lasts to its cut where it was still loading then, however early its last response came', () => {
    // What it waited for from 300 on never came.
    const load = waterfall('load event=1000 ended=time-limit\n a.test/ main_frame fetch=10 end=300');
    expect(loadTime(load)).toBe(60_000);
    // A load that was left waited for nothing that is known.
    expect(loadTime(waterfall('load event=1000 ended=page-left\n a.test/ main_frame fetch=10 end=300'))).toBe(290);
  });

  it.each([
    ['load event=1000 ended=quiet', undefined],
    ['load event=1000 ended=page-left', 'page-left'],
    ['load event=1000 ended=time-limit', 'time-limit'],
    ['load ended=page-left', 'page-left'],
    ['load ended=quiet', 'no-load-event'],
  ])('%s: cut short by %s', (settings, cutShort) => {
    expect(loadWindow(waterfall(`${settings}\n a.test/ main_frame fetch=0 end=300`))?.cutShort).toBe(cutShort);
  });

  it('is known only in part where there were too many requests, however it ended', () => {
    const load = waterfall('load event=1000 ended=page-left\n a.test/ main_frame fetch=0 end=300');
    const many = { ...load, observation: { ...load.observation, tooManyRequests: true as const } };
    expect(loadWindow(many)?.cutShort).toBe('too-many-requests');
  });

  it('is no load where the document failed: an error page must not pass for a fast one', () => {
    expect(loadWindow(waterfall('load event=9\n a.test/ main_frame fetch=0 end=3 failed'))?.cutShort).toBe('document-failed');
  });

  it('is unknown where the document has no timing', () => {
    expect(loadTime({ ...waterfall('load event=1000'), requests: [] })).toBeUndefined();
    expect(loadTime(waterfall('load event=1000\n a.test/ main_frame failed\n a.test/i image fetch=1 end=2'))).toBeUndefined();
  });

  it('keeps the document first whatever its clock says', () => {
    const load = waterfall('load event=5 quiet=0\n a.test/ main_frame fetch=9 end=9\n a.test/i image fetch=1 end=2');
    expect(loadWindow(load)?.requests.map(({ type }) => type)).toEqual(['main_frame', 'image']);
  });

  it('leaves out what had no end in a frame, of which only the beginning is known', () => {
    const load = waterfall('load event=9\n a.test/ main_frame fetch=0 end=3\n a.test/x image unfinished no-wire');
    const requests = load.requests.map((request, at) => (at === 1 ? { ...request, beganAt: milliseconds(5) } : request));
    expect(loadWindow({ ...load, requests })?.requests).toHaveLength(1);
  });

  it('keeps requests whose timing is unknown', () => {
    expect(loadWindow(waterfall('load event=9\n a.test/ main_frame fetch=0 end=3\n a.test/x image failed'))?.requests).toHaveLength(2);
  });
});
