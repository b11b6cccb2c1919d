/** The page of a load that the extension recorded. */
import { describe, expect, it } from 'vitest';
import { pageFromLoad } from '../../../../src/core/graph/page-from-load.ts';
import { checkPage } from '../../../../src/core/graph/page-graph.ts';
import type { PageLoad, RequestRecord } from '../../../../src/core/measure/page-load.ts';
import { milliseconds } from '../../../../src/core/units.ts';
import { waterfall } from '../../../fixtures/waterfall.ts';

/** The document arrives from 220 to 300 ms; a handshake takes 100 ms. */
const LOAD = waterfall(`
  load        event=1000
  a.test/     main_frame     fetch=0 dns=0-20 connect=20-120 send=120 first=280 end=300 bytes=10000 h1
  a.test/s    stylesheet     fetch=290 reused send=290 first=400 end=420 bytes=4000 blocking h1
  b.test/j    script         fetch=295 dns=295-300 connect=300-400 send=400 first=520 end=560 bytes=8000 h2
  a.test/i    image          fetch=600 reused send=650 first=760 end=770 bytes=500 h1
  a.test/c    image          fetch=610 end=610 cached
  a.test/x    image          fetch=620 end=625 failed
  a.test/late image          fetch=9000 reused send=9000 first=9110 end=9120 bytes=500 h1
`);

const dependencies = (load: PageLoad) => pageFromLoad(load).page.requests.map(({ id, after }) => [id, after]);

describe('pageFromLoad', () => {
  const { page, inferred } = pageFromLoad(LOAD);

  it('gives sizes, delays and discovery by the rules for HARs', () => {
    checkPage(page);
    expect(page.requests).toEqual([
      { id: '1', bytes: 10_000, origin: 'origin-1', class: 'document', serverMs: 60 },
      { id: '2', bytes: 4000, origin: 'origin-1', class: 'stylesheet', blocking: true, serverMs: 10, after: { id: '1', bytes: 5000 } },
      { id: '3', bytes: 8000, origin: 'origin-2', class: 'script', serverMs: 20, after: { id: '1', bytes: 7500 } },
      // Asked for at 600, 40 ms after the script was complete; the 50 ms it waited for a connection are no delay.
      { id: '4', bytes: 500, origin: 'origin-1', class: 'image', serverMs: 10, after: { id: '3', delayMs: 40 } },
    ]);
  });

  it('gives servers by number', () => {
    expect(page.origins).toEqual({
      'origin-1': { protocol: 'http/1.1', tls: 'none', dnsMs: 20 },
      'origin-2': { protocol: 'http/1.1', tls: 'none', dnsMs: 5 },
    });
  });

  it('says what is left out', () => {
    expect(inferred.filter(({ field }) => field === 'left-out').map(({ rule }) => rule.slice(10, 30))).toEqual([
      'requests without a r',
      'responses from the b',
      'requests that began ',
    ]);
  });

  it('does not believe Firefox that a document ended as it began', () => {
    const [document, ...others] = LOAD.requests;
    const instant = document?.timing && { ...document, timing: { ...document.timing, responseEnd: milliseconds(280) } };
    const { page: again, inferred: said } = pageFromLoad({ ...LOAD, requests: [...(instant ? [instant] : []), ...others] });
    // Nothing but the document can have asked for the script at 295, so that is when it was complete: two thirds of it at 290.
    expect(again.requests.map(({ after }) => after).slice(1, 3)).toEqual([{ id: '1', bytes: 6666 }, { id: '1' }]);
    expect(said.find(({ rule }) => rule.startsWith('When the document was complete'))?.requests).toBe(1);
  });

  it('holds no address', () => {
    const hidden: PageLoad = {
      ...LOAD,
      requests: LOAD.requests.map((each, n) => ({ ...each, url: `https://secret-${n}.test/token=${n}` })),
    };
    expect(JSON.stringify(pageFromLoad(hidden))).not.toMatch(/secret|token|\.test/);
  });

  it('counts everything where the load event was not seen, as the load time does', () => {
    const { loadEventEnd: _, ...unseen } = LOAD;
    expect(pageFromLoad(unseen).page.requests).toHaveLength(5);
  });

  it('refuses a load of which nothing was answered', () => {
    const failed = waterfall('a.test/ main_frame fetch=0 end=10 failed');
    expect(() => pageFromLoad(failed)).toThrow('None of the 1 recorded requests was answered over http or https');
    expect(() => pageFromLoad({ ...LOAD, requests: [] })).toThrow('None of the 0 recorded requests');
  });
});

describe('redirects in a recorded load', () => {
  const at = (fetchStart: number, responseEnd: number) => ({
    timing: { fetchStart: milliseconds(fetchStart), responseEnd: milliseconds(responseEnd) },
  });
  const record = (url: string, more: Partial<RequestRecord>): RequestRecord => ({
    url: `http://a.test/${url}`,
    origin: 'http://a.test',
    type: 'image',
    outcome: { state: 'completed' },
    ...more,
  });
  const hop = (url: string, requestId: string, more: Partial<RequestRecord> = {}) =>
    record(url, { requestId, outcome: { state: 'redirected' }, ...more });

  it('come before their target, a round trip each', () => {
    const [document] = LOAD.requests;
    const requests = [...(document ? [document] : []), hop('x', '7'), hop('y', '7'), record('z', { requestId: '7', ...at(700, 800) })];
    // Handshake 100 ms, so the hops are asked for at 500 and 600.
    expect(dependencies({ ...LOAD, requests })).toEqual([
      ['1', undefined],
      ['2', { id: '1', delayMs: 200 }],
      ['3', { id: '2' }],
      ['4', { id: '3' }],
    ]);
  });

  it('of the navigation are left out: the load time begins after them', () => {
    const [document, ...others] = LOAD.requests;
    const requests = [...(document ? [document] : []), hop('', '1', { type: 'main_frame' }), ...others];
    const { page, inferred } = pageFromLoad({ ...LOAD, requests });
    expect(page.requests).toHaveLength(4);
    expect(inferred[0]).toEqual({
      field: 'redirects',
      requests: 1,
      rule: 'Excluded: redirects of the navigation, which come before the measured load time',
    });
  });
});

it('knows what a style sheet asked for by its initiator type', () => {
  const [document, sheet] = LOAD.requests;
  const font: RequestRecord = {
    url: 'http://a.test/f',
    origin: 'http://a.test',
    type: 'font',
    initiatorType: 'css',
    timing: { fetchStart: milliseconds(430), responseEnd: milliseconds(600) },
    outcome: { state: 'completed' },
  };
  const requests = [...(document ? [document] : []), ...(sheet ? [sheet] : []), font];
  expect(dependencies({ ...LOAD, requests })[2]).toEqual(['3', { id: '2', delayMs: 10 }]);
});
