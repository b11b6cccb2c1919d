/**
 * An address as it is stored: what follows `?` and `#` may be private, and a page can make it a megabyte long. Requests are
 * told apart, and paired with their timing, by it: so a query leaves a number behind, the same for the same query.
 */
import { addressKey } from '../field/address-key.ts';

/** Origin and path, bytes; longer ones are cut. Servers commonly refuse addresses above 8 kB. */
const MAX_PATH = 2_000;
/**
 * Both halves of a load cut here first: a page that is left has little time, and to read 1,500 addresses of 60 kB to their end took it 0.4 s.
 * Addresses that differ only after that are paired by nearness in time.
 */
const MAX_READ = 8_192;
/** The form in which a query is stored: the same address again stays as it is. */
const CUT_QUERY = /^~[0-9a-z]{1,11}$/;

export function storedUrl(url: string): string {
  const [plain = ''] = url.slice(0, MAX_READ).split('#', 1);
  const mark = plain.indexOf('?');
  const [whole, query] = mark === -1 ? [plain, ''] : [plain.slice(0, mark), plain.slice(mark + 1)];
  const path = withoutUser(whole);
  if (path.length <= MAX_PATH && (query === '' || CUT_QUERY.test(query))) return query === '' ? path : `${path}?${query}`;
  return `${path.slice(0, MAX_PATH)}?~${addressKey(`${path.slice(MAX_PATH)}?${query}`).toString(36)}`;
}

/** A name and a password stand before the host: `scheme://name:password@host`. */
const withoutUser = (path: string): string => path.replace(/^([a-z]+:\/\/)[^/]*@/i, '$1');

/** The address that is requested: what follows `#` is never sent. */
export function withoutFragment(url: string): string {
  const hash = url.indexOf('#');
  return hash < 0 ? url : url.slice(0, hash);
}
