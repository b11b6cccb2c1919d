import type { CalibrationLine } from '../harness/line.ts';
import { LAB_CANDIDATE, LAB_SCENARIOS, labLoads } from '../simulate/lab-loads.ts';
import { type FalseWins, falseWinsAmong } from './equal-arms.ts';
import { claimRows, fixedBandRow, peeksRow, uniformRow } from './equal-rows.ts';

/** Pages over links vary by 3 to 10 % from load to load in the lab; a look after every block from the second would be fewer. */
const TRUTH = { blocks: 20, spreads: [0.03, 0.05, 0.07, 0.1] };
/** As `tune` plans it: with all of its blocks. */
const END = { blocks: TRUTH.blocks, pairs: TRUTH.blocks * LAB_SCENARIOS };

export const equalLab: CalibrationLine<FalseWins> = {
  name: 'equal-lab',
  what: 'two equal profiles in the lab, two pages over two links in 20 blocks.',
  runs: 2000,
  fewRuns: 400,
  simulate: (random) => falseWinsAmong(labLoads(TRUTH, random), { candidates: [LAB_CANDIDATE], estimate: 'paired', end: END }),
  rows: (outcomes, { full }) => [fixedBandRow(outcomes), uniformRow(outcomes), peeksRow(outcomes, full), ...claimRows(outcomes, full)],
};
