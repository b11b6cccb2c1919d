import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Seconds Firefox itself keeps an address: `network.dnsCacheExpiration`, 60. */
const KEPT_MS = 60_000;

type Callback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;
/** `dns.lookup` asked for all addresses. */
export type SystemLookup = (host: string, options: LookupOptions & { all: true }, callback: Callback) => void;

interface NameCacheOptions {
  readonly lookup?: SystemLookup | undefined;
  /** A clock that never goes back, ms. */
  readonly now?: () => number;
}

/**
 * Name resolution for upstream sockets: several connections to one origin share one query, and addresses are kept as
 * long as Firefox keeps them, so that the gateway asks no more than the browser would. Failures are not kept.
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
