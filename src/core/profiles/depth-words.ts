import { assertNever } from '../errors.ts';
import type { Carrier, Profile } from './profile.ts';

/** What a reader of an exported profile must know of its depth, as whole sentences; empty: there is nothing to carry. */
export function depthWords(profile: Pick<Profile, 'connections' | 'depth'>, carrier: Carrier): readonly string[] {
  const { depth, connections } = profile;
  if (depth === 1) {
    return carrier === 'gateway'
      ? ['This profile was measured through the Plumbfox gateway; without the gateway Firefox connects by itself.']
      : [];
  }
  switch (carrier) {
    case 'gateway':
      return [
        `Depth ${depth} was carried by the Plumbfox gateway. Without the gateway the depth has no effect:`,
        `Firefox then sends one request at a time on each of at most ${connections ?? 'its'} connections per server, which is not what was measured.`,
      ];
    case 'none':
      return [
        `Depth ${depth} has no effect: Firefox has had no HTTP/1.1 pipelining since version 54 (bug 1340655), and nothing carries it here.`,
      ];
    case 'http2':
      return [
        `Depth ${depth} is the number of streams a new HTTP/2 connection begins with; it has no effect once the server sends`,
        'SETTINGS_MAX_CONCURRENT_STREAMS, and none on HTTP/1.1 or HTTP/3.',
      ];
    case 'legacy':
      return [`Depth ${depth} is HTTP/1.1 pipelining, which Gecko up to 53 and its forks have; Firefox 54 and later ignore it.`];
    default:
      return assertNever(carrier);
  }
}
