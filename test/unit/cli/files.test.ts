import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MAX_INPUT_BYTES, readInput } from '../../../src/cli/files.ts';

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
