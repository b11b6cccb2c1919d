/** Files that a person names. They are read up to a bound, whatever they are, a device or a pipe too; and never overwritten. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PlumbfoxError } from '../core/errors.ts';
import { scanJson } from '../core/json-scan.ts';
import { systemReason } from '../helper/errors.ts';

/**
 * Twelve times the largest report published. Once it is parsed, `{},{},...` of 100 MB takes 2.2 GB of V8's heap (Node 20), and 2 GB is all that
 * Node allows itself on a machine of 8 GB: more would end the process without a word.
 */
export const MAX_INPUT_BYTES = 64_000_000;
const CHUNK_BYTES = 1_048_576;
/** First chunk of a device or a pipe, which has no size: as much as a pipe of Linux holds (pipe(7)). */
const UNSIZED_BYTES = 65_536;
/** RFC 1952. */
const GZIP_MAGIC = [0x1f, 0x8b];

/** Whether the first bytes are those of a kind of file. */
export const beginsWith = (bytes: Buffer, mark: readonly number[]): boolean => mark.every((byte, at) => bytes[at] === byte);

interface InputOptions {
  /** Unpacked where it is packed. */
  readonly gzip?: boolean;
  readonly maxBytes?: number;
}

/** @throws PlumbfoxError `bad-input`, one line that begins with `path`. */
export function readInput(path: string, { gzip = false, maxBytes = MAX_INPUT_BYTES }: InputOptions = {}): Buffer {
  const bytes = readBounded(path, maxBytes);
  const whole = gzip && beginsWith(bytes, GZIP_MAGIC) ? unpacked(path, bytes, maxBytes) : bytes;
  if (whole.length > MAX_JSON_VALUES && hasTooManyValues(whole))
    throw refusal(path, `holds too many values: up to ${MAX_JSON_VALUES / 1_000_000} million can be read`);
  return whole;
}

/**
 * Values of a JSON: 14 times those of the largest report published, and a HAR of 20,000 requests has as many. Each takes 100 bytes and more once it is
 * parsed: `{},{},...` of 60 MB took 2.7 GB and a minute.
 */
export const MAX_JSON_VALUES = 2_000_000;
/** Each comma and bracket that opens makes room for a value. */
const BEFORE_VALUE = new Set([0x2c, 0x5b, 0x7b]);

/** A file that is no JSON has no values. */
function hasTooManyValues(bytes: Buffer): boolean {
  if (!/^(?:\u00ef\u00bb\u00bf)?\s*[[{]/.test(bytes.subarray(0, 100).toString('latin1'))) return false;
  let values = 0;
  return scanJson(bytes, (byte) => BEFORE_VALUE.has(byte) && ++values > MAX_JSON_VALUES);
}

function unpacked(path: string, bytes: Buffer, maxBytes: number): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw refusal(path, code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(maxBytes) : `is a damaged gzip file (${code ?? error})`, error);
  }
}

const tooLarge = (maxBytes: number): string => `is too large: up to ${maxBytes / 1_000_000} MB can be read`;

function readBounded(path: string, maxBytes: number): Buffer {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const chunks: Buffer[] = [];
    const { size: expected } = fstatSync(file);
    if (expected > maxBytes) throw refusal(path, tooLarge(maxBytes));
    // One more than there is, so that the end is seen without another chunk.
    let chunk = Buffer.allocUnsafe(expected === 0 ? UNSIZED_BYTES : Math.min(expected + 1, CHUNK_BYTES));
    for (let size = 0, filled = 0; ; ) {
      const read = readSync(file, chunk, filled, chunk.length - filled, null);
      if (read === 0) return Buffer.concat([...chunks, chunk.subarray(0, filled)], size);
      size += read;
      filled += read;
      if (size > maxBytes) throw refusal(path, tooLarge(maxBytes));
      if (filled < chunk.length) continue;
      chunks.push(chunk);
      chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      filled = 0;
    }
  } catch (error) {
    if (error instanceof PlumbfoxError) throw error;
    throw refusal(path, `cannot be read: ${systemReason(error)}`, error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

const refusal = (path: string, why: string, cause?: unknown): PlumbfoxError => new PlumbfoxError('bad-input', `${path} ${why}`, { cause });

/** @throws PlumbfoxError `bad-input` naming the option, when the file exists already or cannot be written. */
export async function writeNewFile(option: string, path: string, text: string): Promise<void> {
  try {
    await writeFile(resolve(path), text, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' ? 'is there already: name another file' : `cannot be written: ${systemReason(error)}`;
    throw new PlumbfoxError('bad-input', `${option}: ${path} ${why}`, { cause: error });
  }
}
