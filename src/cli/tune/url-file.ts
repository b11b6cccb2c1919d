/** The file of `--urls`: one address per line; blank lines and lines that begin with # are passed over. */
import { PlumbfoxError } from '../../core/errors.ts';
import { readInput } from '../read-input.ts';

const MOST_ADDRESSES = 1000;

/** @throws PlumbfoxError `bad-input` naming the line that cannot be used. */
export async function readUrlFile(path: string): Promise<readonly string[]> {
  const addresses = parseUrlList(textOf(path), path);
  if (addresses.length === 0) throw new PlumbfoxError('bad-input', `--urls: ${path} holds no address`);
  if (addresses.length > MOST_ADDRESSES)
    throw new PlumbfoxError('bad-input', `--urls: ${path} holds more than ${MOST_ADDRESSES} addresses`);
  return addresses;
}

function textOf(path: string): string {
  try {
    return readInput(path).toString('utf8');
  } catch (error) {
    if (error instanceof PlumbfoxError) throw new PlumbfoxError(error.kind, `--urls: ${error.message}`, { cause: error });
    throw error;
  }
}

/**
 * Each address once, in the order of the file, normalised. @param path - For the message. @throws PlumbfoxError `bad-input` naming the
 * line.
 */
export function parseUrlList(text: string, path: string): readonly string[] {
  const addresses: string[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const address = line.trim();
    if (address === '' || address.startsWith('#')) continue;
    const where = `--urls: ${path}, line ${index + 1}`;
    const url = URL.parse?.(address) ?? parsed(address);
    if (!url) throw new PlumbfoxError('bad-input', `${where}: "${address.slice(0, 80)}" is not an address such as https://example.org/`);
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new PlumbfoxError('bad-input', `${where}: only http and https addresses can be measured`);
    if (!addresses.includes(url.href)) addresses.push(url.href);
  }
  return addresses;
}

function parsed(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}
