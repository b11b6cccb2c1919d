/** The file of `plumbfox predict`, read to JSON: plain or gzipped, whatever its size within reason. */
import { createReadStream } from 'node:fs';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { PlumbfoxError } from '../core/errors.ts';

/** A string of JavaScript can hold a little more (V8: 536.8 million characters). */
const LARGEST_BYTES = 500_000_000;
const CHUNK_BYTES = 1_048_576;
const GZIP_MAGIC = [0x1f, 0x8b];
const UTF16_MARKS = [
  [0xff, 0xfe],
  [0xfe, 0xff],
];

/** @throws PlumbfoxError `bad-input`, one line, when it cannot be read, is too large, or is no JSON. */
export async function readJsonFile(path: string): Promise<unknown> {
  const bytes = await unpacked(path, await readBytes(path));
  if (UTF16_MARKS.some((mark) => beginsWith(bytes, mark))) throw refusal(path, 'is UTF-16 text: save it as UTF-8');
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') throw refusal(path, 'is empty');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refusal(path, 'is not JSON (or only part of it), so it is neither a HAR nor a report of Plumbfox', error);
  }
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    // Not `readFile`: a device or a pipe has no size that could be looked at before.
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > LARGEST_BYTES) throw refusal(path, tooLarge());
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof PlumbfoxError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'EISDIR')
      throw refusal(path, 'is a folder: name the report.json or report.json.gz in it');
    throw refusal(path, `cannot be read (${(error as NodeJS.ErrnoException).code ?? error})`, error);
  }
}

async function unpacked(path: string, bytes: Buffer): Promise<Buffer> {
  if (!beginsWith(bytes, GZIP_MAGIC)) return bytes;
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: LARGEST_BYTES });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw refusal(path, code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : `is a damaged gzip file (${code ?? error})`, error);
  }
}

const beginsWith = (bytes: Buffer, mark: readonly number[]): boolean => mark.every((byte, at) => bytes[at] === byte);
const tooLarge = (): string => `is too large: up to ${LARGEST_BYTES / 1_000_000} MB can be read`;

function refusal(path: string, why: string, cause?: unknown): PlumbfoxError {
  return new PlumbfoxError('bad-input', `${path} ${why}`, { cause });
}
