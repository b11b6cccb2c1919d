import { describe, expect, it } from 'vitest';
import { continues, strongValidator } from '../../../src/gateway/exchange.ts';

const response = (fields: Record<string, string>, status = 200) => ({ status, headers: Object.entries(fields).flat() });
const settled = { Date: 'Wed, 01 Jan 2025 00:01:00 GMT', 'Last-Modified': 'Wed, 01 Jan 2025 00:00:00 GMT', 'Content-Length': '9' };

describe('strongValidator', () => {
  it.each([
    ['a strong ETag', { ETag: '"x"' }, 200, '"x"'],
    ['one of a part', { etag: '"x"' }, 206, '"x"'],
    ['a weak ETag', { ETag: 'W/"x"' }, 200, undefined],
    ['nothing', { 'Content-Length': '9' }, 200, undefined],
    ['an ETag of an error', { ETag: '"x"' }, 404, undefined],
    ['a date a minute old', settled, 200, settled['Last-Modified']],
    ['a weak ETag and a date', { ...settled, ETag: 'W/"x"' }, 200, settled['Last-Modified']],
    ['a date younger than that', { ...settled, Date: 'Wed, 01 Jan 2025 00:00:59 GMT' }, 200, undefined],
    ['a date that is none', { ...settled, 'Last-Modified': 'yesterday' }, 200, undefined],
    ['a date without a length', { Date: settled.Date, 'Last-Modified': settled['Last-Modified'] }, 200, undefined],
  ])('of %s', (_, fields, status, validator) => expect(strongValidator(response(fields, status))).toBe(validator));
});

describe('continues', () => {
  const before = response({ ETag: '"x"', 'Content-Length': '9', 'Content-Type': 'a/b', Server: 'one' });
  it('the same under the same validator, whoever sends it', () => {
    expect(continues(before, response({ server: 'two', etag: '"x"', 'content-type': 'a/b', 'content-length': '9' }))).toBe(true);
  });

  it.each([
    ['another validator', { ETag: '"y"', 'Content-Length': '9', 'Content-Type': 'a/b' }, 200],
    ['another length', { ETag: '"x"', 'Content-Length': '8', 'Content-Type': 'a/b' }, 200],
    ['another coding', { ETag: '"x"', 'Content-Length': '9', 'Content-Type': 'a/b', 'Content-Encoding': 'gzip' }, 200],
    ['another part', { ETag: '"x"', 'Content-Length': '9', 'Content-Type': 'a/b', 'Content-Range': 'bytes 0-8/20' }, 206],
    ['another type', { ETag: '"x"', 'Content-Length': '9', 'Content-Type': 'a/c' }, 200],
  ])('not %s', (_, fields, status) => expect(continues(before, response(fields, status))).toBe(false));

  it('nothing without a validator, alike as they may be', () => {
    const plain = response({ 'Content-Length': '9' });
    expect(continues(plain, plain)).toBe(false);
  });
});
