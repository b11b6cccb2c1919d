import { describe, expect, it } from 'vitest';
import { forwardedRequestHeaders, forwardedResponseHeaders, unkept } from '../../../src/gateway/hop-by-hop.ts';

describe('forwardedRequestHeaders', () => {
  it('keeps order, case and repetition of what crosses', () => {
    const raw = ['X-b', '1', 'x-A', '2', 'X-b', '3'];
    expect(forwardedRequestHeaders(raw, { hasBody: false })).toEqual(raw);
  });

  it('drops every field of the hop, those named in Connection, and Host', () => {
    const names = ['Connection', 'Proxy-Connection', 'Keep-Alive', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade', 'Host', 'Expect'];
    const raw = [...names, 'PROXY-AUTHORIZATION', 'Proxy-Authenticate', 'X-Named', 'x-other'].flatMap((n) => [
      n,
      n === 'Connection' ? 'close, x-named ,X-OTHER' : 'v',
    ]);
    expect(forwardedRequestHeaders([...raw, 'Kept', 'yes'], { hasBody: true })).toEqual(['Kept', 'yes']);
  });

  it('does not let Connection take the framing away', () => {
    expect(forwardedRequestHeaders(['Connection', 'content-length', 'Content-Length', '3'], { hasBody: true })).toEqual([
      'Content-Length',
      '3',
    ]);
  });

  it('drops what a proxy says of itself, and the gateway’s own word', () => {
    const raw = ['Proxy-Authentication-Info', 'x', 'Plumbfox-Gateway', 'again', 'Kept', 'yes'];
    expect(forwardedRequestHeaders(raw, { hasBody: true })).toEqual(['Kept', 'yes']);
  });

  it('takes what Connection names from Connection alone, and leaves a name without a value', () => {
    // As long a name as Connection has.
    const raw = ['User-Agent', 'kept', 'Kept', '1', 'Without'];
    expect(forwardedRequestHeaders(raw, { hasBody: true })).toEqual(raw.slice(0, 4));
  });

  it('sends a length only along with a body', () => {
    expect(forwardedRequestHeaders(['Content-Length', '0'], { hasBody: false })).toEqual([]);
  });
});

describe('forwardedResponseHeaders', () => {
  it('tells what the gateway wants to know, and keeps every byte', () => {
    const raw = [
      'Set-Cookie',
      'a',
      'set-cookie',
      'b',
      'Content-Type',
      'image/png',
      'Content-Length',
      '12',
      'X',
      'caf\u00e9',
      'Assoc-Req',
      'GET http://a/',
    ];
    expect(forwardedResponseHeaders([...raw, 'Connection', 'Close'], { isChunked: false })).toEqual({
      headers: raw,
      contentType: 'image/png',
      assocReq: 'GET http://a/',
      closes: true,
    });
  });

  it('takes the first type and the first name, and drops what Connection names but not what frames or routes', () => {
    const raw = ['Content-Type', 'a/b', 'content-type', 'c/d', 'Assoc-Req', 'GET http://a/', 'assoc-req', 'GET http://b/', 'Host', 'h'];
    const dropped = ['X-Named', '1', 'Proxy-Authenticate', 'Basic', 'plumbfox-gateway', 'again', 'Transfer-Encoding', 'chunked'];
    expect(forwardedResponseHeaders(['Connection', 'x-named, host', ...raw, ...dropped, 'Odd'], { isChunked: false })).toEqual({
      headers: raw,
      contentType: 'a/b',
      assocReq: 'GET http://a/',
      closes: false,
    });
  });

  it('keeps the connection where nothing is said of it', () => {
    expect(forwardedResponseHeaders([], { isChunked: false }).closes).toBe(false);
  });

  it('announces trailers only where the framing allows them', () => {
    const headers = (isChunked: boolean) => forwardedResponseHeaders(['Trailer', 'X-Sum'], { isChunked }).headers;
    expect([headers(true), headers(false)]).toEqual([['Trailer', 'X-Sum'], []]);
  });

  it.each([
    ['timeout=5, max=99', 99],
    ['max = 0', 0],
    ['MAX=7;timeout=5', 7],
    ['timeout=5', undefined],
    ['xmax=5', undefined],
    ['max=-1', undefined],
    ['timeout=5;max  =  12', 12],
    ['max=1234567890', 123_456_789],
    ['max=many', undefined],
  ])('reads Keep-Alive: %s, and does not pass it on', (value, requestsLeft) => {
    const read = forwardedResponseHeaders(['Keep-Alive', value], { isChunked: false });
    expect([read.requestsLeft, read.headers]).toEqual([requestsLeft, []]);
  });

  it('reads how many requests are left in no other field', () => {
    const read = forwardedResponseHeaders(['X-Of', 'max=3', 'Keep-Alive', 'max=5', 'X-Limit', 'max=7', 'X-None', ''], { isChunked: false });
    expect(read.requestsLeft).toBe(5);
  });
});

describe('unkept', () => {
  it('leaves out what a cache goes by, in whatever case, and forbids to keep the answer', () => {
    const cachedBy = ['Cache-Control', 'max-age=60', 'EXPIRES', 'x', 'pragma', 'y', 'Age', '3', 'ETag', '"a"', 'Last-Modified', 'z'];
    expect(unkept(200, [...cachedBy, 'Content-Type', 'text/css', 'X-None', ''])).toEqual([
      ...['Content-Type', 'text/css', 'X-None', ''],
      ...['Cache-Control', 'no-store'],
    ]);
  });

  it('says nothing more of what was kept before', () => {
    expect(unkept(304, ['ETag', '"a"', 'Date', 'x'])).toEqual(['Date', 'x']);
  });

  it('leaves out a name without a value', () => {
    expect(unkept(304, ['Date', 'x', 'Vary'])).toEqual(['Date', 'x']);
  });
});
