/** What a run has proven by settings without the gateway, and which files may set it. */
import { assertNever } from '../../core/errors.ts';
import { policyTakes } from '../../core/profiles/catalogue/policy-engine.ts';
import { priceLine, pricesOf } from '../../core/profiles/profile-price.ts';
import type { Report } from '../../core/report/report.ts';

/**
 * `priced`: it costs privacy or security, so no file sets it unasked: `apply` asks. `free`: user.js sets it, and a policy does unless `policyIgnores`
 * names preferences that Firefox's policy engine passes over.
 */
export type ProvenSettings =
  | { readonly state: 'nothing' }
  | { readonly state: 'priced'; readonly profileId: string; readonly prices: readonly string[] }
  | { readonly state: 'free'; readonly profileId: string; readonly policyIgnores: readonly string[] };

export function provenSettings({ comparison, profiles }: Pick<Report, 'comparison' | 'profiles'>): ProvenSettings {
  const { state, profileId } = comparison.recommendation.settingsAlone;
  if (state !== 'recommended' || profileId === null) return { state: 'nothing' };
  const intended = profiles.find(({ id }) => id === profileId)?.intended ?? {};
  const prices = pricesOf(intended).map(priceLine);
  if (prices.length > 0) return { state: 'priced', profileId, prices };
  return { state: 'free', profileId, policyIgnores: Object.keys(intended).filter((name) => !policyTakes(name)) };
}

/** Why a file is not written, a line each. */
export function notWrittenLines(proven: ProvenSettings): readonly string[] {
  switch (proven.state) {
    case 'nothing':
      return [`${NEITHER}, because nothing is proven faster by settings alone.`];
    case 'priced':
      return [`${NEITHER}, because ${proven.profileId} has a price:`, ...proven.prices.map((line) => `  ${line}`)];
    case 'free':
      return proven.policyIgnores.length === 0
        ? []
        : [`Not written: policies.json, because Firefox's policy engine ignores ${proven.policyIgnores.join(', ')}.`];
    default:
      return assertNever(proven);
  }
}

const NEITHER = 'Not written: policies.json and user.js';
