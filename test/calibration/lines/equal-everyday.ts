import type { CalibrationLine } from '../harness/line.ts';
import { EVERYDAY_TRUTH } from '../simulate/truths.ts';
import { type FalseWins, falseWins } from './equal-arms.ts';
import { claimRows, fixedBandRow, peeksRow, uniformRow } from './equal-rows.ts';

export const equalEveryday: CalibrationLine<FalseWins> = {
  name: 'equal-everyday',
  what: 'two equal profiles on everyday browsing, 500 loads each.',
  runs: 2000,
  fewRuns: 100,
  simulate: (random) => falseWins(EVERYDAY_TRUTH, 'adjusted', random),
  rows: (outcomes, { full }) => [fixedBandRow(outcomes), uniformRow(outcomes), peeksRow(outcomes, full), ...claimRows(outcomes, full)],
};
