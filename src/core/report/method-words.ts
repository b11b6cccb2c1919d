/** How the intervals of a comparison were made, for a reader. */
import type { ComparisonMethod } from '../compare/comparison.ts';
import { percent } from '../compare/plain-words.ts';

export function methodWords({ estimate, looks, alpha, intervals }: ComparisonMethod): string {
  const ratio =
    estimate === 'paired'
      ? 'Ratio of efficiencies of loads made in the same block on the same page and link'
      : 'Ratio of efficiencies of everyday loads, with what belongs to the page, the link and the stretch of time taken out';
  const together = intervals === 1 ? 'misses the truth' : `and all ${intervals} of this comparison together miss a truth`;
  const interval =
    looks === 'any'
      ? `The interval is anytime-valid: it may be looked at after every load, ${intervals === 1 ? 'and it ' : ''}${together} in at most ${percent(alpha)} of such runs.`
      : `The interval is for one look, at the number of loads that was planned; it ${together} in at most ${percent(alpha)} of such runs.`;
  return `${ratio}; 1.2 is 20 % more efficient. ${interval}`;
}
