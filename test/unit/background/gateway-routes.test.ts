/** Which requests go through the gateway: when in doubt, none. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { AskedRequest, SeenAnswer } from '../../../src/adapters/gateway-proxy.ts';
import { GatewayRoutes } from '../../../src/background/gateway-routes.ts';

const SITE = 'http://intranet.example';
const OTHER = 'http://pictures.intranet.example:8080';
const PUBLIC = 'http://public.example';

let now: number;
let told: [string, string][];
let found: unknown[];
let routes: GatewayRoutes;

const asked = (url: string, more: Partial<AskedRequest> = {}): AskedRequest => ({
  requestId: '1',
  tabId: 3,
  type: 'image',
  method: 'GET',
  url,
  documentUrl: `${SITE}/page`,
  cookieStoreId: 'firefox-default',
  incognito: false,
  ...more,
});
const seen = (url: string, more: Partial<SeenAnswer> = {}): SeenAnswer => ({
  requestId: '9',
  url,
  statusCode: 200,
  carrier: 'direct',
  ip: '10.1.2.3',
  requestHasAuthorization: false,
  ...more,
});
const goes = (url: string, more: Partial<AskedRequest> = {}) => routes.routes(asked(url, more));

beforeEach(() => {
  now = 1_000_000;
  told = [];
  found = [];
  routes = new GatewayRoutes(() => now, {
    direct: (origin, why) => void told.push([origin, why]),
    found: () => void found.push(routes.found),
  });
  routes.list([{ origin: SITE }, { origin: OTHER }, { origin: PUBLIC }]);
  routes.onAnswer(seen(`${SITE}/`));
  routes.onAnswer(seen(`${OTHER}/`));
  routes.onAnswer(seen(`${PUBLIC}/`, { ip: '203.0.113.9' }));
});

describe('goes through the gateway', () => {
  it('what a page of a listed site asks of its own site, and the page itself', () => {
    expect(goes(`${SITE}/a.png`)).toBe(true);
    expect(goes(`${SITE}/a.png`, { method: 'HEAD' })).toBe(true);
    expect(goes(`${OTHER}/a.png`)).toBe(true);
    expect(goes(`${SITE}/`, { type: 'main_frame', documentUrl: undefined })).toBe(true);
    // A link from elsewhere is a top-level navigation all the same.
    expect(goes(`${SITE}/`, { type: 'main_frame', documentUrl: 'https://elsewhere.example/' })).toBe(true);
  });
});

describe('goes direct', () => {
  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'])('%s', (method) => {
    expect(goes(`${SITE}/a`, { method })).toBe(false);
    expect(goes(`${SITE}/`, { method, type: 'main_frame' })).toBe(false);
  });

  it.each([
    ['a site that is not listed', `http://unlisted.example/`, { type: 'main_frame' }],
    ['another port of a listed one', `${SITE}:8081/`, { type: 'main_frame' }],
    ['https', 'https://intranet.example/', { type: 'main_frame' }],
    ['a user name in the address', 'http://me@intranet.example/', { type: 'main_frame' }],
    ['what carries a password', `${SITE}/a.png`, { requestHeaders: [{ name: 'Authorization', value: 'Basic eA==' }] }],
    ['a container', `${SITE}/a.png`, { cookieStoreId: 'firefox-container-2' }],
    ['a private window', `${SITE}/a.png`, { incognito: true }],
    ['a WebSocket', `${SITE}/`, { type: 'websocket' }],
    ['what belongs to no tab', `${SITE}/a.png`, { tabId: -1 }],
    ['what nobody knows who asks', `${SITE}/a.png`, { documentUrl: undefined }],
    ['a page that is not listed', `${SITE}/a.png`, { documentUrl: 'http://unlisted.example/' }],
    ['a listed page of another site', `${PUBLIC}/a.png`, {}],
    ['a public page that asks of a private server', `${SITE}/a.png`, { documentUrl: `${PUBLIC}/page` }],
    ['a frame in a page of another site', `${SITE}/a.png`, { frameAncestors: [{ url: `${SITE}/page` }, { url: 'http://top.example/' }] }],
  ] as const)('%s', (_, url, more) => expect(goes(url, more)).toBe(false));

  it('a page of the same site in another address space: its name leads elsewhere now', () => {
    routes.onAnswer(seen(`${OTHER}/`, { ip: '203.0.113.9' }));
    expect(goes(`${OTHER}/a.png`)).toBe(false);
  });

  it('the first request of a site, and the first after ten minutes or a change of proxy', () => {
    routes.list([{ origin: SITE }, { origin: 'http://new.example' }]);
    const page = { type: 'main_frame', documentUrl: undefined };
    expect(goes('http://new.example/', page)).toBe(false);
    routes.onAnswer(seen('http://new.example/'));
    expect(goes('http://new.example/', page)).toBe(true);
    now += 10 * 60_000;
    expect(goes('http://new.example/', page)).toBe(false);
    routes.onAnswer(seen('http://new.example/'));
    expect(goes('http://new.example/', page)).toBe(true);
    routes.forgetLooks();
    expect(goes('http://new.example/', page)).toBe(false);
  });

  it('all, once one request is seen to go through another proxy; until its site is seen to go direct again', () => {
    routes.onAnswer(seen('http://anywhere.example/', { requestId: '7', carrier: 'other-proxy', ip: '127.0.0.1' }));
    expect([goes(`${SITE}/a.png`), goes(`${OTHER}/a.png`), told]).toEqual([false, false, []]);
    routes.onAnswer(seen(`${SITE}/`, { requestId: '8', carrier: 'other-proxy', ip: '127.0.0.1' }));
    expect(told).toEqual([[SITE, 'other-proxy']]);
    routes.onAnswer(seen(`${SITE}/`));
    expect(goes(`${SITE}/a.png`)).toBe(true);
  });

  it('all, once a request of any scheme begins through another proxy, and what began before it shows nothing of now', () => {
    routes.sawOtherProxy({ requestId: '20', url: 'https://anywhere.example/' });
    expect([goes(`${SITE}/a.png`), told]).toEqual([false, []]);
    routes.onAnswer(seen(`${SITE}/`, { requestId: '19' }));
    expect(goes(`${SITE}/a.png`)).toBe(false);
    routes.onAnswer(seen(`${SITE}/`, { requestId: '21' }));
    expect(goes(`${SITE}/a.png`)).toBe(true);
  });

  it.each([
    ['asked for a password', { statusCode: 401 }, 'authentication'],
    ['was sent one', { requestHasAuthorization: true }, 'authentication'],
    ['is this machine', { ip: '127.0.0.1' }, 'this-machine'],
    ['is on this link', { ip: 'fe80::1' }, 'this-machine'],
  ] as const)('for good, a site that %s', (_, answer, why) => {
    routes.onAnswer(seen(`${SITE}/`, answer));
    expect(told).toEqual([[SITE, why]]);
    routes.onAnswer(seen(`${SITE}/`));
    expect(goes(`${SITE}/a.png`)).toBe(false);
    // A second reason replaces none that holds for good, and is not told.
    routes.handedBack({ requestId: '1', url: `${SITE}/` }, 'misbehaved');
    expect(told).toHaveLength(1);
    expect(routes.sites.find(({ origin }) => origin === SITE)).toEqual({ origin: SITE, direct: why });
  });

  it('for good, a site whose answer the gateway could not be sure of', () => {
    routes.handedBack({ requestId: '1', url: `${SITE}/a.png` }, 'misbehaved');
    expect([goes(`${SITE}/a.png`), told]).toEqual([false, [[SITE, 'misbehaved']]]);
  });
});

describe('a request that the gateway has handed back', () => {
  it('goes direct, and it alone where nothing is said of the site', () => {
    expect(goes(`${SITE}/a.png`, { requestId: '7' })).toBe(true);
    routes.handedBack({ requestId: '7', url: `${SITE}/a.png` }, 'again');
    expect(goes(`${SITE}/a.png`, { requestId: '7' })).toBe(false);
    expect([goes(`${SITE}/a.png`, { requestId: '8' }), told]).toEqual([true, []]);
  });
});

describe('where Firefox has found the sites', () => {
  const three = [
    { origin: SITE, address: '10.1.2.3' },
    { origin: OTHER, address: '10.1.2.3' },
    { origin: PUBLIC, address: '203.0.113.9' },
  ];

  it('is told when it changes, and only then', () => {
    expect(found.at(-1)).toEqual(three);
    const before = found.length;
    routes.onAnswer(seen(`${SITE}/`));
    expect(found).toHaveLength(before);
    routes.onAnswer(seen(`${SITE}/`, { ip: '[2001:db8::5]' }));
    expect(found.at(-1)).toEqual(three.with(0, { origin: SITE, address: '2001:db8::5' }));
  });
});

describe('what is recorded of every request', () => {
  const heard = { phase: 'completed', requestId: '7', url: `${SITE}/`, at: 1, tabId: 1, frameId: 0, type: 'image', status: 200 } as const;

  it('is a look at the site as well, with the gateway off too', () => {
    routes.forgetLooks();
    routes.onRequest({ ...heard, address: '10.1.2.3', proxied: false });
    expect(goes(`${SITE}/a.png`)).toBe(true);
  });

  it('tells the gateway from another proxy', () => {
    expect(goes(`${SITE}/a.png`, { requestId: '7' })).toBe(true);
    routes.onRequest({ ...heard, address: '127.0.0.1', proxied: true });
    expect(told).toEqual([]);
    routes.onRequest({ ...heard, requestId: '8', address: '127.0.0.1', proxied: true });
    expect(told).toEqual([[SITE, 'other-proxy']]);
  });

  it.each(['started', 'failed', 'completed'] as const)('shows another proxy by a request over https, %s', (phase) => {
    expect(goes(`${SITE}/a.png`, { requestId: '7' })).toBe(true);
    routes.onRequest({ ...heard, phase, requestId: '8', url: 'https://elsewhere.example/', proxied: true });
    expect(goes(`${SITE}/a.png`, { requestId: '9' })).toBe(false);
  });

  it('says nothing where it came from the cache', () => {
    routes.forgetLooks();
    routes.onRequest({ ...heard, fromCache: true, address: '10.1.2.3' });
    expect(goes(`${SITE}/a.png`)).toBe(false);
  });
});
