/** The sites that the person has listed for pipelining, in `storage.local`: nothing else is led through the gateway. */
import * as v from 'valibot';
import { isThisMachine } from '../core/address-space.ts';
import { PlumbfoxError } from '../core/errors.ts';
import { type ListedSite, listedSiteSchema, MAX_SITES } from '../protocol/gateway-sites.ts';
import { browser } from './browser.ts';

const KEY = 'gatewaySites';
/** Longest that DNS allows for a name (RFC 1035, 2.3.4), with scheme and port beside it. */
const MAX_CHARACTERS = 280;

/** In the order in which they were listed; none where something else wrote there. */
export async function listedSites(): Promise<readonly ListedSite[]> {
  const held = v.safeParse(v.array(listedSiteSchema), (await browser.storage.local.get(KEY))[KEY]);
  return held.success ? held.output : [];
}

async function write(sites: readonly ListedSite[]): Promise<readonly ListedSite[]> {
  await browser.storage.local.set({ [KEY]: sites });
  return sites;
}

/** One that was listed before begins anew. @throws PlumbfoxError `bad-input`. */
export async function listSite(text: string): Promise<readonly ListedSite[]> {
  const origin = typedOrigin(text);
  const others = (await listedSites()).filter((site) => site.origin !== origin);
  if (others.length >= MAX_SITES) throw new PlumbfoxError('bad-input', `No more than ${MAX_SITES} sites can be listed: remove one first`);
  return write([...others, { origin }]);
}

/** A site that is not listed stays so. */
export async function unlistSite(origin: string): Promise<readonly ListedSite[]> {
  return write((await listedSites()).filter((site) => site.origin !== origin));
}

/** Holds for good, until the person lists it again. */
export async function sendDirect(origin: string, direct: NonNullable<ListedSite['direct']>): Promise<readonly ListedSite[]> {
  return write((await listedSites()).map((site) => (site.origin === origin ? { origin, direct } : site)));
}

/**
 * @param text - `intranet.example`, `http://intranet.example:8080/any/page`.
 * @returns its origin. @throws PlumbfoxError `bad-input`.
 */
export function typedOrigin(text: string): string {
  const typed = text.trim();
  const url =
    typed === '' || typed.length > MAX_CHARACTERS ? null : URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `http://${typed}`);
  if (url === null || url.hostname === '' || url.username !== '') {
    throw new PlumbfoxError('bad-input', 'That is not the address of a site. One looks like http://intranet.example');
  }
  if (url.protocol !== 'http:') throw new PlumbfoxError('bad-input', `The gateway takes plain http only, not ${url.protocol.slice(0, -1)}`);
  if (isThisMachine(url.hostname)) throw new PlumbfoxError('bad-input', 'Pages of this very machine never go through the gateway');
  return url.origin;
}
