/** Intervals hold the truth as often as they say, on loads as skewed as real ones and as few as a person has at first. */
import type { ComparableLoad } from '../../../src/core/compare/comparison.ts';
import type { Random } from '../../../src/core/random.ts';
import { hodgesLehmannInterval } from '../../../src/core/stats/hodges-lehmann.ts';
import { welchOnLogs } from '../../support/stats/welch-on-logs.ts';
import type { CalibrationLine } from '../harness/line.ts';
import { shareRow } from '../harness/share-row.ts';
import { BASELINE, judge } from '../simulate/judge.ts';
import { normal } from '../simulate/noise.ts';
import { CANDIDATE } from '../simulate/truths.ts';

const LOADS = 20;
const LOG_SD = 0.8;
/** Any truth serves; 1 would not tell an interval that ignores the data. */
const RATIO = 1.3;
const BAR = { atLeast: 0.93, atMost: 0.97 };

interface Holds {
  readonly hodgesLehmann: boolean;
  readonly welch: boolean;
  readonly pipeline: boolean;
}

export const intervalCoverage: CalibrationLine<Holds> = {
  name: 'interval-coverage',
  what: '20 loads each of a log-normal with log-sd 0.8; how often 95 % intervals hold the truth.',
  runs: 4000,
  fewRuns: 500,
  simulate: (random) => {
    const sample = (ratio: number) => Array.from({ length: LOADS }, () => ratio * 0.3 * Math.exp(LOG_SD * normal(random)));
    const own = sample(RATIO);
    const other = sample(1);
    const shift = hodgesLehmannInterval(own.map(Math.log), other.map(Math.log));
    return {
      hodgesLehmann: holds(shift && { low: Math.exp(shift.low), high: Math.exp(shift.high) }),
      welch: holds(welchOnLogs(own, other).test),
      pipeline: holds(judge(inBlocks(own, other, random), { candidates: [CANDIDATE], estimate: 'paired', looks: 'once' })[0]),
    };
  },
  rows: (outcomes, { full }) => [
    shareRow('Hodges-Lehmann on logs', outcomes, { happened: ({ hodgesLehmann }) => hodgesLehmann, bar: BAR, full }),
    shareRow('Welch on logs', outcomes, { happened: ({ welch }) => welch, bar: BAR, full }),
    shareRow('the comparison, at one look', outcomes, { happened: ({ pipeline }) => pipeline, bar: BAR, full }),
  ],
};

function holds(interval: { readonly low: number | undefined; readonly high: number | undefined } | undefined): boolean {
  if (interval?.low === undefined || interval.high === undefined) return false;
  return interval.low <= RATIO && RATIO <= interval.high;
}

/** A load of each profile per block, on one page over one link, in random order. */
function inBlocks(own: readonly number[], other: readonly number[], random: Random): readonly ComparableLoad[] {
  return own.flatMap((efficiency, block) => {
    const load = (profileId: string, value: number): ComparableLoad => ({
      profileId,
      page: 'page',
      link: 'link',
      block,
      valid: true,
      efficiency: value,
      loadTimeMs: 1000 / value,
    });
    return random.shuffle([load(CANDIDATE, efficiency), load(BASELINE, other[block] ?? Number.NaN)]);
  });
}
