/** The checks without which a profile gets no verdict: enough of its loads can be used, and some in every scenario. */
import type { Estimate } from './comparison.ts';
import type { LoadIndex } from './load-index.ts';
import { counted } from './plain-words.ts';
import { MOST_LOST_SHARE } from './thresholds.ts';

/**
 * What is wrong with a profile's loads, in plain words; `undefined`: nothing. No loads at all is not a fault. Everyday loads (`adjusted`)
 * fall on pages as they please, so there a page without a usable load is none either.
 */
export function lostLoads(index: LoadIndex, profileId: string, estimate: Estimate): string | undefined {
  const scenarios = [...(index.get(profileId)?.values() ?? [])];
  const attempted = scenarios.reduce((total, scenario) => total + scenario.valid + scenario.void, 0);
  const lost = attempted - scenarios.reduce((total, scenario) => total + scenario.usable, 0);
  if (attempted === 0) return undefined;
  if (lost / attempted > MOST_LOST_SHARE) {
    return `${lost} of the ${counted(attempted, 'load')} of ${profileId} are void or without an efficiency`;
  }
  const missing = estimate === 'adjusted' ? undefined : scenarios.find((scenario) => scenario.usable === 0);
  if (missing !== undefined) return `no load of ${profileId} on page ${missing.page} over link ${missing.link} can be used`;
  return undefined;
}
