/** How a verdict is written where a person reads it. */
import type { ProfileComparison, Verdict } from '../compare/comparison.ts';

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
  const words = loadsNeeded === undefined ? WORDS[verdict] : `${WORDS[verdict]} (about ${loadsNeeded})`;
  return role === 'control' ? `control: ${words}` : words;
}
