/** How the intervals of a comparison were made, for a reader. */
import type { ComparisonMethod } from '../compare/comparison.ts';
import { counted, percent } from '../text/figures.ts';

export function methodWords({ estimate, looks, alpha, intervals, ...planned }: ComparisonMethod): string {
  const ratio =
    estimate === 'paired'
      ? 'Ratio of efficiencies of loads made in the same block on the same page and link'
      : 'Ratio of efficiencies of everyday loads, with what belongs to the page, the link and the stretch of time taken out';
  const together = intervals === 1 ? 'misses the truth' : `and all ${intervals} of this comparison together miss a truth`;
  return `${ratio}; 1.2 is 20 % faster. ${intervalWords(looks, { together, alpha, intervals, end: endOf(planned) })}`;
}

function endOf({ plannedBlocks, plannedPairs }: Pick<ComparisonMethod, 'plannedBlocks' | 'plannedPairs'>): string {
  if (plannedBlocks !== undefined) return counted(plannedBlocks, 'block');
  return plannedPairs === undefined ? 'its planned end' : counted(plannedPairs, 'pair');
}

interface IntervalParts {
  readonly together: string;
  readonly alpha: number;
  readonly intervals: number;
  readonly end: string;
}

function intervalWords(looks: ComparisonMethod['looks'], { together, alpha, intervals, end }: IntervalParts): string {
  const share = `${together} in at most ${percent(alpha)} of such runs.`;
  const subject = intervals === 1 ? 'it ' : '';
  if (looks === 'any')
    return `The interval is anytime-valid: it may be looked at after every load, ${intervals === 1 ? 'and it ' : ''}${share}`;
  if (looks === 'planned')
    return `The interval is for a run of ${end}, where most of the chance of an error is spent; before and after it holds as well: ${subject}${share}`;
  return `The interval is for one look, at the number of loads that was planned; ${subject}${share}`;
}
