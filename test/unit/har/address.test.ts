import { describe, expect, it } from 'vitest';
import { type Address, addressOf, labelOf, resolveAddress, schemeOf } from '../../../src/core/har/address.ts';

const known = (text: string): Address => {
  const address = addressOf(text);
  if (address === undefined) throw new Error(text);
  return address;
};

describe('an address', () => {
  it('is scheme, server and path, without who asks, the usual port and the fragment', () => {
    expect(addressOf('HTTP://User:pw@Example.TEST:80/a?b=@#c')).toEqual({
      ...{ url: 'http://example.test/a?b=@', scheme: 'http', origin: 'http://example.test', host: 'example.test' },
    });
  });
  it.each([
    ['https://h.test:443', 'https://h.test/'],
    ['https://h.test:80/', 'https://h.test:80/'],
    ['http://h.test:443/', 'http://h.test:443/'],
    ['http://h.test?x', 'http://h.test/?x'],
    ['http://h.test#x', 'http://h.test/'],
    ['http://h.test\\x', 'http://h.test/\\x'],
    ['http://a@b@h.test/', 'http://h.test/'],
    ['http://[::1]:8080/A', 'http://[::1]:8080/A'],
  ])('%s is %s', (text, url) => {
    expect(addressOf(text)?.url).toBe(url);
  });
  it.each([
    ...[
      '',
      '//h.test/',
      'ftp://h.test/',
      'data:,x',
      'http:h.test',
      'http:/h.test',
      'http://',
      'http://:80/',
      'http://user@/',
      'https://?x',
    ],
    ...[...' \t<>"^`{|}'].map((bad) => `http://a${bad}b/`),
  ])('%j is none', (text) => {
    expect(addressOf(text)).toBeUndefined();
  });
  it('has a scheme of letters first, 31 at most', () => {
    expect(schemeOf('WSS:x')).toBe('wss');
    expect(schemeOf('a1+.-:')).toBe('a1+.-');
    expect(schemeOf(`${'a'.repeat(31)}:`)).toBe('a'.repeat(31));
    for (const text of ['1a:', ':', 'x', ' a:', `${'a'.repeat(32)}:`]) expect(schemeOf(text)).toBeUndefined();
  });
});

it.each([
  ['http://o.test/x#y', 'http://o.test/x'],
  ['//o.test/x', 'https://o.test/x'],
  ['/x?y', 'https://h.test/x?y'],
  ['?z', 'https://h.test/a/b?z'],
  ['x', 'https://h.test/a/x'],
  ['', 'https://h.test/a/'],
  ['mailto:x', undefined],
  ['https://', undefined],
  ['//', undefined],
])('from https://h.test/a/b?c/d, %j leads to %j', (target, expected) => {
  expect(resolveAddress(target, known('https://h.test/a/b?c/d'))).toBe(expected);
});

it.each([
  ['https://h.test/a/b.png?x/y', 'b.png'],
  ['https://h.test/', 'h.test'],
  ['https://h.test:8443/a/', 'h.test8443'],
  ['https://h.test/a;b!c%20~-_', 'abc%20~-_'],
  [`https://h.test/${'x'.repeat(32)}`, 'x'.repeat(32)],
  [`https://h.test/${'x'.repeat(15)}abc${'y'.repeat(15)}`, `${'x'.repeat(15)}..${'y'.repeat(15)}`],
])('%s is called %s', (url, label) => {
  expect(labelOf(known(url))).toBe(label);
});
