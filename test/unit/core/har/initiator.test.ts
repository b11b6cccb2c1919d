import { describe, expect, it } from 'vitest';
import { initiatorsOf } from '../../../../src/core/har/entry.ts';
import { headersOf } from '../../../../src/core/har/fields.ts';

const none = headersOf([]);
const initiators = (entry: object) => initiatorsOf({ ...entry }, none).named;
const frames = (...urls: readonly string[]) => ({ callFrames: urls.map((url) => ({ url })) });

describe('who asked', () => {
  it('is an address, an object with one, or its text', () => {
    expect(initiators({ _initiator: 'http://h.test/a.js#x' })).toEqual(['http://h.test/a.js']);
    expect(initiators({ _initiator: { url: 'http://h.test/b.js' } })).toEqual(['http://h.test/b.js']);
    expect(initiators({ _initiator_detail: '{"url":"http://h.test/c.js"}' })).toEqual(['http://h.test/c.js']);
    // Each once, in this order.
    const both = {
      _initiator: 'http://h.test/a',
      _initiator_detail: '{"url":"http://h.test/b","stack":{"callFrames":[{"url":"http://h.test/a"}]}}',
    };
    expect(initiators(both)).toEqual(['http://h.test/a', 'http://h.test/b']);
  });
  it('is on the stack, and on those that led to it', () => {
    const stack = { ...frames('http://h.test/1', 'about:blank', 'http://h.test/2'), parent: frames('http://h.test/3') };
    expect(initiators({ _initiator: { stack } })).toEqual(['http://h.test/1', 'http://h.test/2', 'http://h.test/3']);
  });
  it('is looked for in forty frames of ten stacks', () => {
    const many = frames(...Array.from({ length: 41 }, (_, at) => `http://h.test/${at}`));
    expect(initiators({ _initiator: { stack: many } }).at(-1)).toBe('http://h.test/39');
    let stack: object = frames('http://h.test/deepest');
    for (let depth = 10; depth > 0; depth--) stack = { ...frames(`http://h.test/${depth}`), parent: stack };
    expect(initiators({ _initiator: { stack } })).toEqual(Array.from({ length: 10 }, (_, at) => `http://h.test/${at + 1}`));
  });
  it('is nobody where there is nothing to be read', () => {
    const long = `{"url":"http://h.test/${'x'.repeat(100_000)}"}`;
    for (const entry of [{}, { _initiator: 'parser' }, { _initiator: { type: 'other' } }, { _initiator: { stack: { callFrames: 'x' } } }]) {
      expect(initiators(entry)).toEqual([]);
    }
    for (const _initiator_detail of ['{', '5', 5, ['{"url":"http://h.test/a"}'], long])
      expect(initiators({ _initiator_detail })).toEqual([]);
    const longest = `{"url":"http://h.test/a"}`.padEnd(100_000);
    expect(initiators({ _initiator_detail: longest })).toEqual(['http://h.test/a']);
    expect(initiators({ _initiator_detail: `${longest} ` })).toEqual([]);
  });
});

it('knows the page by the header, else by what WebPageTest and Chrome say of it', () => {
  const referer = headersOf([{ name: 'Referer', value: 'http://h.test/r#x' }]);
  expect(initiatorsOf({ _documentURL: 'http://h.test/d' }, referer)).toEqual({ named: [], referer: 'http://h.test/r' });
  expect(initiatorsOf({ _documentURL: 'http://h.test/d' }, none)).toEqual({ named: [], referer: 'http://h.test/d' });
  expect(initiatorsOf({ _documentURL: 'http://h.test/d' }, headersOf([{ name: 'referer', value: 'none' }])).referer).toBe(
    'http://h.test/d',
  );
  expect(initiatorsOf({}, none)).toStrictEqual({ named: [] });
});
