import { crc32, inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
// @ts-expect-error A build script, checked by its own comments.
import { deterministicZip } from '../../../src/tools/deterministic-zip.mjs';

const files: [string, Buffer][] = [
  ['b/second.txt', Buffer.from('text '.repeat(500))],
  ['a.json', Buffer.from('{}')],
  ['b/höhe.txt', Buffer.from('ü')],
];

test('depends on the content alone, not on the order in which files come', () => {
  const zip = deterministicZip(new Map(files));
  expect(deterministicZip(new Map([...files].reverse())).equals(zip)).toBe(true);
  expect(deterministicZip(new Map(files.slice(1))).equals(zip)).toBe(false);
});

test('holds every byte, sorted and dated 1980-01-01, with its checksum', () => {
  const zip: Buffer = deterministicZip(new Map(files));
  const found: [string, number, string][] = [];
  // Local headers one after the other (APPNOTE 4.3.7): 30 bytes, name, data.
  for (let at = 0; zip.readUInt32LE(at) === 0x04034b50; ) {
    const [method, date, sum, size] = [
      zip.readUInt16LE(at + 8),
      zip.readUInt16LE(at + 12),
      zip.readUInt32LE(at + 14),
      zip.readUInt32LE(at + 18),
    ];
    const start = at + 30 + zip.readUInt16LE(at + 26);
    const data = zip.subarray(start, start + size);
    const content = method === 8 ? inflateRawSync(data) : data;
    expect(crc32(content)).toBe(sum);
    found.push([zip.subarray(at + 30, start).toString(), date, content.toString()]);
    at = start + size;
  }
  // Day 1, month 1 << 5, year 0 since 1980: 33.
  expect(found).toEqual([
    ['a.json', 33, '{}'],
    ['b/höhe.txt', 33, 'ü'],
    ['b/second.txt', 33, 'text '.repeat(500)],
  ]);
  expect(zip.length).toBeLessThan(1_000);
});
