/** The sites that the person has listed for pipelining, in `storage.local`: nothing else goes through the gateway. */
import * as v from 'valibot';
import { isThisMachine } from '../core/address-space.ts';
import { PlumbfoxError } from '../core/errors.ts';
import { type ListedSite, listedSiteSchema, MAX_SITES } from '../protocol/gateway-sites.ts';
import { browser } from './browser.ts';

const KEY = 'gatewaySites';
/** The longest name that DNS allows (RFC 1035, 2.3.4), with a scheme and a port. */
const MAX_CHARACTERS = 280;

/** The sites in the order in which they were listed; none where the stored value cannot be read. */
export async function listedSites(): Promise<readonly ListedSite[]> {
  const held = v.safeParse(v.array(listedSiteSchema), (await browser.storage.local.get(KEY))[KEY]);
  return held.success ? held.output : [];
}

async function write(sites: readonly ListedSite[]): Promise<readonly ListedSite[]> {
  await browser.storage.local.set({ [KEY]: sites });
  return sites;
}

/** Lists a site; one that was listed before starts over. @throws PlumbfoxError `bad-input`. */
export async function listSite(text: string): Promise<readonly ListedSite[]> {
  const origin = typedOrigin(text);
  const others = (await listedSites()).filter((site) => site.origin !== origin);
  if (others.length >= MAX_SITES) throw new PlumbfoxError('bad-input', `No more than ${MAX_SITES} sites can be listed: remove one first`);
  return write([...others, { origin }]);
}

/** Takes a site off the list. */
export async function unlistSite(origin: string): Promise<readonly ListedSite[]> {
  return write((await listedSites()).filter((site) => site.origin !== origin));
}

/** Sends a listed site direct until the person lists it again. */
export async function sendDirect(origin: string, direct: NonNullable<ListedSite['direct']>): Promise<readonly ListedSite[]> {
  return write((await listedSites()).map((site) => (site.origin === origin ? { origin, direct } : site)));
}

/**
 * @param text - `intranet.example`, `http://intranet.example:8080/any/page`.
 * @returns its origin. @throws PlumbfoxError `bad-input`.
 */
function typedOrigin(text: string): string {
  const typed = text.trim();
  const url =
    typed === '' || typed.length > MAX_CHARACTERS ? null : URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `http://${typed}`);
  if (url === null || url.hostname === '' || url.username !== '') {
    throw new PlumbfoxError('bad-input', 'That is not the address of a site. One looks like http://intranet.example');
  }
  if (url.protocol !== 'http:') throw new PlumbfoxError('bad-input', `The gateway takes plain http only, not ${url.protocol.slice(0, -1)}`);
  if (isThisMachine(url.hostname)) throw new PlumbfoxError('bad-input', 'Pages of this machine never go through the gateway');
  return url.origin;
}
