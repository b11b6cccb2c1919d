/** With which profiles a trial may begin: the few that are predicted to be the best. */

import { costOf, type PredictedProfile } from '../predict/predicted-profiles.ts';
import { cheapestLevel } from '../profiles/compare-cost.ts';

/** Each candidate more makes the first part of a trial longer. Our own choice. */
export const MOST_BEST = 3;
/** What is predicted to gain less is as good as what it is compared with. Our own choice: less than any trial here can find. */
const ALIKE = 0.01;

/**
 * At most `MOST_BEST` profiles, the most efficient first, each predicted to be at least 1 % more efficient than the baseline. Of those that
 * are predicted alike, within 1 % of each other, only the cheapest is taken: a trial would need thousands of loads to tell them apart. What is
 * simulated in part only is none of them.
 */
export function predictedBest(profiles: readonly PredictedProfile[]): readonly PredictedProfile[] {
  const best: PredictedProfile[] = [];
  let left = profiles.filter(({ ratio, coverage }) => coverage.state === 'modelled' && ratio >= 1 + ALIKE);
  while (best.length < MOST_BEST) {
    const choice = cheapestLevel(left, { costOf, gainOf, isLevel });
    if (choice === undefined) break;
    best.push(choice.chosen);
    left = left.filter((each) => !isLevel(each, choice.best));
  }
  return best;
}

const gainOf = ({ ratio }: PredictedProfile): number => ratio;
const isLevel = (each: PredictedProfile, best: PredictedProfile): boolean => each.ratio >= best.ratio / (1 + ALIKE);
