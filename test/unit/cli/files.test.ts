import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MAX_INPUT_BYTES, MAX_JSON_VALUES, readInput } from '../../../src/cli/files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-read-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

it.each([0, 1, 200, 65_536, 1_048_575, 1_048_576, 3_000_001])(
  'a file of %i bytes is read whole, with little more memory than it needs',
  (bytes) => {
    const path = join(folder, 'file');
    const content = Buffer.alloc(bytes, 'plumbfox');
    writeFileSync(path, content);
    const allocated = vi.spyOn(Buffer, 'allocUnsafe');
    const read = readInput(path);
    expect(read.equals(content)).toBe(true);
    const asked = allocated.mock.calls.reduce((sum, [size]) => sum + size, 0);
    expect(asked).toBeLessThanOrEqual(2 * bytes + 65_536 + (bytes > 1_000_000 ? 1_048_576 : 0));
  },
);

it('one that is longer than the system says is read, too', () => {
  expect(readInput('/proc/self/status').toString('latin1')).toMatch(/^Name:/);
});

it('a device that has no end is refused', () => {
  expect(() => readInput('/dev/zero')).toThrow(`is too large: up to ${MAX_INPUT_BYTES / 1_000_000} MB can be read`);
});

it('a gzip file is unpacked up to the bound', () => {
  const path = join(folder, 'packed');
  writeFileSync(path, gzipSync(Buffer.alloc(2_000_000, 0x20)));
  expect(readInput(path, { gzip: true, maxBytes: 2_000_000 })).toHaveLength(2_000_000);
  expect(() => readInput(path, { gzip: true, maxBytes: 1_000_000 })).toThrow('is too large: up to 1 MB can be read');
});

it.each([
  ['values in lists', (count: number) => `[${'1,'.repeat(count - 2)}1]`],
  ['empty objects', (count: number) => ` [${Array.from({ length: count / 2 }, () => '{}').join(',')}]`],
])('a JSON of too many %s is refused before it is parsed', (_, text) => {
  const path = join(folder, 'values.json');
  writeFileSync(path, text(MAX_JSON_VALUES));
  expect(readInput(path).length).toBeGreaterThan(MAX_JSON_VALUES);
  writeFileSync(path, text(MAX_JSON_VALUES + 10));
  expect(() => readInput(path)).toThrow('holds too many values: up to 2 million can be read');
});

it('commas and brackets of texts are no values, nor is a file that is no JSON one', () => {
  const path = join(folder, 'text.json');
  writeFileSync(path, JSON.stringify(['\\"', '[{,'.repeat(MAX_JSON_VALUES)]));
  expect(readInput(path).length).toBeGreaterThan(MAX_JSON_VALUES);
  writeFileSync(path, ',{['.repeat(MAX_JSON_VALUES));
  expect(readInput(path).length).toBeGreaterThan(MAX_JSON_VALUES);
});
