/**
 * Preferences that decide by which protocol a page comes, where its servers speak several. Two of them choose a protocol, of which the simulator knows
 * three; of the others only a measurement can tell.
 */
import type { PageGraph } from '../graph/page-graph.ts';
import { HTTP2_ENABLED, HTTP3_ENABLED } from '../profiles/catalogue.ts';
import { mayActOn } from '../simulate/simulated-profile.ts';
import { factorial, type SearchKnob, type Settings } from './factorial.ts';

/** `first`: nothing is remembered of the servers. `second`: names, alternative services and TLS sessions are, and no connection is open. */
export type Visit = 'first' | 'second';

/** Servers that speak every protocol, and how well Firefox knows them. */
export interface Negotiation {
  readonly visit: Visit;
  /** The pages as they come by the protocol that Firefox settles on under these settings. */
  readonly pages: (settings: Settings) => readonly PageGraph[];
}

const CHOOSING: readonly SearchKnob[] = [
  { preference: HTTP3_ENABLED, values: [false] },
  { preference: HTTP2_ENABLED, values: [false] },
];

/** What settles on each protocol, the newest first. */
export const PROTOCOL_CHOICES: readonly Settings[] = [{}, { [HTTP3_ENABLED]: false }, { [HTTP3_ENABLED]: false, [HTTP2_ENABLED]: false }];

/** One second is longer than a handshake over any link of the lab but a satellite's. Chosen. */
const PATIENT_MS = 1000;

const ANY_VISIT: readonly SearchKnob[] = [
  { preference: 'network.dns.use_https_rr_as_altsvc', values: [false] },
  { preference: 'network.http.http3.backup_timer_delay', values: [PATIENT_MS] },
  { preference: 'network.http.http2.coalesce-hostnames', values: [false] },
  { preference: 'network.http.http2.aggressive_coalescing', values: [true] },
];

/** They act on what is remembered. */
const SECOND_VISIT: readonly SearchKnob[] = [
  { preference: 'network.http.altsvc.enabled', values: [false] },
  { preference: 'network.http.http3.enable_0rtt', values: [false] },
  { preference: 'security.tls.enable_0rtt_data', values: [false] },
  { preference: 'security.ssl.disable_session_identifiers', values: [true] },
];

/** What `--knobs protocol` stands for. */
export const PROTOCOL_KNOBS: readonly SearchKnob[] = [...CHOOSING, ...ANY_VISIT, ...SECOND_VISIT];

const isAmong = (knobs: readonly SearchKnob[], preference: string): boolean => knobs.some((each) => each.preference === preference);

export const choosesProtocol = (preference: string): boolean => isAmong(CHOOSING, preference);
export const isProtocolKnob = (preference: string): boolean => isAmong(PROTOCOL_KNOBS, preference);
/** Whether a preference acts on what only a second visit has. */
export const needsMemory = (preference: string): boolean => isAmong(SECOND_VISIT, preference);

/** What Firefox settles on with servers that speak everything. */
export function agreedProtocol(settings: Settings): 'http/3' | 'http/2' | 'http/1.1' {
  if (settings[HTTP3_ENABLED] !== false) return 'http/3';
  return settings[HTTP2_ENABLED] === false ? 'http/1.1' : 'http/2';
}

/** Each protocol by what chooses it, crossed with the preferences that act on it. */
export function negotiatedFactorial(knobs: readonly SearchKnob[], { pages }: Negotiation): readonly Settings[] {
  const choices = factorial(knobs.filter(({ preference }) => choosesProtocol(preference)));
  const simplest = new Map(choices.toReversed().map((choice) => [agreedProtocol(choice), choice]));
  return [...simplest.values()].flatMap((choice) => {
    const graphs = pages(choice);
    const acting = knobs.flatMap(({ preference, values }) => {
      const left = choosesProtocol(preference) ? [] : values.filter((value) => mayActOn(preference, value, graphs));
      return left.length === 0 ? [] : [{ preference, values: left }];
    });
    return factorial(acting).map((settings) => ({ ...choice, ...settings }));
  });
}
