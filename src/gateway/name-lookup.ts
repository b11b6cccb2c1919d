import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { addressSpaceOf } from '../core/address-space.ts';
import type { FoundSite, HandedBack } from '../protocol/gateway-sites.ts';
import { NEAR_ADDRESS } from './failure.ts';
import { parseHttpAuthority } from './request-target.ts';

/** Firefox itself keeps an address as long (`network.dnsCacheExpiration`, 60 s). */
const KEPT_MS = 60_000;

type Callback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;
/** `dns.lookup` requested all addresses. */
export type SystemLookup = (host: string, options: LookupOptions & { all: true }, callback: Callback) => void;

interface NameCacheOptions {
  readonly lookup?: SystemLookup | undefined;
  /** A clock that never goes back, ms. */
  readonly now?: () => number;
}

/**
 * Name resolution for upstream sockets: several connections to one origin share one query, and addresses are kept as long as Firefox keeps them, so
 * that the gateway makes no more queries than the browser would. Failures are not kept.
 */
export function createNameCache({ lookup = systemLookup, now = () => performance.now() }: NameCacheOptions = {}): LookupFunction {
  const kept = new Map<string, { readonly addresses: LookupAddress[]; readonly until: number }>();
  const waiting = new Map<string, Callback[]>();

  const resolve = (host: string, callback: Callback) => {
    const entry = kept.get(host);
    if (entry !== undefined && entry.until > now()) return process.nextTick(callback, null, entry.addresses);
    const others = waiting.get(host);
    if (others !== undefined) {
      others.push(callback);
      return;
    }
    const callbacks = [callback];
    waiting.set(host, callbacks);
    lookup(host, { all: true }, (error, addresses) => {
      waiting.delete(host);
      if (error === null) kept.set(host, { addresses, until: now() + KEPT_MS });
      else kept.delete(host);
      for (const each of callbacks) each(error, addresses);
    });
  };

  return (host, options, callback) => {
    resolve(host, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const family = options.family === 4 || options.family === 6 ? options.family : undefined;
      const usable = family === undefined ? addresses : addresses.filter((a) => a.family === family);
      const first = usable[0];
      if (first === undefined) return callback(Object.assign(new Error(`No address for ${host}`), { code: 'ENOTFOUND' }), []);
      if (options.all === true) callback(null, usable);
      else callback(null, first.address, first.family);
    });
  };
}

/**
 * Whether an address belongs to this machine, by one of its interfaces, or to its own link: Firefox asks the person before a page from elsewhere
 * reaches those (Local Network Access, https://wicg.github.io/local-network-access/).
 * @param address - IPv4 or IPv6 without brackets; anything else is not near.
 */
export function isNear(address: string, own: readonly string[] = ownAddresses()): boolean {
  const space = addressSpaceOf(address);
  if (space === 'loopback' || space === 'link-local') return true;
  const family = isIP(address);
  if (family === 0) return false;
  const mine = new BlockList();
  for (const each of own) mine.addAddress(each, isIP(each) === 6 ? 'ipv6' : 'ipv4');
  return mine.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address));

/** Which sites the gateway serves, and how it finds them. */
export interface Sites {
  /** Why a request of a site is handed back; `refused`: it is answered with 403; `undefined`: it is carried. */
  whyNot(site: { readonly origin: string; readonly host: string }): HandedBack | 'refused' | undefined;
  readonly lookup: LookupFunction;
}

/** Any site at any address: the lab's own servers. */
export const anySite = (lookup?: SystemLookup): Sites => ({ whyNot: () => undefined, lookup: createNameCache({ lookup }) });

/**
 * The sites that the command was given. A name that leads to this machine, its link or, unless that is wanted, a private network is not followed: it may
 * be somebody else's name server that says so.
 */
export function givenSites(
  origins: ReadonlySet<string>,
  { reachesPrivate, lookup, isNear: isNearAddress = isNear }: GivenSitesOptions,
): Sites {
  const isRefused = (address: string) => isNearAddress(address) || (!reachesPrivate && addressSpaceOf(address) === 'private');
  const system = createNameCache({ lookup });
  return {
    whyNot: ({ origin, host }) => (origins.has(origin) && !isRefused(host) ? undefined : 'refused'),
    lookup: (host, options, callback) =>
      system(host, { ...options, all: true }, (error, found) => {
        const addresses = (Array.isArray(found) ? found : []).filter(({ address }) => !isRefused(address));
        const [first] = addresses;
        if (error !== null) callback(error, []);
        else if (first === undefined) callback(Object.assign(new Error(`${host} is near`), { code: NEAR_ADDRESS }), []);
        else if (options.all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      }),
  };
}

interface GivenSitesOptions {
  readonly reachesPrivate: boolean;
  readonly lookup?: SystemLookup | undefined;
  readonly isNear?: ((address: string) => boolean) | undefined;
}

/**
 * The sites that the gateway carries for the extension, and the addresses at which Firefox found them. The gateway uses no name server: its answer
 * could differ from Firefox's, for example with DNS over HTTPS, and a name that moved to another machine since would lead there unnoticed.
 */
export class FoundSites implements Sites {
  #byOrigin = new Map<string, string>();
  #byHost = new Map<string, string>();
  readonly #isNear: (address: string) => boolean;

  constructor(isNearAddress: (address: string) => boolean = isNear) {
    this.#isNear = isNearAddress;
  }

  /** Replaces the sites; entries that are no plain-http origin are ignored. */
  know(sites: readonly FoundSite[]): void {
    this.#byOrigin = new Map(sites.map(({ origin, address }) => [origin, address]));
    this.#byHost = new Map(
      sites.flatMap(({ origin, address }) => {
        const endpoint = parseHttpAuthority(origin.replace(/^http:\/\//, ''));
        return endpoint === undefined ? [] : [[endpoint.host, address] as const];
      }),
    );
  }

  /** Why a site is not carried; `undefined`: it is. */
  whyNot({ origin }: { readonly origin: string }): HandedBack | undefined {
    const address = this.#byOrigin.get(origin);
    if (address === undefined) return 'again';
    return this.#isNear(address) ? 'this-machine' : undefined;
  }

  /** Answers with the address at which Firefox found the host. Literal addresses are never looked up. */
  readonly lookup: LookupFunction = (host, options, callback) => {
    const address = this.#byHost.get(host);
    const family = isIP(address ?? '');
    const fits = address !== undefined && family !== 0 && (options.family !== 4 || family === 4) && (options.family !== 6 || family === 6);
    process.nextTick(() => {
      if (!fits) callback(Object.assign(new Error(`No address for ${host}`), { code: 'ENOTFOUND' }), []);
      else if (options.all === true) callback(null, [{ address, family }]);
      else callback(null, address, family);
    });
  };
}
