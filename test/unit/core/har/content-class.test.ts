import { describe, expect, it } from 'vitest';
import { classOf } from '../../../../src/core/har/content-class.ts';
import { headersOf } from '../../../../src/core/har/fields.ts';

const classed = (entry: object, url = 'http://h.test/x', destination?: string) =>
  classOf(
    { ...entry },
    { url, requestHeaders: headersOf(destination === undefined ? [] : [{ name: 'Sec-Fetch-Dest', value: destination }]) },
  );

describe("the producer's word", () => {
  it.each<readonly [string, string]>([
    // Network.ResourceType of Chrome's protocol.
    ...(['Document', 'Stylesheet', 'Script', 'Font', 'Image', 'Media', 'Fetch'] as const).map(
      (type) => [type, type.toLowerCase()] as const,
    ),
    ...['XHR', 'EventSource'].map((type) => [type, 'fetch'] as const),
    ['TextTrack', 'media'],
    ...['Ping', 'Preflight', 'Manifest', 'SignedExchange', 'CSPViolationReport'].map((type) => [type, 'other'] as const),
  ])('%s is %s', (type, expected) => {
    expect(classed({ _resourceType: type })).toEqual({ class: expected, classBasis: 'stated' });
    expect(classed({ _request_type: type })).toEqual({ class: expected, classBasis: 'stated' });
  });
  it.each<readonly [string, string]>([
    // Destinations of the Fetch standard.
    ...['document', 'iframe', 'frame'].map((name) => [name, 'document'] as const),
    ...['style', 'xslt'].map((name) => [name, 'stylesheet'] as const),
    ...['script', 'worker', 'serviceworker', 'sharedworker'].map((name) => [name, 'script'] as const),
    ...['audio', 'video', 'track', 'object', 'embed'].map((name) => [name, 'media'] as const),
    ...['empty', 'json'].map((name) => [name, 'fetch'] as const),
    ...['font', 'image'].map((name) => [name, name] as const),
    ['Image', 'image'],
  ])('asked for as %s it is %s', (destination, expected) => {
    expect(classed({}, undefined, destination)).toEqual({ class: expected, classBasis: 'stated' });
  });
  it('comes before all else, and the type before the destination', () => {
    const css = { response: { content: { mimeType: 'text/css' } } };
    expect(classed({ _resourceType: 'Script', _request_type: 'Image', ...css }, 'http://h.test/x.png', 'font').class).toBe('script');
    expect(classed({ _resourceType: 'Other', ...css }, 'http://h.test/x.png', 'font').class).toBe('font');
    expect(classed(css, 'http://h.test/x.png')).toEqual({ class: 'stylesheet', classBasis: 'media-type' });
  });
});

describe('the media type', () => {
  it.each<readonly [string, string]>([
    ['text/css; charset=utf-8', 'stylesheet'],
    ...['text/javascript', 'application/x-javascript', 'TEXT/JScript', 'application/ecmascript'].map((type) => [type, 'script'] as const),
    ...['text/html', 'application/xhtml+xml'].map((type) => [type, 'document'] as const),
    ['image/svg+xml', 'image'],
    ...['font/woff2', 'application/font-woff', 'application/x-font-ttf', 'application/vnd.ms-fontobject'].map(
      (type) => [type, 'font'] as const,
    ),
    ...['audio/mpeg', 'video/mp4', 'application/x-shockwave-flash', 'application/vnd.apple.mpegurl'].map(
      (type) => [type, 'media'] as const,
    ),
    ...['application/json', 'text/xml', 'application/ld+json', 'application/vnd.x-y.z+xml'].map((type) => [type, 'fetch'] as const),
  ])('%s is %s', (mimeType, expected) => {
    expect(classed({ response: { content: { mimeType } } })).toEqual({ class: expected, classBasis: 'media-type' });
  });
  it.each([
    'text/cssx',
    'text/javascripts',
    'text/htmlx',
    ...['text/css', 'text/javascript', 'text/html', 'application/x-shockwave-flash', 'application/json'].map((type) => `x/${type}`),
    'x image/png',
    'xfont/woff',
    'application/jsonx',
    'x-audio/mpeg',
    'mpegurlx',
    'text/plain',
  ])('%s is none that is known', (mimeType) => {
    expect(classed({ response: { content: { mimeType } } })).toEqual({ class: 'other', classBasis: 'unknown' });
  });
});

describe("the address's ending", () => {
  it('is looked for in addresses of any length', () => {
    expect(classed({}, 'http://h/x.css').class).toBe('stylesheet');
    expect(classed({}, `http://h/${'x'.repeat(5000)}.css`).class).toBe('stylesheet');
  });
  it.each<readonly [string, string]>([
    ['css', 'stylesheet'],
    ...['js', 'mjs'].map((ending) => [ending, 'script'] as const),
    ...['woff', 'woff2', 'ttf', 'otf', 'eot'].map((ending) => [ending, 'font'] as const),
    ...['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'svg', 'ico'].map((ending) => [ending, 'image'] as const),
    ...['mp4', 'webm', 'mp3', 'ogg', 'm4a', 'm3u8', 'swf'].map((ending) => [ending, 'media'] as const),
    ['json', 'fetch'],
    ...['html', 'htm', 'xhtml', 'xhtm'].map((ending) => [ending, 'document'] as const),
  ])('.%s is %s', (ending, expected) => {
    expect(classed({}, `http://h.test/x.${ending}?y=z.pdf`)).toEqual({ class: expected, classBasis: 'address' });
    expect(classed({}, `http://h.test/x.${ending.toUpperCase()}`).class).toBe(expected);
    expect(classed({}, `http://h.test/x.${ending}x`)).toEqual({ class: 'other', classBasis: 'unknown' });
    expect(classed({}, `http://h.test/x${ending}`).class).toBe('other');
  });
});
