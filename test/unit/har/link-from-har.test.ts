/** The link that a HAR shows. */
import { describe, expect, it } from 'vitest';
import { linkFromHar } from '../../../src/core/har/link-from-har.ts';
import { type EntryOptions, entry, harOf } from './har-of.ts';

const OPENS = { dns: 5, connect: 80, ssl: 40 };
const DOCUMENT = entry('https://a.test/', OPENS);
/** 200,000 bytes with headers in 400 ms: 4,000 kbit/s. */
const BIG = entry('https://a.test/big.js', { at: 300, wait: 50, receive: 400, body: 199_900 });
const on = (host: string, at: number, options: EntryOptions) => entry(`https://${host}/${at}.png`, { at, ...options });

const linkOf = (entries: readonly unknown[]) => linkFromHar(harOf(entries))?.link;

describe('the link of a HAR', () => {
  it('has the round trip of handshakes and the best goodput', () => {
    expect(linkOf([DOCUMENT, BIG])).toEqual({ rttMs: 40, downKbps: 4000 });
  });

  it('has the round trip that half of the requests go no farther than', () => {
    const far = [0, 1, 2, 3].map((n) => on('far.test', 300 + n, { ...(n === 0 && { dns: 5, connect: 200, ssl: 100 }) }));
    expect(linkOf([DOCUMENT, BIG, ...far.slice(0, 2)])?.rttMs).toBe(40);
    expect(linkOf([DOCUMENT, BIG, ...far])?.rttMs).toBe(100);
  });

  it('does not take first bytes for round trips while there are handshakes', () => {
    const near = [0, 1, 2, 3, 4].map((n) => on('near.test', 800 + n, { wait: 12 }));
    expect(linkOf([DOCUMENT, BIG, ...near])?.rttMs).toBe(40);
  });

  it('has the round trip of first bytes where no handshake is recorded, which is said', () => {
    const found = linkFromHar(harOf([entry('https://a.test/', { wait: 90 }), BIG]));
    expect(found?.link.rttMs).toBe(50);
    expect(found?.inferred[0]?.rule).toBe(
      'No handshake is recorded: the round trip is estimated from the shortest first bytes of 1 server, and may be too long',
    );
  });

  it('says how many servers the round trip is of', () => {
    const said = (...others: readonly unknown[]) => linkFromHar(harOf([DOCUMENT, BIG, ...others]))?.inferred[0]?.rule;
    const rest = ': half of their requests went no farther';
    expect(said()).toBe(`The round trip is estimated from the handshakes with 1 server${rest}`);
    expect(said(on('b.test', 300, OPENS))).toBe(`The round trip is estimated from the handshakes with 2 servers${rest}`);
    // A server without one counts where no server has one.
    expect(said(on('b.test', 300, {}))).toBe(`The round trip is estimated from the handshakes with 1 server${rest}`);
    const blind = linkFromHar(harOf([entry('https://a.test/', { wait: 90 }), BIG, on('b.test', 300, {})]));
    expect(blind?.inferred[0]?.rule).toContain('the shortest first bytes of 2 servers, and');
  });

  it('is none where nothing shows the round trip', () => {
    expect(linkOf([entry('https://a.test/', { more: { timings: {} } })])).toBeUndefined();
  });

  it('is none where little was fetched', () => {
    expect(linkOf([DOCUMENT])).toBeUndefined();
  });

  it('is none where the page waited more than it fetched', () => {
    // 60 kB in twelve responses of 1 ms, half a second apart: 80 kbit/s says nothing of the link.
    const sparse = Array.from({ length: 12 }, (_, n) => on('a.test', 300 + 500 * n, { wait: 400, receive: 1, body: 4900 }));
    expect(linkOf([DOCUMENT, ...sparse])).toBeUndefined();
  });

  it('is a slow one where responses arrived all the time', () => {
    // 60 kB in 6 s without a pause: 80 kbit/s.
    const slow = Array.from({ length: 6 }, (_, n) => on('a.test', 300 + 1000 * n, { wait: 40, receive: 960, body: 9900 }));
    expect(linkOf([DOCUMENT, ...slow])?.downKbps).toBeCloseTo(80, -1);
  });

  it('says what it rests on', () => {
    expect(
      linkFromHar(harOf([DOCUMENT, BIG]))?.inferred.map(({ field, requests, rule }) => `${field} ${requests} ${rule.slice(0, 31)}`),
    ).toEqual([
      'link 2 The round trip is estimated fro',
      'link 2 The downlink is estimated: the ',
      'link 2 A HAR does not show the uplink:',
    ]);
  });
});
