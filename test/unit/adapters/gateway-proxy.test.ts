/** What is led through the gateway, what is told of it, and to whom its secret is given. */

import { beforeEach, describe, expect, it } from 'vitest';
import { routeThroughGateway } from '../../../src/adapters/gateway-proxy.ts';
import { useBrowser } from '../../support/browser-global.ts';

type Listener = (details: Record<string, unknown>) => unknown;
const held = new Map<string, { listener: Listener; rest: unknown[] }>();
const event = (name: string) => ({
  addListener: (listener: Listener, ...rest: unknown[]) => held.set(name, { listener, rest }),
  removeListener: (listener: unknown) => {
    if (held.get(name)?.listener === listener) held.delete(name);
  },
});
const names = [
  'onAuthRequired',
  'onBeforeRequest',
  'onSendHeaders',
  'onHeadersReceived',
  'onBeforeRedirect',
  'onCompleted',
  'onErrorOccurred',
];
const webRequest = Object.fromEntries(names.map((name) => [name, event(name)]));
useBrowser({ webRequest, proxy: { onRequest: event('onRequest'), settings: { onChange: event('onChange') } } });

const told: unknown[] = [];
const sent: string[] = [];
let isWanted = true;
const watcher = {
  routes: () => isWanted,
  sent: (requestId: string) => sent.push(requestId),
  saw: (...answer: unknown[]) => told.push(['saw', ...answer]),
  handedBack: (...back: unknown[]) => told.push(['handed back', ...back]),
  ended: (...end: unknown[]) => told.push(['ended', ...end]),
  proxyChanged: () => told.push(['proxy changed']),
  otherProxy: ({ requestId }: { requestId: string }) => told.push(['other proxy', requestId]),
};
const route = { host: '127.0.0.1', port: 4001, secret: 'a-secret-of-this-test-only' } as const;
const tell = (name: string, details: Record<string, unknown>) => held.get(name)?.listener(details);
const own = { type: 'http', host: '127.0.0.1', port: 4001 };

beforeEach(() => {
  held.clear();
  told.length = 0;
  sent.length = 0;
  isWanted = true;
});

describe('what goes through the gateway', () => {
  it('is what the watcher wants, with direct behind it for the moment when nobody is there', () => {
    routeThroughGateway(route, watcher);
    expect(held.get('onRequest')?.rest).toEqual([{ urls: ['http://*/*'] }, ['requestHeaders']]);
    expect(tell('onRequest', { url: 'http://intranet/' })).toEqual([
      { type: 'http', host: '127.0.0.1', port: 4001, failoverTimeout: 1 },
      { type: 'direct' },
    ]);
    isWanted = false;
    expect(tell('onRequest', { url: 'http://intranet/' })).toBeUndefined();
  });

  it('is reported when it is sent', () => {
    routeThroughGateway(route, watcher);
    tell('onSendHeaders', { requestId: '7' });
    expect(sent).toEqual(['7']);
  });

  it('is told of when it has ended', () => {
    routeThroughGateway(route, watcher);
    tell('onCompleted', { requestId: '7', url: 'http://intranet/' });
    tell('onErrorOccurred', { requestId: '8', error: 'NS_ERROR_NET_RESET' });
    expect(told).toEqual([
      ['ended', '7', undefined],
      ['ended', '8', 'NS_ERROR_NET_RESET'],
    ]);
  });

  it('has ended where it is led away from plain http, of which nothing more is told', () => {
    routeThroughGateway(route, watcher);
    tell('onBeforeRedirect', { requestId: '7', redirectUrl: 'http://intranet/next' });
    tell('onBeforeRedirect', { requestId: '8', redirectUrl: 'https://intranet/' });
    expect(told).toEqual([['ended', '8', undefined]]);
  });
});

describe('an answer', () => {
  const url = 'http://intranet/';
  const head = { requestId: '7', url, statusCode: 200, ip: '10.0.0.1', responseHeaders: [] };

  it.each([
    [undefined, 'direct'],
    [null, 'direct'],
    [{ type: 'direct' }, 'direct'],
    [own, 'gateway'],
    [{ type: 'http', host: '127.0.0.1', port: 4002 }, 'other-proxy'],
    [{ type: 'socks', host: 'vpn.example', port: 1080 }, 'other-proxy'],
  ])('that came by %o is told as %s', (proxyInfo, carrier) => {
    routeThroughGateway(route, watcher);
    expect(tell('onHeadersReceived', { ...head, proxyInfo })).toEqual({});
    expect(told).toEqual([['saw', { requestId: '7', url, statusCode: 200, carrier, ip: '10.0.0.1', requestHasAuthorization: false }]]);
  });

  it('is told to be of a request that carried a password', () => {
    routeThroughGateway(route, watcher);
    tell('onSendHeaders', { requestId: '7', requestHeaders: [{ name: 'Authorization', value: 'Basic eA==' }] });
    tell('onHeadersReceived', head);
    tell('onCompleted', { requestId: '7' });
    tell('onHeadersReceived', head);
    expect(told).toMatchObject([
      ['saw', { requestHasAuthorization: true }],
      ['ended', '7', undefined],
      ['saw', { requestHasAuthorization: false }],
    ]);
  });

  it('from the cache is told nothing of', () => {
    routeThroughGateway(route, watcher);
    expect(tell('onHeadersReceived', { ...head, fromCache: true })).toEqual({});
    expect(told).toEqual([]);
  });

  it('by which the gateway hands a request back is never shown: the same is asked for again', () => {
    routeThroughGateway(route, watcher);
    const back = (value: string) => ({
      ...head,
      statusCode: 502,
      proxyInfo: own,
      responseHeaders: [{ name: 'Plumbfox-Gateway', value }],
    });
    expect(tell('onHeadersReceived', back('authentication'))).toEqual({ redirectUrl: url });
    expect(tell('onHeadersReceived', back('what no gateway says'))).toEqual({ redirectUrl: url });
    expect(told).toEqual([
      ['handed back', { requestId: head.requestId, url }, 'authentication'],
      ['handed back', { requestId: head.requestId, url }, 'again'],
    ]);
    // A server cannot say it.
    expect(tell('onHeadersReceived', { ...back('misbehaved'), proxyInfo: undefined })).toEqual({});
  });
});

it('tells of a request of any scheme that begins through another proxy', () => {
  const routing = routeThroughGateway(route, watcher);
  expect(held.get('onBeforeRequest')?.rest).toEqual([{ urls: ['<all_urls>'] }]);
  const began = (requestId: string, proxyInfo: unknown) => tell('onBeforeRequest', { requestId, url: 'https://anywhere/', proxyInfo });
  began('7', undefined);
  began('8', { type: 'direct' });
  began('9', own);
  began('10', { type: 'socks', host: 'vpn.example', port: 1080 });
  expect(told).toEqual([['other proxy', '10']]);
  routing.stop();
  began('11', { type: 'http', host: 'vpn.example', port: 8080 });
  expect(told).toHaveLength(1);
});

it('tells of a change of proxy', () => {
  routeThroughGateway(route, watcher);
  tell('onChange', {});
  expect(told).toEqual([['proxy changed']]);
});

describe('the secret', () => {
  it('is given to this gateway alone, and only where a proxy asks', () => {
    routeThroughGateway(route, watcher);
    const challenge = (isProxy: boolean, host: string, port: number) => tell('onAuthRequired', { isProxy, challenger: { host, port } });
    expect(challenge(true, '127.0.0.1', 4001)).toEqual({ authCredentials: { username: 'plumbfox', password: route.secret } });
    for (const [isProxy, host, port] of [
      [false, '127.0.0.1', 4001],
      [true, '127.0.0.1', 4002],
      [true, 'proxy.example', 4001],
    ] as const)
      expect(challenge(isProxy, host, port)).toEqual({});
    expect(held.get('onRequest')?.listener).not.toBeUndefined();
  });
});

describe('stopped', () => {
  it('requests go direct at once, the rest is told of until it is forgotten', () => {
    const routing = routeThroughGateway(route, watcher);
    routing.stop();
    expect([...held.keys()].toSorted()).toEqual([
      'onAuthRequired',
      'onBeforeRedirect',
      'onBeforeRequest',
      'onChange',
      'onCompleted',
      'onErrorOccurred',
      'onHeadersReceived',
      'onSendHeaders',
    ]);
    // The next gateway's port is none of its own.
    tell('onHeadersReceived', { requestId: '7', url: 'http://intranet/', statusCode: 200, proxyInfo: { ...own, port: 4002 } });
    expect(told).toEqual([]);
    routing.forget();
    expect(held.size).toBe(0);
  });
});
