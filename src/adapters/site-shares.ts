/** The origin and the site of an address, and how much each site has stored, so that no site can push out the others. */
import { addressKey } from '../core/field/address-key.ts';
import type { SiteShare, WriteTransaction } from './record-database.ts';

/** Adds to the count of a site; part of the writer's transaction. */
export async function countSite(
  transaction: WriteTransaction,
  site: number,
  change: { bytes?: number; loads?: number; fromChunk?: number },
) {
  const sites = transaction.objectStore('sites');
  const before = (await sites.get(site)) ?? { bytes: 0, loads: 0 };
  const after: SiteShare = {
    ...before,
    bytes: Math.max(0, before.bytes + (change.bytes ?? 0)),
    loads: Math.max(0, before.loads + (change.loads ?? 0)),
    ...(change.fromChunk !== undefined && { fromChunk: change.fromChunk }),
  };
  if (after.loads === 0 && after.bytes === 0) await sites.delete(site);
  else await sites.put(after, site);
}

/** The site with the largest share, if that exceeds `most`. */
export async function largestSite(transaction: WriteTransaction, by: 'byBytes' | 'byLoads', most: number) {
  const cursor = await transaction.objectStore('sites').index(by).openCursor(null, 'prev');
  if (cursor === null) return undefined;
  const share = cursor.value;
  return (by === 'byBytes' ? share.bytes : share.loads) > most ? { site: cursor.primaryKey, share } : undefined;
}

/** A site as a number: `addressKey` of its name. */
export const siteOf = (url: string): number => addressKey(siteName(url));

/**
 * The name of an address's site: all hosts under one registered name, so that a page does not get a share for each of its hosts. The list of public
 * suffixes takes its own permission in Firefox; a second level of the usual names under a country counts as one: co.uk, com.au. Of an address of
 * IPv6 it is the network: whoever has one has 2^64 (RFC 6177). Empty: no address of a host.
 */
export function siteName(url: string): string {
  const host = URL.parse(url)?.hostname ?? '';
  const labels = host.split('.');
  if (host.startsWith('[')) return networkOf(host);
  if (/^[\d.]+$/.test(host) || labels.length < 3) return host;
  const [second = '', first = ''] = labels.slice(-2);
  return labels.slice(first.length === 2 && SECOND_LEVELS.has(second) ? -3 : -2).join('.');
}

/** Under which countries register names (https://publicsuffix.org/list/): a domain of a person's own is as short, and its hosts are one site. */
const SECOND_LEVELS: ReadonlySet<string> = new Set(
  'ac,co,com,ed,edu,gob,gov,go,gv,ltd,me,mil,ne,net,nhs,nom,or,org,plc,res,sch,web'.split(','),
);

/** The /64 of an address as the URL standard writes it. */
function networkOf(host: string): string {
  const [before = [], after = []] = host
    .slice(1, -1)
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')));
  const groups = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after];
  return `[${groups.slice(0, 4).join(':')}::]`;
}

/** The site that a person has typed, as an address or a host; `undefined`: there is none in it. */
export function siteTyped(text: string): string | undefined {
  const typed = text.trim();
  const name = siteName(/^https?:\/\//i.test(typed) ? typed : `http://${typed}`);
  return name === '' ? undefined : name;
}

/** scheme://host:port of a URL as the URL standard serialises it (default ports left out); `null` for data:, blob: and what is no URL. */
export function originOf(url: string): string | null {
  const parsed = URL.parse(url);
  return parsed === null || parsed.protocol === 'blob:' || parsed.origin === 'null' ? null : parsed.origin;
}
