/** How a verdict is written where a person reads it. */

import type { ProfileComparison, Verdict } from '../compare/comparison.ts';
import { MOST_LOADS_NAMED } from '../compare/loads-needed-words.ts';

const WORDS: Readonly<Record<Verdict, string>> = {
  better: 'better',
  worse: 'worse',
  'no-meaningful-difference': 'no meaningful difference',
  'need-more-loads': 'need more loads',
  baseline: 'baseline',
  'no-verdict': 'no verdict',
};

/** `better`, `need more loads (about 24)`, `control: worse`. */
export function verdictWords({ role, versusBaseline }: Pick<ProfileComparison, 'role' | 'versusBaseline'>): string {
  const { verdict, loadsNeeded } = versusBaseline;
  // A figure in the thousands says no more than that it would take very many; of the control nobody waits for a verdict.
  const named = role !== 'control' && verdict === 'need-more-loads' && loadsNeeded !== undefined && loadsNeeded <= MOST_LOADS_NAMED;
  const words = !named ? WORDS[verdict] : `${WORDS[verdict]} (about ${loadsNeeded})`;
  return role === 'control' ? `control: ${words}` : words;
}
