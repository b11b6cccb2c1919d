import { CONTROL_ID } from './presets.ts';
import type { Carrier, Profile } from './profile.ts';

/**
 * What carries a profile's depth in a Firefox that has no pipelining of its own. Depth 1 needs nothing and goes direct, but for the
 * control, which is there to go through the gateway. A depth above 1 goes through the gateway where there is one; otherwise nothing
 * carries it and it has no effect.
 */
export function carrierFor(profile: Pick<Profile, 'id' | 'depth'>, { gateway }: { readonly gateway: boolean }): Carrier {
  return gateway && (profile.depth > 1 || profile.id === CONTROL_ID) ? 'gateway' : 'none';
}
