/** What the packages are compressed with: any inflater reads it, zlib packs worse, and what is kept changes no byte. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
// @ts-expect-error A build script, checked by its own comments.
import { zopfli } from '../../../src/tools/zopfli.mjs';

const text = Buffer.from(Array.from({ length: 90 }, (_, i) => `connection ${i * i} of ${i}`).join('; '));
const other = Buffer.from('short');
let folder: string;
const pack: (contents: readonly Buffer[], folder: string) => Promise<(content: Buffer) => Buffer> = zopfli;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-zopfli-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('inflates to what it was, and is smaller than by zlib', async () => {
  const packed = (await pack([text], folder))(text);
  expect(inflateRawSync(packed).equals(text)).toBe(true);
  expect(packed.length).toBeLessThan(deflateRawSync(text, { level: 9 }).length);
});

it('is the same from what is kept, and made again where that is damaged', async () => {
  const first = (await pack([text], folder))(text);
  expect((await pack([text], folder))(text).equals(first)).toBe(true);
  const [name = ''] = readdirSync(folder);
  writeFileSync(join(folder, name), 'damaged');
  expect((await pack([text], folder))(text).equals(first)).toBe(true);
});

it('keeps nothing of files that are gone', async () => {
  await pack([text, other], folder);
  expect(readdirSync(folder)).toHaveLength(2);
  await pack([other], folder);
  expect(readdirSync(folder)).toHaveLength(1);
});
