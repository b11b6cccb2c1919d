/** How a verdict is written where a person reads it. */

import type { ProfileComparison, Verdict } from '../compare/comparison.ts';
import { MOST_LOADS_NAMED } from '../compare/format-verdict.ts';

/** The values keep the names that they have in reports. */
export const VERDICT_LABELS: Readonly<Record<Verdict, string>> = {
  better: 'faster',
  worse: 'slower',
  'no-meaningful-difference': 'no real difference',
  'need-more-loads': 'not enough data yet',
  baseline: 'baseline',
  'no-verdict': 'no verdict',
};

/** `faster`, `not enough data yet (about 24)`, `control: slower`. */
export function verdictWords({ role, versusBaseline }: Pick<ProfileComparison, 'role' | 'versusBaseline'>): string {
  const { verdict, loadsNeeded } = versusBaseline;
  // A figure in the thousands says no more than that it would take very many; of the control nobody waits for a verdict.
  const named = role !== 'control' && verdict === 'need-more-loads' && loadsNeeded !== undefined && loadsNeeded <= MOST_LOADS_NAMED;
  const words = !named ? VERDICT_LABELS[verdict] : `${VERDICT_LABELS[verdict]} (about ${loadsNeeded})`;
  return role === 'control' ? `control: ${words}` : words;
}
