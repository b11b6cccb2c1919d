/** What a tool finds that tests all loads by Mann and Whitney as they come, whatever their page, and looks until it finds something. */
import type { ComparableLoad } from '../../../src/core/compare/comparison.ts';
import { mannWhitneyU } from '../../../src/core/stats/mann-whitney.ts';
import { DEFAULT_MAX_LOADS_PER_ARM } from '../../../src/core/trial/trial-defaults.ts';
import type { CalibrationLine } from '../harness/line.ts';
import { shareRow } from '../harness/share-row.ts';
import { everydayLoads } from '../simulate/everyday-loads.ts';
import { BASELINE, looksAt } from '../simulate/judge.ts';
import { normal } from '../simulate/noise.ts';
import { EVERYDAY_TRUTH } from '../simulate/truths.ts';
import { PEEKS } from './equal-arms.ts';
import { ALPHA } from './equal-rows.ts';

/** As many loads as `equal-everyday` has. */
const LOADS = DEFAULT_MAX_LOADS_PER_ARM;
const LOG_SD = 0.6;

interface NaiveLooks {
  readonly textbookOnce: boolean;
  readonly textbookAny: boolean;
  readonly everydayOnce: boolean;
  readonly everydayAny: boolean;
}

export const naiveLooks: CalibrationLine<NaiveLooks> = {
  name: 'naive-looks',
  what: 'two equal profiles as a naive tool tests them, 500 loads each.',
  runs: 2000,
  fewRuns: 200,
  simulate: (random) => {
    const pairs = Array.from({ length: LOADS }, () => [Math.exp(LOG_SD * normal(random)), Math.exp(LOG_SD * normal(random))] as const);
    const textbook = Array.from({ length: PEEKS }, (_, at) => {
      const seen = pairs.slice(0, Math.round((LOADS * (at + 1)) / PEEKS));
      return finds(
        seen.map(([own]) => own),
        seen.map(([, other]) => other),
      );
    });
    const everyday = looksAt(everydayLoads(EVERYDAY_TRUTH, random), PEEKS, findsAmong);
    return {
      textbookOnce: textbook.at(-1) ?? false,
      textbookAny: textbook.includes(true),
      everydayOnce: everyday.at(-1) ?? false,
      everydayAny: everyday.includes(true),
    };
  },
  rows: (outcomes, { full }) => [
    shareRow('Mann-Whitney, independent loads, one look', outcomes, { happened: (found) => found.textbookOnce, full }),
    shareRow(`Mann-Whitney, independent loads, any of ${PEEKS} looks`, outcomes, { happened: (found) => found.textbookAny, full }),
    shareRow('Mann-Whitney, everyday loads, one look', outcomes, { happened: (found) => found.everydayOnce, full }),
    shareRow(`Mann-Whitney, everyday loads, any of ${PEEKS} looks`, outcomes, { happened: (found) => found.everydayAny, full }),
  ],
};

function findsAmong(loads: readonly ComparableLoad[]): boolean {
  const efficiencies = (ofBaseline: boolean) =>
    loads.filter(({ profileId }) => (profileId === BASELINE) === ofBaseline).flatMap(({ efficiency = Number.NaN }) => efficiency);
  return finds(efficiencies(false), efficiencies(true));
}

/** Too few loads for anything, as tools of this kind have it as well. */
const FEWEST = 3;

export function finds(sample: readonly number[], other: readonly number[]): boolean {
  if (Math.min(sample.length, other.length) < FEWEST) return false;
  return mannWhitneyU(sample, other, { method: 'asymptotic' }).p < ALPHA;
}
