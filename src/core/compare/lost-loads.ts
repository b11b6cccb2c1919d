/** The checks without which a profile gets no verdict: enough of its loads can be used, and some in every scenario. */
import type { LoadIndex } from './load-index.ts';
import { counted } from './plain-words.ts';
import { MOST_LOST_SHARE } from './thresholds.ts';

export interface LostLoadsTerms {
  /** Whether every page over every link was planned for the profile; everyday loads fall on pages as they please. */
  readonly everyPage: boolean;
}

/** What is wrong with a profile's loads, in plain words; `undefined`: nothing. No loads at all is not a fault. */
export function lostLoads(index: LoadIndex, profileId: string, { everyPage }: LostLoadsTerms): string | undefined {
  const scenarios = [...(index.get(profileId)?.values() ?? [])];
  const attempted = scenarios.reduce((total, scenario) => total + scenario.valid + scenario.void, 0);
  const lost = attempted - scenarios.reduce((total, scenario) => total + scenario.usable, 0);
  if (attempted === 0) return undefined;
  if (lost / attempted > MOST_LOST_SHARE) {
    return `${lost} of the ${counted(attempted, 'load')} of ${profileId} are void or without an efficiency`;
  }
  const missing = everyPage ? scenarios.find((scenario) => scenario.usable === 0) : undefined;
  if (missing !== undefined) return `no load of ${profileId} on page ${missing.page} over link ${missing.link} can be used`;
  return undefined;
}
