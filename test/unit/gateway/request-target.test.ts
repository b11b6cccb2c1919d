import { describe, expect, it } from 'vitest';
import { isListener, parseHttpAuthority, splitAbsoluteForm } from '../../../src/gateway/request-target.ts';

describe('splitAbsoluteForm', () => {
  it.each([
    ['http://a.example/x?y=/z', { authority: 'a.example', path: '/x?y=/z' }],
    ['HTTP://A.example:8080/%2f/../', { authority: 'A.example:8080', path: '/%2f/../' }],
    ['http://a.example', { authority: 'a.example', path: '/' }],
    ['http://a.example?q', { authority: 'a.example', path: '/?q' }],
    ['http://[::1]:80/', { authority: '[::1]:80', path: '/' }],
    ['http:///x', undefined],
    ['http://a.example?x/y', { authority: 'a.example', path: '/?x/y' }],
    ['xttp://a.example/', undefined],
    ['https://a.example/', undefined],
    ['/x', undefined],
    ['/x?to=http://', undefined],
    ['', undefined],
  ])('%s', (target, parts) => {
    expect(splitAbsoluteForm(target)).toEqual(parts);
  });
});

describe('parseHttpAuthority', () => {
  it.each([
    ['A.Example', { host: 'a.example', port: 80, origin: 'http://a.example' }],
    ['a.example:80', { host: 'a.example', port: 80, origin: 'http://a.example' }],
    ['[::1]:81', { host: '::1', port: 81, origin: 'http://[::1]:81' }],
    ['0x7f.1:1', { host: '127.0.0.1', port: 1, origin: 'http://127.0.0.1:1' }],
    ['user@a.example', undefined],
    [':secret@a.example', undefined],
    ['a.example/x', undefined],
    ['a.example?x', undefined],
    ['a.example#x', undefined],
    ['a.example:99999', undefined],
    ['a b', undefined],
    ['', undefined],
  ])('%s', (authority, endpoint) => {
    expect(parseHttpAuthority(authority)).toEqual(endpoint);
  });
});

it('isListener looks at the port and at every literal name of loopback', () => {
  for (const host of ['127.0.0.1', '127.9.9.9', 'localhost', 'a.localhost', '0.0.0.0', '::', '::1', '::ffff:7f00:1']) {
    expect(isListener({ host, port: 7 }, 7), host).toBe(true);
    expect(isListener({ host, port: 8 }, 7), host).toBe(false);
  }
  expect(isListener({ host: 'a.example', port: 7 }, 7)).toBe(false);
});

it('isListener takes no other name for one of loopback', () => {
  for (const host of ['localhost.example', 'notlocalhost', '10.127.0.1', '::2', '::ffff:a00:1', '1::ffff:7f00:1', '0.0.0.1']) {
    expect(isListener({ host, port: 7 }, 7), host).toBe(false);
  }
  expect(isListener({ host: '::ffff:0:0', port: 7 }, 7)).toBe(true);
});
