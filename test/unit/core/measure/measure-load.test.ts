import { describe, expect, it } from 'vitest';
import type { Link } from '../../../../src/core/link.ts';
import { isMeasurable, measureLoad } from '../../../../src/core/measure/measure-load.ts';
import { kilobitsPerSecond, milliseconds } from '../../../../src/core/units.ts';
import { waterfall } from '../../../fixtures/waterfall.ts';

/** 2 Mbit/s: 250 bytes take 1 ms. */
const LINK: Link = { rttMs: milliseconds(300), downKbps: kilobitsPerSecond(2000) };

const PAGE = `
  load event=2010 fcp=1000 lcp=1900
  a.test/   main_frame     fetch=10   connect=10-310 send=310 first=610  end=710  bytes=25000 h1
  a.test/s  stylesheet     fetch=700  reused send=710  first=1010 end=1010 bytes=5000  h1 blocking
  b.test/i  image          fetch=700  connect=700-1000 send=1000 first=1300 end=2010 bytes=120000 h1
  a.test/f  script         fetch=700  failed end=800
  a.test/c  image          fetch=700  end=700 cached
  a.test/p  xmlhttprequest fetch=9000 reused send=9000 first=9300 end=9310 bytes=99 h1`;

describe('measureLoad', () => {
  it('derives every measure', () => {
    expect(measureLoad(waterfall(PAGE), { link: LINK })).toEqual({
      loadTimeMs: 2000, // 2010 - 10; what began at 9000 came after the quiet
      bytes: 150_000,
      idealTimeMs: 900, // first byte 300 + 150 000 / 250
      efficiency: 0.45, // 900 / 2000
      utilisation: 0.3, // 600 / 2000
      firstContentfulPaintMs: 1000,
      largestContentfulPaintMs: 1900,
      queueWait: { medianMs: 0, maxMs: 10, totalMs: 10 }, // 0, 10 (710 - 700), 0
      peakOutstanding: 2,
      peakOutstandingByOrigin: { 'http://a.test': 1, 'http://b.test': 1 },
      requests: 4,
      failedRequests: 1,
      coldConnections: 2,
      reusedConnections: 1,
      duplicateFetches: 0,
      renderBlockingEndMs: 1010,
      httpVersions: { 'http/1.1': 1 },
    });
  });

  it('leaves out what needs a link where there is none', () => {
    const measures = measureLoad(waterfall(PAGE), {});
    expect(measures.bytes).toBe(150_000);
    for (const key of ['idealTimeMs', 'efficiency', 'utilisation']) expect(measures).not.toHaveProperty(key);
  });

  it('leaves out what needs the end of a load that was cut short', () => {
    const measures = measureLoad(waterfall(PAGE.replace('event=2010', 'event=2010 ended=page-left')), { link: LINK });
    expect(measures).toMatchObject({ loadTimeMs: 2000, cutShort: 'page-left', bytes: 150_000 });
    for (const key of ['idealTimeMs', 'efficiency', 'utilisation']) expect(measures).not.toHaveProperty(key);
  });

  it('refuses a load whose document has no timing, and says so beforehand', () => {
    const load = waterfall('a.test/ main_frame failed');
    expect(isMeasurable(load)).toBe(false);
    expect(() => measureLoad(load, {})).toThrow(
      expect.objectContaining({ kind: 'bad-input', message: expect.stringContaining('cannot be measured') }),
    );
    expect(isMeasurable(waterfall(PAGE))).toBe(true);
  });

  it('holds nothing that is undefined: a record with holes would not survive a store', () => {
    for (const value of Object.values(measureLoad(waterfall('a.test/ main_frame fetch=0 end=5 no-wire'), {}))) expect(value).toBeDefined();
  });
});
