import { describe, expect, it } from 'vitest';
import { type Headers, headersOf } from '../../../../src/core/har/fields.ts';
import { requestSize, responseSize } from '../../../../src/core/har/sizes.ts';

const headers = (byName: Readonly<Record<string, string>> = {}): Headers =>
  headersOf(Object.entries(byName).map(([name, value]) => ({ name, value })));
const length = (bytes: number) => headers({ 'Content-Length': `${bytes}` });
const sizeOf = (response: object, own: Headers = headers(), more: object = {}) => responseSize({ response, ...more }, own);

it('counts the characters of header lines, and takes the last of several', () => {
  // `a: bc` and `A: d` with their line ends: 7 and 6.
  const lines = headersOf([{ name: 'a', value: 'bc' }, { name: 'A', value: 'd' }, { name: '', value: 'x' }, { value: 'x' }, 5, null]);
  expect(lines.textLength).toBe(13);
  expect([...lines.byName]).toEqual([['a', 'd']]);
  expect(headersOf([{ name: 'x' }])).toEqual({ byName: new Map([['x', '']]), textLength: 5 });
  expect(headersOf('none')).toEqual({ byName: new Map(), textLength: 0 });
});

describe('the size of a response', () => {
  it('is what is stated, and nothing else', () => {
    expect(sizeOf({ bodySize: 500, headersSize: 100, content: { size: 900 } })).toEqual({ headers: 100, body: 500, content: 900 });
    expect(sizeOf({ bodySize: -1, headersSize: 0, content: { size: -1 } })).toEqual({});
    expect(sizeOf({ bodySize: 0 })).toEqual({ body: 0 });
    // Seven characters, 19 of the status line and the empty line.
    expect(sizeOf({}, headers({ a: 'bc' }))).toEqual({ headersText: 26 });
  });
  it('does not believe in no body with contents: the header knows, or what decompressing added', () => {
    expect(sizeOf({ bodySize: 0, content: { size: 10, compression: 4 } }, length(7))).toMatchObject({ body: 7, content: 10 });
    expect(sizeOf({ bodySize: 0, content: { size: 10, compression: 4 } }, length(0))).toMatchObject({ body: 6 });
    expect(sizeOf({ content: { size: 10, compression: 10 } })).toEqual({ body: 0, content: 10 });
    expect(sizeOf({ content: { size: 10, compression: 0 } })).toEqual({ body: 10, content: 10 });
    expect(sizeOf({ content: { size: 10, compression: 11 } })).toEqual({ content: 10 });
    expect(sizeOf({ content: { size: 10, compression: -1 } })).toEqual({ content: 10 });
    expect(sizeOf({ content: { size: 10 } })).toEqual({ content: 10 });
    expect(sizeOf({ content: { compression: 4 } })).toEqual({});
    // What is stated is preferred to the header.
    expect(sizeOf({ bodySize: 5 }, length(5))).toMatchObject({ body: 5 });
    expect(sizeOf({ bodySize: 4 }, length(5))).toMatchObject({ body: 4 });
  });
  it.each([204, 205, 304])('has no body with status %i', (status) => {
    expect(sizeOf({ status, bodySize: 50 })).toMatchObject({ body: 0, bodiless: true });
  });
  it('has no body after HEAD, and one otherwise', () => {
    expect(sizeOf({ status: 200, bodySize: 50 }, headers(), { request: { method: 'HEAD' } })).toMatchObject({ body: 0, bodiless: true });
    expect(sizeOf({ status: 200, bodySize: 50 }, headers(), { request: { method: 'GET' } })).toEqual({ body: 50 });
  });
  it('says whether it was compressed', () => {
    for (const coding of ['gzip', 'br', 'ZSTD', 'deflate', 'x, gzip']) {
      expect(sizeOf({}, headers({ 'content-encoding': coding })).compressed).toBe(true);
    }
    expect(sizeOf({}, headers({ 'content-encoding': 'identity' }))).not.toHaveProperty('compressed');
  });
  it('is whole where that exceeds the body', () => {
    expect(sizeOf({ _transferSize: 700, bodySize: 500 })).toEqual({ total: 700, body: 500 });
    expect(sizeOf({ _transferSize: 500, bodySize: 500 })).toEqual({ body: 500 });
    expect(sizeOf({ _transferSize: 601 }, length(600)).total).toBe(601);
    expect(sizeOf({ _transferSize: 600 }, length(600))).not.toHaveProperty('total');
    expect(sizeOf({ _transferSize: 9 })).toEqual({ total: 9 });
    expect(sizeOf({ _transferSize: 0, bodySize: 500 }, headers(), { _bytesIn: 800 })).toEqual({ total: 800, body: 500 });
  });
  it('is whole where the body is longer than its header says, unless its head is told apart', () => {
    expect(sizeOf({ bodySize: 900 }, length(800)).total).toBe(900);
    expect(sizeOf({ bodySize: 800 }, length(800))).not.toHaveProperty('total');
    expect(sizeOf({ bodySize: 900 }, length(0))).not.toHaveProperty('total');
    expect(sizeOf({ bodySize: 900, headersSize: 100 }, length(800))).not.toHaveProperty('total');
    expect(sizeOf({ bodySize: 900 })).not.toHaveProperty('total');
    expect(sizeOf({}, length(800))).not.toHaveProperty('total');
  });
});

describe('the size of a request', () => {
  const of = (request: object, own: Headers = headers(), more: object = {}) =>
    requestSize({ request, ...more }, { headers: own, pathLength: 10 });
  it('is its head as stated, and its body', () => {
    expect(of({ headersSize: 300, bodySize: 20 })).toBe(320);
    expect(of({ headersSize: 300 }, length(5))).toBe(305);
    expect(of({ headersSize: 300, bodySize: -1 })).toBe(300);
  });
  it('is else as long as its lines: path, 16 characters around it, headers', () => {
    expect(of({ headersSize: -1, bodySize: 3 }, headers({ a: 'bc' }))).toBe(7 + 10 + 16 + 3);
    expect(of({ headersSize: 0 }, headers({ a: 'bc' }))).toBe(33);
  });
  it('is else what WebPageTest counted, or not known', () => {
    expect(of({}, headers(), { _bytesOut: 400 })).toBe(400);
    expect(of({}, headers(), { _bytesOut: 0 })).toBeUndefined();
    expect(of({})).toBeUndefined();
  });
});
