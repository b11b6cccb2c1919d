/** With which profiles a trial may begin: the few that are predicted to be the best. */
import { compareCost } from '../profiles/compare-cost.ts';
import { costOf, type PredictedProfile } from '../simulate/predicted-profiles.ts';

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
  let left = profiles
    .filter(({ ratio, coverage }) => coverage.state === 'modelled' && ratio >= 1 + ALIKE)
    .sort((a, b) => b.ratio - a.ratio);
  for (let [first] = left; first !== undefined && best.length < MOST_BEST; [first] = left) {
    const limit = first.ratio / (1 + ALIKE);
    const cheapest = left.filter(({ ratio }) => ratio >= limit).sort((a, b) => compareCost(costOf(a), costOf(b)))[0];
    if (cheapest !== undefined) best.push(cheapest);
    left = left.filter(({ ratio }) => ratio < limit);
  }
  return best;
}
