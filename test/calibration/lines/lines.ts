/** All lines of the calibration, in the order of the table: everyday browsing, trials, then the lab and `tune`, whose lines take seconds. */
import type { CalibrationLine } from '../harness/line.ts';
import { COMMON_EFFECT, commonDiffers } from './common-effect.ts';
import { DRIFT_AND_CARRY_OVER } from './drift-and-carry-over.ts';
import { equalEveryday } from './equal-everyday.ts';
import { equalLab } from './equal-lab.ts';
import { EQUAL_SHAPES } from './equal-shapes.ts';
import { LOADS_BY_PAGES } from './loads-by-pages.ts';
import { LOADS_OVER_ORACLE } from './loads-over-oracle.ts';
import { LOADS_STILL_NEEDED } from './loads-still-needed.ts';
import { fewLost, halfLost } from './lost-loads.ts';
import { modesSkewed } from './modes-skewed.ts';
import { NAMED_GAIN } from './named-gain.ts';
import { PLANTED_CHANGE } from './planted-change.ts';
import { PLANTED_TRIALS } from './planted-trial.ts';
import { RANDOM_LOSSES_OF_TRIALS, RANDOM_LOSSES_OF_TUNE } from './random-losses.ts';
import { RIVALS } from './rivals.ts';
import { SEARCHES } from './searches.ts';
import { TUNE_RUNS } from './tune-runs.ts';
import { EQUAL_TRIALS, harmfulTrial } from './whole-trials.ts';

export const LINES: readonly CalibrationLine[] = [
  equalEveryday,
  ...PLANTED_CHANGE,
  ...DRIFT_AND_CARRY_OVER,
  ...EQUAL_SHAPES,
  ...LOADS_BY_PAGES,
  ...PLANTED_TRIALS,
  harmfulTrial,
  ...EQUAL_TRIALS,
  ...RANDOM_LOSSES_OF_TRIALS,
  halfLost,
  fewLost,
  ...TUNE_RUNS,
  ...RANDOM_LOSSES_OF_TUNE,
  ...LOADS_OVER_ORACLE,
  ...COMMON_EFFECT,
  commonDiffers,
  ...SEARCHES,
  ...RIVALS,
  equalLab,
  ...LOADS_STILL_NEEDED,
  ...NAMED_GAIN,
  modesSkewed,
];

/** @throws Error for a name that no line has. */
export function lineNamed(name: string): CalibrationLine {
  const found = LINES.find((line) => line.name === name);
  if (found === undefined) throw new Error(`no line ${name}`);
  return found;
}
