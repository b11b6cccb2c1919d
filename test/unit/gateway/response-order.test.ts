import { describe, expect, it } from 'vitest';
import { answeredFamily, askedFamily, type OrderEvidence, orderDoubt } from '../../../src/gateway/response-order.ts';

const image: OrderEvidence = {
  method: 'GET',
  url: 'http://a.example/1.png',
  accept: 'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5',
  status: 200,
  contentType: 'image/png',
  assocReq: undefined,
};

describe('orderDoubt', () => {
  it.each([
    ['an image for an image', {}, undefined],
    ['a script for an image', { contentType: 'application/javascript' }, 'content-type'],
    ['CSS for an image', { contentType: 'Text/CSS; charset=utf-8' }, 'content-type'],
    ['CSS with an error status for an image', { contentType: 'text/css', status: 404 }, undefined],
    ['an HTML error page for an image', { contentType: 'text/html' }, undefined],
    ['a type that says nothing', { contentType: 'application/octet-stream' }, undefined],
    ['no type', { contentType: undefined }, undefined],
    ['an image for CSS', { accept: 'text/css,*/*;q=0.1' }, 'content-type'],
    ['an image for a document', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }, undefined],
    ['a font for a document', { accept: 'text/html,*/*;q=0.8', contentType: 'font/woff2' }, 'content-type'],
    ['anything for a script', { accept: '*/*' }, undefined],
    ['anything for no Accept', { accept: undefined }, undefined],
    ['its own name', { assocReq: 'GET http://a.example/1.png' }, undefined],
    ['its own name, spelt otherwise', { assocReq: 'GET http://A.example:80/1.png' }, undefined],
    ['the name of another', { assocReq: 'GET http://a.example/2.png' }, 'assoc-req'],
    ['the name of another method', { assocReq: 'HEAD http://a.example/1.png' }, 'assoc-req'],
    ['a name that is none', { assocReq: 'nonsense' }, undefined],
    ['a name that is no URL', { assocReq: 'GET 2.png' }, undefined],
    ['the name of another with an error', { assocReq: 'GET http://a.example/2.png', status: 404 }, 'assoc-req'],
  ] as const)('%s', (_what, evidence, doubt) => {
    expect(orderDoubt({ ...image, ...evidence })).toBe(doubt);
  });
});

describe('families', () => {
  it('reads Accept by its beginning and Content-Type by its essence', () => {
    expect(askedFamily('text/css,*/*;q=0.1')).toBe('stylesheet');
    expect(askedFamily('video/webm,*/*')).toBeUndefined();
    expect(answeredFamily('text/javascript;charset=utf-8')).toBe('script');
    expect(answeredFamily('application/x-font-ttf')).toBe('font');
    expect(answeredFamily('')).toBeUndefined();
  });
});
