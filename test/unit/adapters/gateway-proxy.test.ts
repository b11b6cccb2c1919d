/** What is led through the gateway, and to whom its secret is given. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { RoutedRequest } from '../../../src/adapters/gateway-proxy.ts';

type Listener = (details: Record<string, unknown>) => unknown;
const held = vi.hoisted(() => new Map<string, { listener: Listener; rest: unknown[] }>());
vi.mock('../../../src/adapters/browser.ts', () => {
  const event = (name: string) => ({
    addListener: (listener: Listener, ...rest: unknown[]) => held.set(name, { listener, rest }),
    removeListener: (listener: unknown) => {
      if (held.get(name)?.listener === listener) held.delete(name);
    },
  });
  const webRequest = Object.fromEntries(['onAuthRequired', 'onCompleted', 'onErrorOccurred'].map((name) => [name, event(name)]));
  return { browser: { webRequest, proxy: { onRequest: event('onRequest') } } };
});
const { isForGateway, routeThroughGateway } = await import('../../../src/adapters/gateway-proxy.ts');

const told: unknown[] = [];
const watcher = {
  began: (request: RoutedRequest) => told.push(['began', request]),
  ended: (...end: unknown[]) => told.push(['ended', ...end]),
};
const route = { host: '127.0.0.1', port: 4001, secret: 'a-secret-of-this-test-only' } as const;
const tell = (name: string, details: Record<string, unknown>) => held.get(name)?.listener(details);
const asked = { requestId: '7', tabId: 3, type: 'image', method: 'GET' };

beforeEach(() => {
  held.clear();
  told.length = 0;
});

describe('what goes through the gateway', () => {
  it.each(['http://intranet/', 'http://example.org:8080/a?b#c', 'http://192.168.1.1/', 'http://[fd00::1]/', 'http://127.example.org/'])(
    '%s does',
    (url) => expect(isForGateway(url)).toBe(true),
  );

  it.each([
    'https://example.org/',
    'ws://example.org/',
    'ftp://example.org/',
    'http://localhost:8000/',
    'http://my.localhost/',
    'http://127.0.0.1:4001/',
    'http://127.8.9.10/',
    'http://[::1]/',
  ])('%s does not', (url) => expect(isForGateway(url)).toBe(false));

  it('is told of, with direct behind it for the moment when nobody is there', () => {
    routeThroughGateway(route, watcher);
    expect(held.get('onRequest')?.rest).toEqual([{ urls: ['http://*/*'] }]);
    expect(tell('onRequest', { ...asked, url: 'http://intranet/' })).toEqual([
      { type: 'http', host: '127.0.0.1', port: 4001, failoverTimeout: 1 },
      { type: 'direct' },
    ]);
    expect(tell('onRequest', { ...asked, url: 'http://localhost/' })).toBeUndefined();
    tell('onCompleted', { requestId: '7', url: 'http://intranet/' });
    tell('onErrorOccurred', { requestId: '8', error: 'NS_ERROR_NET_RESET' });
    // Addresses are not among what is told.
    expect(told).toEqual([
      ['began', asked],
      ['ended', '7', undefined],
      ['ended', '8', 'NS_ERROR_NET_RESET'],
    ]);
  });
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
    expect([...held.keys()].toSorted()).toEqual(['onAuthRequired', 'onCompleted', 'onErrorOccurred']);
    routing.forget();
    expect(held.size).toBe(0);
  });
});
