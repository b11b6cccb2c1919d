import { describe, expect, it } from 'vitest';
import { boundedShare } from '../../../src/core/measure/bounded-share.ts';
import { efficiency } from '../../../src/core/measure/efficiency.ts';
import { idealTime } from '../../../src/core/measure/ideal-time.ts';
import type { Link } from '../../../src/core/measure/link.ts';
import { loadBytes } from '../../../src/core/measure/load-bytes.ts';
import { utilisation } from '../../../src/core/measure/utilisation.ts';
import { bytes, kilobitsPerSecond, milliseconds } from '../../../src/core/units.ts';
import { requestOf } from '../../fixtures/waterfall.ts';

/** 2 Mbit/s: 250 bytes take 1 ms. */
const LINK: Link = { rttMs: milliseconds(300), downKbps: kilobitsPerSecond(2000) };

describe('bytes', () => {
  const sum = (...lines: string[]) => loadBytes(lines.map(requestOf));

  it('adds what came over the wire; caches and data: URLs count 0', () => {
    expect(sum('a.test/ main_frame bytes=1000', 'a.test/i image bytes=500', 'a.test/c image cached', 'data:, image no-wire')).toBe(1500);
  });
  it('is unknown as soon as one size is', () => {
    expect(sum('a.test/ main_frame bytes=1000', 'a.test/i image')).toBeUndefined();
    expect(sum('a.test/ main_frame bytes=1000', 'a.test/i image no-wire')).toBeUndefined();
    expect(sum('a.test/ main_frame bytes=1000', 'a.test/i image unfinished')).toBeUndefined();
  });
  it('does without redirects, WebSockets and requests whose response never began', () => {
    expect(sum('a.test/ main_frame bytes=7', 'a.test/r image redirected', 'a.test/w websocket', 'a.test/f script failed')).toBe(7);
  });
  it('is unknown where a response broke off after it began', () => {
    expect(sum('a.test/ main_frame bytes=7', 'a.test/f media failed status=200')).toBeUndefined();
    expect(sum('a.test/ main_frame bytes=7', 'a.test/f media failed fetch=0 first=10 end=20')).toBeUndefined();
  });
  it('is 0, not unknown, of a load that needed no network', () => {
    expect(sum('a.test/ main_frame cached')).toBe(0);
  });
});

describe('ideal time', () => {
  // 50 000 bytes at 250 bytes/ms: 200 ms.
  const ideal = (line: string, link: Link | undefined = LINK) => idealTime({ requests: [requestOf(line)], bytes: bytes(50_000), link });

  it.each([
    ['http, new connection: 1 + 1 round trips', 'a.test/ main_frame fetch=0 connect=0-300 end=900', 800],
    ['http, open connection: 0 + 1', 'a.test/ main_frame fetch=0 reused end=900', 500],
    ['https, new connection: 2 + 1', 'https://a.test/ main_frame fetch=0 connect=0-600 tls=300 end=1500 h2', 1100],
    ['https, open connection: 0 + 1', 'https://a.test/ main_frame fetch=0 reused end=900 h2', 500],
    ['HTTP/3, new connection: 1 + 1', 'https://a.test/ main_frame fetch=0 connect=0-300 tls=0 end=900 h3', 800],
    ['through a proxy, where the connection is hidden: as new', 'a.test/ main_frame fetch=0 reused end=900 proxied', 800],
  ])('%s', (_, line, expected) => {
    expect(ideal(line)).toBe(expected);
  });

  it('is the same direct over a new connection and through the gateway', () => {
    expect(ideal('a.test/ main_frame fetch=0 connect=0-0 end=900 proxied')).toBe(ideal('a.test/ main_frame fetch=0 connect=0-300 end=900'));
  });

  it('is unknown without a link, without bytes, without a rate, or where the connection is unknown', () => {
    const cold = 'a.test/ main_frame fetch=0 connect=0-300 end=900';
    expect(idealTime({ requests: [requestOf(cold)], bytes: bytes(1), link: undefined })).toBeUndefined();
    expect(idealTime({ requests: [requestOf(cold)], bytes: undefined, link: LINK })).toBeUndefined();
    expect(idealTime({ requests: [], bytes: bytes(0), link: LINK })).toBeUndefined();
    expect(ideal(cold, { ...LINK, downKbps: kilobitsPerSecond(0) })).toBeUndefined();
    expect(ideal('a.test/ main_frame fetch=0 end=900')).toBeUndefined();
  });

  it('is unknown of a load that needed no network: the link had no part in it', () => {
    expect(ideal('a.test/ main_frame fetch=0 end=900 cached')).toBeUndefined();
  });
});

describe('efficiency and utilisation', () => {
  const share = (ideal: number, load: number) => efficiency({ idealTime: milliseconds(ideal), loadTime: milliseconds(load) });

  it('is ideal over actual', () => {
    expect(share(800, 1600)).toBe(0.5);
    expect(share(800, 800)).toBe(1);
  });
  it('is 1 within the tolerance of the link, unknown beyond it', () => {
    expect(share(1030, 1000)).toBe(1);
    expect(share(1031, 1000)).toBeUndefined();
    expect(boundedShare(0)).toBe(0);
  });
  it('is unknown without an ideal or without a duration', () => {
    expect(efficiency({ idealTime: undefined, loadTime: milliseconds(5) })).toBeUndefined();
    expect(share(800, 0)).toBeUndefined();
    expect(share(0, 800)).toBeUndefined();
  });
  it('counts the time the downlink was full', () => {
    // 50 000 bytes are 200 ms of this link; of 1000 ms: 0.2.
    expect(utilisation({ bytes: bytes(50_000), loadTime: milliseconds(1000), link: LINK })).toBe(0.2);
    expect(utilisation({ bytes: bytes(0), loadTime: milliseconds(1000), link: LINK })).toBe(0);
    expect(utilisation({ bytes: undefined, loadTime: milliseconds(1000), link: LINK })).toBeUndefined();
    expect(utilisation({ bytes: bytes(1), loadTime: milliseconds(1000), link: undefined })).toBeUndefined();
    expect(utilisation({ bytes: bytes(1), loadTime: milliseconds(0), link: LINK })).toBeUndefined();
  });
});
