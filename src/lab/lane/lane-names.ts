/**
 * The name server of a lane whose servers have names: DNS over HTTPS at the browser's end of the link, with a delay of its own in place of the way to
 * a resolver. It is not behind the link, so its packets are none of the page's.
 */
import type { PreferenceValue } from '../../core/profiles/knob.ts';
import { NAMED_SERVER_PREFERENCES, valuesOf } from '../firefox/lab-preferences.ts';
import { SERVER_ADDRESSES } from '../link/emulated-link.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import type { NameServerCertificate } from '../origin/reverse-proxies.ts';
import { NAMES_PER_ADDRESS, namedServer } from '../pages/server-names.ts';
import { type Answer, httpsRecord, ipv4, type Question, RECORD } from '../witness/dns-message.ts';
import { dnsServer } from '../witness/dns-server.ts';

export interface LaneNames {
  /** What makes Firefox ask it, and believe the lab's authority as it would any other. */
  readonly preferences: Readonly<Record<string, PreferenceValue>>;
  close(): Promise<void>;
}

/** A resolver is as far as the servers. */
export const nameDelayMs = ({ rttMs }: LinkSpec): number => rttMs;

/** @param options.delayMs - Asked for every question. */
export async function laneNames(certificate: NameServerCertificate, { delayMs }: { readonly delayMs: () => number }): Promise<LaneNames> {
  const server = await dnsServer({ certificate, answer: answersTo, delayMs });
  return {
    preferences: {
      ...valuesOf(NAMED_SERVER_PREFERENCES),
      'network.trr.uri': server.url,
    },
    close: server.close,
  };
}

/** Longer than a run: a second visit finds the name known, as it would on the web within some minutes. */
const TTL_S = 86_400;
/** In the server's order of preference (RFC 9460, section 7.1). */
const SPOKEN = ['h3', 'h2'];

/** An address for every server's name, and an HTTPS record that says what it speaks. */
export function answersTo({ name, type }: Pick<Question, 'name' | 'type'>): readonly Answer[] {
  const { server } = namedServer(name) ?? {};
  const address =
    server === undefined || server >= SERVER_ADDRESSES.length ? undefined : SERVER_ADDRESSES[Math.floor(server / NAMES_PER_ADDRESS)];
  if (address === undefined) return [];
  if (type === RECORD.a) return [{ type, ttlS: TTL_S, data: ipv4(address) }];
  return type === RECORD.https ? [{ type, ttlS: TTL_S, data: httpsRecord({ alpn: SPOKEN }) }] : [];
}
