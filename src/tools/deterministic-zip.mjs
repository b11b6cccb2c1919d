// @ts-check
// A zip whose bytes depend only on its content: names sorted, one fixed date, one way of compressing.
// Layout: PKWARE APPNOTE 6.3.10, https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT. No zip64: packages stay far below its limits.
import { crc32, deflateRawSync } from 'node:zlib';

/** 1980-01-01 00:00, the first date the format has. */
const DOS_DATE = (1 << 5) | 1;
const VERSION = 20;
const UTF8_NAMES = 1 << 11;
const STORED = 0;
const DEFLATED = 8;
/** @typedef {(content: Buffer) => Buffer} Deflate A raw deflate stream of it, the same each time. */

/** @type {Deflate} */
const highestLevel = (content) => deflateRawSync(content, { level: 9 });

/** @type {(data: Buffer) => number} */
const checksum = crc32;

/**
 * @param {ReadonlyMap<string, Buffer>} files name with forward slashes to content
 * @param {Deflate} deflate
 * @returns {Buffer}
 */
export function deterministicZip(files, deflate = highestLevel) {
  const local = [];
  const central = [];
  let offset = 0;
  for (const [name, content] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const deflated = deflate(content);
    const smaller = deflated.length < content.length;
    const data = smaller ? deflated : content;
    const nameBytes = Buffer.from(name, 'utf8');
    const common = Buffer.alloc(26);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt16LE(UTF8_NAMES, 2);
    common.writeUInt16LE(smaller ? DEFLATED : STORED, 4);
    common.writeUInt16LE(0, 6);
    common.writeUInt16LE(DOS_DATE, 8);
    common.writeUInt32LE(checksum(content), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    local.push(Buffer.from('PK\x03\x04', 'latin1'), common, nameBytes, data);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.from('PK\x01\x02', 'latin1'), Buffer.from([VERSION, 0]), common, tail, nameBytes);
    offset += 4 + common.length + nameBytes.length + data.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.size, 4);
  end.writeUInt16LE(files.size, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, directory, Buffer.from('PK\x05\x06', 'latin1'), end]);
}
