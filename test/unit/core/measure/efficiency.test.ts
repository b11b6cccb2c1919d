import { describe, expect, it } from 'vitest';
import type { Link } from '../../../../src/core/link.ts';
import { boundedShare, disprovesLink, efficiency, idealTime, utilisation } from '../../../../src/core/measure/efficiency.ts';
import { measureLoad } from '../../../../src/core/measure/measure-load.ts';
import { loadBytes } from '../../../../src/core/measure/requests.ts';
import { bytes, kilobitsPerSecond, milliseconds } from '../../../../src/core/units.ts';
import { requestOf, waterfall } from '../../../fixtures/waterfall.ts';

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
  // 50,000 bytes at 250 bytes/ms: 200 ms.
  it('is one round trip and every byte at the rate of the downlink', () => {
    expect(idealTime({ bytes: bytes(50_000), link: LINK })).toBe(300 + 200);
  });

  // 33,000 bytes are 26.4 ms at 10 Mbit/s: 126.4 of 400 ms.
  it.each([
    ['direct, over an open connection', 'a.test/ main_frame fetch=0 reused send=1 end=400 bytes=33000 h1'],
    ['direct, over a new connection', 'a.test/ main_frame fetch=0 connect=0-100 send=100 end=400 bytes=33000 h1'],
    ['over TLS, new', 'https://a.test/ main_frame fetch=0 connect=0-200 tls=100 send=200 end=400 bytes=33000 h2'],
    ['over HTTP/3, new', 'https://a.test/ main_frame fetch=0 connect=0-100 tls=0 send=100 end=400 bytes=33000 h3'],
    ['through the gateway', 'a.test/ main_frame fetch=0 reused send=1 end=400 bytes=33000 h1 proxied'],
    ['over a connection whose state is unknown', 'a.test/ main_frame fetch=0 end=400 bytes=33000'],
  ])('makes the same 400 ms the same efficiency: %s', (_, line) => {
    const link: Link = { rttMs: milliseconds(100), downKbps: kilobitsPerSecond(10_000) };
    expect(measureLoad(waterfall(`load event=400\n${line}`), { link }).efficiency).toBeCloseTo(0.316, 9);
  });

  it('is unknown without a link, without bytes or without a rate', () => {
    expect(idealTime({ bytes: bytes(1), link: undefined })).toBeUndefined();
    expect(idealTime({ bytes: undefined, link: LINK })).toBeUndefined();
    expect(idealTime({ bytes: bytes(1), link: { ...LINK, downKbps: kilobitsPerSecond(0) } })).toBeUndefined();
  });

  it('is unknown of a load that needed no network: the link had no part in it', () => {
    expect(idealTime({ bytes: bytes(0), link: LINK })).toBeUndefined();
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
    // A clock that was set back: no load.
    expect(share(-800, -1600)).toBeUndefined();
    expect(share(800, -1600)).toBeUndefined();
  });
  it('disproves the link where the load was faster than it allows', () => {
    const disproved = (ideal: number | undefined, load: number) =>
      disprovesLink({ ...(ideal !== undefined && { idealTimeMs: milliseconds(ideal) }), loadTimeMs: milliseconds(load) });
    expect(disproved(1031, 1000)).toBe(true);
    expect(disproved(1030, 1000)).toBe(false);
    expect(disproved(500, 1000)).toBe(false);
    // The product would say otherwise.
    expect(disproved(0.5, 0.1)).toBe(true);
    expect(disproved(undefined, 1000)).toBe(false);
    expect(disproved(1031, 0)).toBe(false);
    expect(disproved(1031, -1)).toBe(false);
  });
  it('counts the time the downlink was full', () => {
    // 50 000 bytes are 200 ms of this link; of 1000 ms: 0.2.
    expect(utilisation({ bytes: bytes(50_000), loadTime: milliseconds(1000), link: LINK })).toBe(0.2);
    expect(utilisation({ bytes: bytes(0), loadTime: milliseconds(1000), link: LINK })).toBe(0);
    expect(utilisation({ bytes: undefined, loadTime: milliseconds(1000), link: LINK })).toBeUndefined();
    expect(utilisation({ bytes: bytes(1), loadTime: milliseconds(1000), link: undefined })).toBeUndefined();
    expect(utilisation({ bytes: bytes(1), loadTime: milliseconds(0), link: LINK })).toBeUndefined();
    // Nothing of nothing is no share, and a clock that was set back makes no load.
    expect(utilisation({ bytes: bytes(0), loadTime: milliseconds(0), link: LINK })).toBeUndefined();
    expect(utilisation({ bytes: bytes(1), loadTime: milliseconds(-1), link: LINK })).toBeUndefined();
    expect(utilisation({ bytes: bytes(0), loadTime: milliseconds(1), link: { ...LINK, downKbps: kilobitsPerSecond(0) } })).toBeUndefined();
  });
});
