import { describe, expect, test } from 'vitest';
import { isSniffed, SNIFFED_BYTES, SniffedStart } from '../../../src/gateway/sniffed-start.ts';

const PICTURES = 'image/avif,image/webp,*/*;q=0.8';

describe('what a browser tells the type of by its first bytes', () => {
  test.each([
    ['image/png', '*/*', true],
    ['Video/MP4; codecs=x', undefined, true],
    ['application/octet-stream', PICTURES, true],
    ['binary/octet-stream', PICTURES, true],
    ['text/plain;charset=utf-8', PICTURES, true],
    [undefined, PICTURES, true],
    [undefined, '*/*', false],
    ['application/octet-stream', '*/*', false],
    ['text/event-stream', '*/*', false],
    ['text/html', PICTURES, false],
    ['text/plainer', PICTURES, false],
    ['  image/png', '*/*', true],
    ['Audio/ogg', '*/*', true],
    ['x image/png', '*/*', false],
    ['imagination/png', '*/*', false],
    ['  text/plain  ; x', PICTURES, true],
    ['application/octet-stream  ', PICTURES, true],
    ['x text/plain', PICTURES, false],
    ['octet-stream', PICTURES, false],
    ['text/plain', undefined, false],
    [undefined, undefined, false],
    ['text/plain', '*/*;image/', false],
  ])('%s, asked for as %s: %s', (contentType, accept, sniffed) => {
    expect(isSniffed({ contentType, accept })).toBe(sniffed);
  });
});

describe('the beginning of a body', () => {
  test('is kept until it is long enough, then passed on whole', () => {
    const start = new SniffedStart();
    expect(start.add(Buffer.alloc(SNIFFED_BYTES - 1, 1))).toBeUndefined();
    expect(start.add(Buffer.alloc(2, 2))).toEqual(Buffer.concat([Buffer.alloc(SNIFFED_BYTES - 1, 1), Buffer.alloc(2, 2)]));
    expect(start.take()).toBeUndefined();
  });

  test('is as much as a browser reads to tell a type, and begins anew once passed on', () => {
    const start = new SniffedStart();
    expect(start.add(Buffer.alloc(1445))).toEqual(Buffer.alloc(1445));
    expect(start.add(Buffer.from('next'))).toBeUndefined();
    expect(start.take()?.toString()).toBe('next');
    expect(start.take()).toBeUndefined();
  });

  test('is what there is at the end of a short body, and nothing of an empty one', () => {
    const start = new SniffedStart();
    expect(start.take()).toBeUndefined();
    start.add(Buffer.from('GIF'));
    start.add(Buffer.from('89a'));
    expect(start.take()?.toString()).toBe('GIF89a');
  });
});
