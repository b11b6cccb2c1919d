/** Every form in which an address could stand in a file that is shared: as it is, taken apart, or as a number that who has the address finds too. */
import { createHash } from 'node:crypto';
import { addressKey } from '../../src/core/field/address-key.ts';
import { storedUrl } from '../../src/core/measure/stored-url.ts';

/** Shorter pieces stand in any file by chance. */
const FEWEST_LETTERS = 5;

/** Of an address, and of its host without its first label for as long as there are two: one of these is what can be registered (eTLD+1). */
export function canaryForms(address: string): readonly string[] {
  const url = new URL(address);
  const labels = url.hostname.split('.');
  const hosts = /^\[|^[\d.]+$/.test(url.hostname) ? [url.hostname] : labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
  const plain = [
    address,
    url.href,
    storedUrl(url.href),
    url.origin,
    `${url.protocol}//`,
    ...hosts,
    decodeURIComponentOrNot(url.href),
    ...pieces(url.pathname),
    ...pieces(url.search),
    url.username,
    url.password,
    url.hash.slice(1),
  ].filter((text) => text.length >= FEWEST_LETTERS && text !== 'null');
  const wholes = [address, url.href, storedUrl(url.href), url.origin, url.host, url.hostname, ...hosts];
  return [...new Set([...plain, ...wholes.filter((text) => text.length >= FEWEST_LETTERS && text !== 'null').flatMap(numbersOf)])];
}

const pieces = (text: string): readonly string[] => [text, ...text.split(/[/?&=]/)];

function decodeURIComponentOrNot(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Digests in both ways of writing them, and our own number of an address, which is stored on this machine. */
const numbersOf = (text: string): readonly string[] => [
  ...['md5', 'sha1', 'sha256'].flatMap((name) => {
    const digest = createHash(name).update(text).digest();
    return [digest.toString('hex'), digest.toString('base64').replace(/=+$/, ''), digest.toString('base64url')];
  }),
  ...[String(addressKey(text)), addressKey(text).toString(36)].filter((number) => number.length >= 8),
];

/** Forms that are found, whatever the case of letters. Its own schema and markup name no address. */
export function formsIn(text: string, forms: readonly string[]): readonly string[] {
  const folded = text.toLowerCase();
  return forms.filter((form) => folded.includes(form.toLowerCase()));
}
