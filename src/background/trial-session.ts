/** What this run of Firefox has had since it began, where profiles come into effect at start. */
import { appliedByPolicy } from '../adapters/applier-policy.ts';
import { networkPreferences } from '../adapters/network-preferences.ts';
import { BASELINE_ID } from '../core/profiles/presets.ts';
import { helperRun } from './helper-session.ts';
import { heldByHand } from './manual-profile.ts';

/** The profile that this session runs under, as far as the helper, the person or a policy names it; without any Firefox is as it ships. */
export async function heldSinceStart(): Promise<string> {
  return (await helperRun()).inEffect ?? (await heldByHand()) ?? (await appliedByPolicy(networkPreferences()))?.profileId ?? BASELINE_ID;
}
