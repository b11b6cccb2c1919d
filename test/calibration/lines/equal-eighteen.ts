/** Eighteen profiles without any difference: somebody always comes out on top, and no verdict may say so. */
import type { ComparableLoad } from '../../../src/core/compare/comparison.ts';
import { blocksPlanned } from '../../../src/core/trial/trial-plan.ts';
import type { CalibrationLine } from '../harness/line.ts';
import { shareRow } from '../harness/share-row.ts';
import { counted, type EverydayDesign, everydayLoads } from '../simulate/everyday-loads.ts';
import { type JudgeOptions, judge, looksAt } from '../simulate/judge.ts';
import { plannedTrial } from '../simulate/planned-trial.ts';
import { EVERYDAY_TRUTH, equalArms } from '../simulate/truths.ts';
import { PEEKS } from './equal-arms.ts';
import { ALPHA, MONTE_CARLO } from './equal-rows.ts';

const BAR = { atMost: ALPHA, allowance: MONTE_CARLO };

interface Eighteen {
  /** Any profile was called better. */
  readonly once: boolean;
  readonly any: boolean;
}

/** More than screening gives all eighteen before it halves them (`successive-halving.ts`). */
const TRUTH: EverydayDesign = { ...EVERYDAY_TRUTH, arms: equalArms(18), blocks: 5 };
const CANDIDATES = TRUTH.arms.slice(1).map(({ id }) => id);

export const equalEighteen: CalibrationLine<Eighteen> = {
  name: 'equal-eighteen',
  what: 'eighteen equal profiles on everyday browsing, 45 loads each.',
  runs: 2000,
  fewRuns: 10,
  simulate: (random) => {
    const loads = counted(everydayLoads(TRUTH, random));
    const anyBetter = (seen: readonly ComparableLoad[], looks: Pick<JudgeOptions, 'looks' | 'plannedPairs'>) =>
      judge(seen, { candidates: CANDIDATES, estimate: 'adjusted', ...looks }).some(({ verdict }) => verdict === 'better');
    const screening = { looks: 'any', plannedPairs: blocksPlanned(plannedTrial(TRUTH.arms, random)) } as const;
    return {
      once: anyBetter(loads, { looks: 'once' }),
      any: looksAt(loads, PEEKS, (seen) => anyBetter(seen, screening)).includes(true),
    };
  },
  rows: (outcomes, { full }) => [
    shareRow('any called better at the one look', outcomes, { happened: ({ once }) => once, bar: BAR, full }),
    shareRow(`any called better at any of ${PEEKS} looks, as a trial screens`, outcomes, { happened: ({ any }) => any, bar: BAR, full }),
  ],
};
