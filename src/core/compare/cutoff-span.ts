/** The outcome of a cut-off table in one line: over which cut-offs the second arm wins, and by how much at both ends. */
import type { CutoffRow, CutoffTable } from './cutoff-table.ts';

/** What is counted is time, so less is better: a win is the second's. */
export type CutoffOutcome = 'win' | 'loss' | 'no-change' | 'mixed';

export type CutoffSpan =
  | {
      readonly outcome: CutoffOutcome;
      /**
       * First and last cut-off of the span, and the relative difference of ~mean at each (as in `CutoffDelta`); not its
       * extremes.
       */
      readonly from: CutoffEnd;
      readonly to: CutoffEnd;
    }
  /** No cut-off lies below the tail, or a mean is not known. */
  | { readonly outcome: 'unknown'; readonly reason: string };

/** `relative`: as in `CutoffDelta`, a share of the second arm's ~mean, above 0 where the second's is smaller. */
export interface CutoffEnd {
  readonly cutoffPercent: number;
  readonly relative: number;
}

export interface SpanOptions {
  /**
   * Values from here up, in the unit of the histogram, have a cause of their own: cut-offs at which either arm has reached them
   * are left out.
   */
  readonly tailFrom?: number;
}

/**
 * The mail's "WIN - 4.90% to 3.73%". It does not say which cut-offs these are. In all ten weeks they are the first one and the
 * last one at which the value of both arms is below 50 s, where "the data has a skew which is not related to this feature": 50
 * % and, in the first week, 98 %, in the others 95 %. So `tailFrom: 50_000` gives all ten lines; that this is how the author
 * chose is our reading. Without it the span is the whole table.
 *
 * A win has a smaller ~mean of the second arm at every cut-off of the span, a loss a larger one.
 */
export function cutoffSpan({ rows }: CutoffTable, { tailFrom = Number.POSITIVE_INFINITY }: SpanOptions = {}): CutoffSpan {
  const end = rows.findIndex(({ first, second }) => [first, second].some(({ value }) => value === undefined || value >= tailFrom));
  const ends: CutoffEnd[] = [];
  for (const row of end < 0 ? rows : rows.slice(0, end)) {
    const relative = row.meanDelta.relative;
    if (relative === undefined) return { outcome: 'unknown', reason: unknownMean(row) };
    ends.push({ cutoffPercent: row.cutoffPercent, relative });
  }
  const [from] = ends;
  const to = ends.at(-1);
  if (from === undefined || to === undefined) return { outcome: 'unknown', reason: 'every cut-off lies in the tail' };
  return { outcome: outcomeOf(ends), from, to };
}

function outcomeOf(ends: readonly CutoffEnd[]): CutoffOutcome {
  if (ends.every(({ relative }) => relative > 0)) return 'win';
  if (ends.every(({ relative }) => relative < 0)) return 'loss';
  return ends.every(({ relative }) => relative === 0) ? 'no-change' : 'mixed';
}

function unknownMean({ cutoffPercent }: CutoffRow): string {
  return `the means below ${cutoffPercent} % cannot be compared`;
}
