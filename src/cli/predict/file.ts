/** The file of `plumbfox predict`, read to JSON: plain or gzipped, whatever its size within reason. */
import { PlumbfoxError } from '../../core/errors.ts';
import { beginsWith, readInput } from '../read-input.ts';

const UTF16_MARKS = [
  [0xff, 0xfe],
  [0xfe, 0xff],
];

/** @throws PlumbfoxError `bad-input`, one line, when it cannot be read, is too large, or is no JSON. */
export async function readJsonFile(path: string): Promise<unknown> {
  const bytes = bytesOf(path);
  if (UTF16_MARKS.some((mark) => beginsWith(bytes, mark))) throw refusal(path, 'is UTF-16 text: save it as UTF-8');
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') throw refusal(path, 'is empty');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refusal(path, 'is not JSON (or only part of it), so it is neither a HAR nor a report of Plumbfox', error);
  }
}

function bytesOf(path: string): Buffer {
  try {
    return readInput(path, { gzip: true });
  } catch (error) {
    const { code } = (error as { readonly cause?: NodeJS.ErrnoException }).cause ?? {};
    throw code === 'EISDIR' ? refusal(path, 'is a folder: name the report.json or report.json.gz in it') : error;
  }
}

function refusal(path: string, why: string, cause?: unknown): PlumbfoxError {
  return new PlumbfoxError('bad-input', `${path} ${why}`, { cause });
}
