/** The checks without which a profile gets no verdict: enough of its loads can be used, and some in every scenario. */
import type { SetAside } from './comparison.ts';
import type { LoadIndex, ScenarioLoads } from './load-index.ts';
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
  const missing = everyPage ? scenarios.find((scenario) => scenario.usable === 0 && !isUnrelated(scenario)) : undefined;
  if (missing !== undefined) return `no load of ${profileId} on page ${missing.page} over link ${missing.link} can be used`;
  return undefined;
}

/**
 * A page over a link that a profile has no usable load of, for causes that cannot depend on how long the loads took: leaving it out chooses
 * no quick loads, so that it is set aside and the others are compared. With any other cause the profile has no verdict.
 */
export function setAside(index: LoadIndex, { everyPage }: LostLoadsTerms): readonly SetAside[] {
  if (!everyPage) return [];
  return [...index].flatMap(([profileId, scenarios]) =>
    [...scenarios.values()]
      .filter((scenario) => scenario.usable === 0 && isUnrelated(scenario))
      .map(({ page, link }) => ({ profileId, page, link })),
  );
}

const isUnrelated = ({ valid, void: lost, voidUnrelated }: ScenarioLoads): boolean => valid === 0 && lost === voidUnrelated;
