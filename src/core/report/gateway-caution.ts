import type { Comparison, ProfileComparison } from '../compare/comparison.ts';
import { comparisonInWords } from '../compare/plain-words.ts';
import { verdictWords } from './verdict-words.ts';

/**
 * What must be known of a recommended profile that the gateway carried: what is left of it without the gateway, and the best
 * of those measured without it, with its verdict. `undefined`: the recommendation needs no gateway, or there is none.
 */
export function gatewayCaution({ baseline, profiles, recommendation }: Comparison): string | undefined {
  const chosen = profiles.find(({ id }) => id === recommendation.profileId);
  if (chosen?.carrier !== 'gateway') return undefined;
  const left = `Without the gateway (the popup's, or plumbfox gateway), the depth of ${chosen.id} has no effect: Firefox then sends one request at a time on each connection, which may be slower than ${baseline}.`;
  return `${left} ${bestWithout(profiles, baseline)}`;
}

function bestWithout(profiles: readonly ProfileComparison[], baseline: string): string {
  const others = profiles.filter(({ id, carrier }) => carrier !== 'gateway' && id !== baseline);
  if (others.length === 0) return `Nothing but ${baseline} was measured without it.`;
  let best: { readonly profile: ProfileComparison; readonly ratio: number } | undefined;
  for (const profile of others) {
    const { ratio, verdict } = profile.versusBaseline;
    if (ratio === undefined || verdict === 'no-verdict') continue;
    if (best === undefined || ratio > best.ratio) best = { profile, ratio };
  }
  if (best === undefined) return 'There is no verdict on any profile measured without it.';
  if (best.ratio <= 1) return `Of those measured without it, none did better than ${baseline}.`;
  const { profile, ratio } = best;
  return `Best of those measured without it: ${profile.id}, ${comparisonInWords(ratio, baseline)}; verdict: ${verdictWords(profile)}.`;
}
