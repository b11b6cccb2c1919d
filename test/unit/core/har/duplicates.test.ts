/** What a HAR shows to have been fetched more than once, and what of it is no repeat. */
import { describe, expect, it } from 'vitest';
import { duplicatesFromHar } from '../../../../src/core/har/page-from-har.ts';
import { type EntryOptions, entry, harOf } from './har-of.ts';

const DOCUMENT = entry('https://a.test/');
const image = (at: number, options: EntryOptions = {}) => entry('https://a.test/i.png', { at, ...options });
const found = (...entries: readonly unknown[]) => duplicatesFromHar(harOf([DOCUMENT, ...entries]));

describe('fetched twice', () => {
  it('is every fetch after the first, with the bytes that the file states: 900 and 100 of headers each', () => {
    expect(found(image(200), image(300), image(400))).toEqual({ duplicateFetches: 2, duplicateBytes: 2000 });
    expect(found(image(200), image(300), entry('https://a.test/j.png', { at: 300 }))).toEqual({
      duplicateFetches: 1,
      duplicateBytes: 1000,
    });
  });

  it('is of every kind that is the same each time: what scripts ask for is not, nor what nobody knows', () => {
    const twice = (type: string) =>
      [200, 300].map((at) => entry('https://a.test/x', { at, mimeType: 'x/y', more: { _resourceType: type } }));
    for (const type of ['document', 'stylesheet', 'script', 'image', 'font', 'media']) {
      expect([type, found(...twice(type)).duplicateFetches]).toEqual([type, 1]);
    }
    for (const type of ['fetch', 'ping', 'unknown']) expect([type, found(...twice(type)).duplicateFetches]).toEqual([type, 0]);
  });

  it('is of unknown size where the file does not state it', () => {
    const unsized = { more: { response: { status: 200, content: { mimeType: 'image/png' }, bodySize: -1, headersSize: -1 } } };
    expect(found(image(200), image(300, unsized))).toEqual({ duplicateFetches: 1 });
  });

  it('is the page itself, where an empty src asked for it as an image', () => {
    const asImage = entry('https://a.test/', { at: 200, more: { _resourceType: 'image' } });
    expect(found(asImage)).toEqual({ duplicateFetches: 1, duplicateBytes: 1000, emptySources: 1 });
    expect(found(entry('https://a.test/', { at: 200 }))).toEqual({ duplicateFetches: 1, duplicateBytes: 1000 });
  });

  it.each([
    ['a range of it', image(300, { status: 206 })],
    ['from the cache', image(300, { more: { _fromCache: 'memory' } })],
    ['without an answer', image(300, { status: 0, body: -1, more: { response: { status: 0 } } })],
    ['another address', image(300, { more: { request: { method: 'GET', url: 'https://a.test/i.png?2' } } })],
    ['sent to', image(300, { more: { request: { method: 'POST', url: 'https://a.test/i.png' } } })],
    ['asked for by a script', image(300, { more: { _resourceType: 'fetch' } })],
    ['after the load', image(20_000)],
    ['another redirect', image(300, { status: 301, location: 'https://a.test/i.png' })],
  ])('is nothing that was %s', (_, second) => expect(found(image(200), second)).toEqual({ duplicateFetches: 0 }));
});
