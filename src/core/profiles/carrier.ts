/** The preferences a profile sets, given what carries its depth. */
import { assertNever } from '../errors.ts';
import { HTTP2_CONCURRENT, PACING_ENABLED, PER_PROXY } from './catalogue.ts';
import { MAX_CONNECTIONS } from './check-profile.ts';
import { findKnob } from './find-knob.ts';
import type { PreferenceValue } from './knob.ts';
import { legacyPipelining } from './legacy-pipelining.ts';
import type { Carrier, Profile } from './profile.ts';

type Preferences = Readonly<Record<string, PreferenceValue>>;

/**
 * `gateway`: the leg from Firefox to the gateway is unlimited and unpaced, so that the gateway alone decides how many connections of what
 * depth a server sees; the per-server number stays set for https, which the gateway does not carry.
 * `http2`: depth is the number of streams a new session opens with. `legacy`: the pipelining of Gecko up to 53.
 */
export function preferencesFor(profile: Profile, carrier: Carrier): Preferences {
  const { preferences, depth } = profile;
  switch (carrier) {
    case 'none':
      return preferences;
    case 'gateway':
      return { ...preferences, [PER_PROXY]: MAX_CONNECTIONS, [PACING_ENABLED]: false };
    case 'http2':
      return depth > 1 ? { ...preferences, [HTTP2_CONCURRENT]: depth } : preferences;
    case 'legacy':
      return depth > 1 ? { ...preferences, ...legacyPipelining(depth) } : preferences;
    default:
      return assertNever(carrier);
  }
}

/** Whether a Firefox that runs this extension heeds the preference at all (legacy pipelining is not heeded since 54). */
export const isHeeded = (preference: string): boolean => findKnob(preference)?.takesEffect !== 'never';
