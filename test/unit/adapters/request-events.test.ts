import { describe, expect, test } from 'vitest';
import { rawEventOf } from '../../../src/adapters/request-events.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';

useBrowser(fakeBrowser());

/** As Firefox 153 gave it for an image over HTTP/1.1. */
const image = {
  requestId: '13',
  tabId: 2,
  frameId: 0,
  type: 'image',
  url: 'http://site.test/i.png',
  timeStamp: 1_795_228_689_301,
  incognito: false,
  documentUrl: 'http://site.test/',
  responseSize: 1_150,
  requestSize: 438,
  fromCache: false,
  statusLine: 'HTTP/1.1 200 OK',
  statusCode: 200,
  ip: '127.0.0.1',
  proxyInfo: null,
};

describe('rawEventOf', () => {
  test('keeps what webRequest told', () => {
    expect(rawEventOf('completed', image)).toEqual({
      phase: 'completed',
      at: 1_795_228_689_301,
      requestId: '13',
      tabId: 2,
      frameId: 0,
      type: 'image',
      url: 'http://site.test/i.png',
      documentUrl: 'http://site.test/',
      responseBytes: 1_150,
      requestBytes: 438,
      fromCache: false,
      httpVersion: 'http/1.1',
      address: '127.0.0.1',
      status: 200,
      proxied: false,
    });
  });

  test.each([
    ['private window', { incognito: true }],
    ["Firefox's own request", { tabId: -1 }],
    ['file', { url: 'file:///home/a' }],
    ["another extension's page", { url: 'moz-extension://x/y' }],
  ])('drops the event of a %s', (_, change) => {
    expect(rawEventOf('completed', { ...image, ...change })).toBeUndefined();
  });

  test('from cache: no byte came over the wire, and no HTTP version carried it', () => {
    const event = rawEventOf('completed', { ...image, fromCache: true });
    expect(event).toMatchObject({ responseBytes: 0, fromCache: true });
    expect(event).not.toHaveProperty('httpVersion');
  });

  test.each([undefined, 0, -1])('a size of %s that did not come from cache is unknown', (responseSize) => {
    expect(rawEventOf('completed', { ...image, responseSize } as typeof image)).not.toHaveProperty('responseBytes');
  });

  test.each([
    [{ type: 'http' }, true],
    [{ type: 'direct' }, false],
  ])('proxy %j: %s', (proxyInfo, proxied) => {
    expect(rawEventOf('completed', { ...image, proxyInfo } as never)?.proxied).toBe(proxied);
  });

  test('a failure keeps its reason', () => {
    expect(rawEventOf('failed', { ...image, error: 'NS_BINDING_ABORTED' })).toMatchObject({ phase: 'failed', error: 'NS_BINDING_ABORTED' });
  });

  test('a type that a later Firefox adds is kept as other', () => {
    expect(rawEventOf('completed', { ...image, type: 'hologram' })?.type).toBe('other');
  });
});
