/**
 * A trial judges the pages of one protocol, as what a profile does over HTTP/1.1 and over HTTP/2 are two effects (`compareByProtocol`). The
 * protocol is chosen before there is an outcome: by the person's newest loads when the trial is planned, or, where those are too few, by how
 * many loads the draws before any verdict had of each. Pages of other protocols are compared beside it, and prove nothing but harm.
 */

import * as v from 'valibot';
import { LOAD_PROTOCOLS, type LoadProtocol, TRIAL_PROTOCOLS } from '../compare/comparison.ts';
import { isHeeded, preferencesFor } from '../profiles/carrier.ts';
import { findKnob } from '../profiles/catalogue.ts';
import type { KnobProtocol } from '../profiles/knob.ts';
import type { Carrier, Profile } from '../profiles/profile.ts';
import { finite, type Shape } from '../schema.ts';

export const protocolPlanSchema = v.object({
  /** `unknown`: the person's loads did not tell when the trial was planned, so that the trial's first draws do. */
  judged: v.picklist(TRIAL_PROTOCOLS),
  /** Share of the person's loads, in (0, 1]. */
  share: v.pipe(finite, v.gtValue(0), v.maxValue(1)),
  /** On which the candidates' preferences act. */
  reached: v.array(v.picklist(LOAD_PROTOCOLS)),
});
/** Which loads a verdict is to be about. */
export type ProtocolPlan = Shape<typeof protocolPlanSchema>;

const KNOWN: readonly LoadProtocol[] = ['http/1.1', 'mixed', 'http/2', 'http/3'];

/** With fewer loads of a known protocol no share is estimated. A share of one half is then known to 16 points. */
const MIN_KNOWN = 10;

/** Protocols on which a preference of one of these profiles acts, by the catalogue; on mixed pages each does. */
export function reachedProtocols(profiles: readonly { readonly profile: Profile; readonly carrier: Carrier }[]): readonly LoadProtocol[] {
  const acting = profiles.flatMap(({ profile, carrier }) => {
    // A gateway speaks HTTP/1.1 and carries nothing else.
    if (carrier === 'gateway') return ['http/1.1' as const];
    const heeded = Object.keys(preferencesFor(profile, carrier)).filter(isHeeded);
    return heeded.flatMap((name) => findKnob(name)?.protocol ?? []);
  });
  return acting.length === 0 ? [] : KNOWN.filter((protocol) => protocol === 'mixed' || acting.some((one) => actsOn(one, protocol)));
}

function actsOn(knob: KnobProtocol, protocol: LoadProtocol): boolean {
  switch (knob) {
    case 'all':
    case 'tls':
    case 'dns':
      return true;
    case 'tcp':
      return protocol !== 'http/3';
    case 'http/1.1':
    case 'http/2':
    case 'http/3':
      return knob === protocol;
  }
}

/** @param history the protocols of the newest loads' pages. @param reached by the candidates. */
export function planProtocols(history: readonly (LoadProtocol | undefined)[], reached: readonly LoadProtocol[]): ProtocolPlan {
  const known = history.filter((protocol) => protocol !== undefined);
  const judged = known.length < MIN_KNOWN ? undefined : mostOf(known, reached);
  if (judged === undefined) return { judged: 'unknown', share: 1, reached };
  return { judged, share: known.filter((protocol) => protocol === judged).length / known.length, reached };
}

/** The most frequent of the protocols that are reached; where none is, of all. */
export function mostOf(protocols: readonly LoadProtocol[], reached: readonly LoadProtocol[]): LoadProtocol | undefined {
  const count = (one: LoadProtocol) => protocols.filter((protocol) => protocol === one).length;
  const best = (among: readonly LoadProtocol[]) => among.filter((one) => count(one) > 0).toSorted((a, b) => count(b) - count(a))[0];
  return best(KNOWN.filter((one) => reached.includes(one))) ?? best(KNOWN);
}
