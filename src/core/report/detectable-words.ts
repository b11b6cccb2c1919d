/** What the loads of a comparison could have found, in one sentence. */
import type { Comparison } from '../compare/comparison.ts';
import { percent } from '../compare/plain-words.ts';

/** `As many loads find a gain in four of five runs from: c1-d2 6.1 %, c4-d6 5 %.`; `undefined` while no spread is known. */
export function detectableWords({ profiles, baseline }: Pick<Comparison, 'profiles' | 'baseline'>): string | undefined {
  const known = profiles.flatMap(({ id, role, versusBaseline: { detectableChange } }) =>
    role === 'candidate' && detectableChange !== undefined ? [`${id} ${percent(detectableChange)}`] : [],
  );
  if (known.length === 0) return undefined;
  return `With this spread and number of loads, a gain over ${baseline} is found in four of five runs from: ${known.join(', ')}.`;
}
