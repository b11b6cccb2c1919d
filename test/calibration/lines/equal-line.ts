/** A line of equal profiles under conditions that might be taken for a difference. */
import type { Estimate } from '../../../src/core/compare/comparison.ts';
import type { CalibrationLine } from '../harness/line.ts';
import { type ShareBar, shareRow } from '../harness/share-row.ts';
import type { EverydayDesign } from '../simulate/everyday-loads.ts';
import { type FalseWins, falseWins } from './equal-arms.ts';
import { ALPHA, LOOKS_ROW, MONTE_CARLO } from './equal-rows.ts';

export interface EqualLineOptions {
  readonly name: string;
  readonly what: string;
  readonly truth: EverydayDesign;
  readonly estimate?: Estimate;
  /** Of the rate at any of many looks; at most 5 % unless said. */
  readonly any?: ShareBar;
}

export function equalLine({
  name,
  what,
  truth,
  estimate = 'adjusted',
  any = { atMost: ALPHA, allowance: MONTE_CARLO },
}: EqualLineOptions): CalibrationLine<FalseWins> {
  return {
    name,
    what,
    runs: 2000,
    fewRuns: 20,
    simulate: (random) => falseWins(truth, estimate, random),
    rows: (outcomes, { full }) => [
      shareRow('false wins at the one look that was planned', outcomes, { happened: (found) => found.once, full }),
      shareRow(LOOKS_ROW, outcomes, { happened: (found) => found.any, bar: any, full }),
    ],
  };
}
