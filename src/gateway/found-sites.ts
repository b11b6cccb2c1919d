/**
 * The sites that Plumbfox's extension lets the gateway carry, and where Firefox has found them. The gateway asks no name server: it could be told
 * something else than Firefox is, by DNS over HTTPS for one, and a name that has moved to another machine meanwhile would lead there unasked.
 */
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { addressSpaceOf } from '../core/address-space.ts';
import type { FoundSite, HandedBack } from '../protocol/gateway-sites.ts';
import { parseHttpAuthority } from './request-target.ts';

/**
 * Whether an address is of this very machine, by one of its interfaces, or of the cable it hangs on: Firefox asks before a page of elsewhere
 * reaches those (Local Network Access, https://wicg.github.io/local-network-access/).
 * @param address - IPv4 or IPv6 without brackets; what is none is not.
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

export class FoundSites {
  #byOrigin = new Map<string, string>();
  #byHost = new Map<string, string>();
  readonly #isNear: (address: string) => boolean;

  constructor(isNearAddress: (address: string) => boolean = isNear) {
    this.#isNear = isNearAddress;
  }

  /** In place of all that was known. What is no origin of plain http is left out. */
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
  whyNot(origin: string): HandedBack | undefined {
    const address = this.#byOrigin.get(origin);
    if (address === undefined) return 'again';
    return this.#isNear(address) ? 'this-machine' : undefined;
  }

  /** Where Firefox has found it, and nowhere else. A literal address is never asked for. */
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
