import { describe, expect, test } from 'vitest';
import { storedUrl, withoutFragment } from '../../../../src/core/measure/stored-url.ts';

describe('an address as it is stored', () => {
  test.each([
    ['https://site.test/a/b', 'https://site.test/a/b'],
    ['https://site.test/a#part', 'https://site.test/a'],
    ['https://site.test/a?', 'https://site.test/a'],
    ['https://me:secret@site.test:8080/a', 'https://site.test:8080/a'],
    ['https://site.test/@me', 'https://site.test/@me'],
  ])('%s becomes %s', (url, stored) => {
    expect(storedUrl(url)).toBe(stored);
  });

  test('holds nothing of its query, and tells two queries apart', () => {
    const [one, other] = [storedUrl('https://site.test/a?token=secret'), storedUrl('https://site.test/a?token=secreu')];
    expect(one).toMatch(/^https:\/\/site\.test\/a\?~[0-9a-z]+$/);
    expect(one).not.toContain('secret');
    expect(one).not.toBe(other);
    expect(storedUrl('https://site.test/a?token=secret#x')).toBe(one);
  });

  test('is at most 2 kB long, told apart by what was cut, and stays as it is when it is stored again', () => {
    const long = `https://site.test/${'p'.repeat(5_000)}`;
    for (const url of [long, `${long}x`, `https://site.test/?${'q'.repeat(1_000_000)}`, `https://${'u'.repeat(5_000)}@site.test/`]) {
      const stored = storedUrl(url);
      expect(stored.length).toBeLessThanOrEqual(2_048);
      expect(new URL(stored).host).toBe('site.test');
      expect(storedUrl(stored)).toBe(stored);
    }
    expect(storedUrl(long)).not.toBe(storedUrl(`${long}x`));
  });

  // The numbers are those of `addressKey`, in base 36; computed with Python's integers.
  test.each([
    ['https://site.test/a?token=secret', 'https://site.test/a?~dc9vnovb32'],
    ['?a', '?~2bj7a7ofe34'],
    ['?~AB', '?~o6aowo1mda'],
    ['?~aaaaaaaaaaaa', '?~1bpmxb7fg96'],
    ['?x~ab', '?~1qqvxz73nzv'],
    ['?~ab', '?~ab'],
    ['?~aaaaaaaaaaa', '?~aaaaaaaaaaa'],
    ['', ''],
  ])('%j becomes %j', (url, stored) => {
    expect(storedUrl(url)).toBe(stored);
  });

  test('cuts a path of 2,001 characters and none of 2,000', () => {
    const path = `https://site.test/${'p'.repeat(2_000 - 18)}`;
    expect(storedUrl(path)).toBe(path);
    expect(storedUrl(`${path}?a`)).toBe(`${path}?~2bj7a7ofe34`);
    expect(storedUrl(`${path}x`)).toBe(`${path}?~9f92b9byr2`);
  });

  test('reads 8,192 characters', () => {
    const query = (length: number) => `https://site.test/?${'q'.repeat(length - 19)}`;
    expect(storedUrl(`${query(8_192)}x`)).toBe(storedUrl(query(8_192)));
    expect(storedUrl(`${query(8_191)}x`)).not.toBe(storedUrl(query(8_191)));
  });

  test('leaves the user out wherever a scheme is before it, and nowhere else', () => {
    expect(storedUrl('HTTPS://me@site.test/a')).toBe('HTTPS://site.test/a');
    expect(storedUrl('wss://me:se@cret@site.test/a@b')).toBe('wss://site.test/a@b');
    expect(storedUrl('data:x-https://me@site.test')).toBe('data:x-https://me@site.test');
    expect(storedUrl('https://@site.test/')).toBe('https://site.test/');
  });
});

test.each([
  ['https://site.test/a?b#c#d', 'https://site.test/a?b'],
  ['https://site.test/a', 'https://site.test/a'],
  ['https://site.test/a#\nb', 'https://site.test/a'],
  ['#a', ''],
])('%j without its fragment is %j', (url, plain) => {
  expect(withoutFragment(url)).toBe(plain);
});
