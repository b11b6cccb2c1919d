/** A line of equal profiles under conditions that might be taken for a difference. */
import type { Estimate } from '../../../src/core/compare/comparison.ts';
import type { CalibrationLine } from '../harness/line.ts';
import { type ShareBar, shareRow } from '../harness/share-row.ts';
import type { EverydayDesign } from '../simulate/everyday-loads.ts';
import { type FalseWins, falseWins, PEEKS } from './equal-arms.ts';

export interface EqualLineOptions {
  readonly name: string;
  readonly what: string;
  readonly truth: EverydayDesign;
  readonly estimate?: Estimate;
  /** Of the rate at the one look that was planned, and at any of many. */
  readonly once?: ShareBar;
  readonly any?: ShareBar;
  /** 300 unless said. */
  readonly runs?: number;
}

export function equalLine({
  name,
  what,
  truth,
  estimate = 'adjusted',
  once,
  any,
  runs = 300,
}: EqualLineOptions): CalibrationLine<FalseWins> {
  return {
    name,
    what,
    runs,
    fewRuns: 60,
    simulate: (random) => falseWins(truth, estimate, random),
    rows: (outcomes, { full }) => [
      shareRow('false wins at the one look that was planned', outcomes, { happened: (found) => found.once, bar: once, full }),
      shareRow(`false wins at any of ${PEEKS} looks`, outcomes, { happened: (found) => found.any, bar: any, full }),
    ],
  };
}
