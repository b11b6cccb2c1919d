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
    ['a part of a script for an image', { contentType: 'text/javascript', status: 206 }, 'content-type'],
    ['no method before the name of another', { assocReq: ' http://a.example/2.png' }, undefined],
    ['the name of another without a method', { assocReq: 'http://a.example/2.png' }, undefined],
    ['its own name, a no-break space after it', { assocReq: 'GET http://a.example/1.png\u00a0' }, undefined],
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

describe('what contradicts what', () => {
  const ASKED = { image: image.accept, stylesheet: 'text/css,*/*;q=0.1', document: 'text/html,*/*;q=0.8' };
  const ANSWERED = {
    image: 'image/png',
    stylesheet: 'text/css',
    document: 'text/html',
    script: 'text/javascript',
    font: 'font/woff2',
  };
  it.each([
    ['image', ['stylesheet', 'script', 'font']],
    ['stylesheet', ['image', 'script', 'font']],
    ['document', ['stylesheet', 'script', 'font']],
  ] as const)('%s: %j', (asked, contradicted) => {
    const found = Object.entries(ANSWERED).filter(([, contentType]) => orderDoubt({ ...image, accept: ASKED[asked], contentType }));
    expect(found.map(([family]) => family)).toEqual(contradicted);
  });
});

describe('of which family an answer is', () => {
  it.each([
    [undefined, undefined],
    ['image/png', 'image'],
    [' Image/PNG ; q=1', 'image'],
    ['x-image/png', undefined],
    ['font/woff2', 'font'],
    ['application/font-woff', 'font'],
    ['application/x-font-ttf', 'font'],
    ['application/json', undefined],
    ['x/font/', undefined],
    ['text/css', 'stylesheet'],
    ['text/css;charset=utf-8', 'stylesheet'],
    ['text/cssx', undefined],
    ['TEXT/HTML;charset=utf-8', 'document'],
    ['application/xhtml+xml', 'document'],
    ['text/javascript', 'script'],
    ['application/ecmascript', 'script'],
    ['javascript/x', undefined],
    [';text/css', undefined],
    [';text/javascript', undefined],
  ])('%s: %s', (contentType, family) => {
    expect(answeredFamily(contentType)).toBe(family);
  });

  it.each([
    [undefined, undefined],
    ['image/avif,*/*', 'image'],
    ['*/*,image/', undefined],
    ['text/css', 'stylesheet'],
    ['*/*,text/css', undefined],
    ['text/html,*/*', 'document'],
    ['*/*,text/html', undefined],
  ])('asked for by %s: %s', (accept, family) => {
    expect(askedFamily(accept)).toBe(family);
  });
});
