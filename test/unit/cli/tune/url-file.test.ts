import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseUrlList, readUrlFile } from '../../../../src/cli/tune/arguments.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbfox-urls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(text: string): string {
  const path = join(folder, 'urls');
  writeFileSync(path, text);
  return path;
}

describe('the file of --urls', () => {
  test('one address per line; comments, blank lines, a byte order mark and ends of line of Windows are passed over; each counts once', () => {
    expect(parseUrlList('\uFEFF# mine\r\nhttps://a.test\r\n\r\n  http://b.test/x?y#z  \nhttps://a.test/\n', 'f')).toEqual([
      'https://a.test/',
      'http://b.test/x?y#z',
    ]);
  });

  test.each([
    ['https://a.test\nnonsense', /^--urls: f, line 2: "nonsense" is not an address/],
    ['example.org', /line 1: "example.org" is not an address such as https:\/\/example.org\//],
    ['\n\nfile:///etc/passwd', /line 3: only http and https addresses/],
    ['about:config', /line 1: only http and https/],
    [`x${'y'.repeat(500)}`, /^.{0,200}$/],
  ])('refused: %j', (text, says) => {
    expect(() => parseUrlList(text, 'f')).toThrow(says);
  });

  test('a file without addresses, with too many, or that is not there', async () => {
    await expect(readUrlFile(file('# none\n'))).rejects.toThrow(/holds no address/);
    await expect(readUrlFile(file(Array.from({ length: 1001 }, (_, n) => `http://h${n}.test/`).join('\n')))).rejects.toThrow(
      /more than 1000/,
    );
    expect(await readUrlFile(file(Array.from({ length: 1000 }, (_, n) => `http://h${n}.test/`).join('\n')))).toHaveLength(1000);
    await expect(readUrlFile(join(folder, 'none'))).rejects.toThrow(/cannot be read \(ENOENT\)/);
  });
});
