import { describe, expect, test } from 'vitest';
import { storedUrl } from '../../../src/core/measure/stored-url.ts';

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
});
