/** What an open run says of the loads it still needs, against how it goes on: whole runs of `tune`, continued block by block until there is a verdict. */

import type { ComparableLoad, VersusBaseline } from '../../../src/core/compare/comparison.ts';
import type { Random } from '../../../src/core/random.ts';
import { median } from '../../../src/core/stats/quantile.ts';
import type { CalibrationLine } from '../harness/line.ts';
import { shareRow } from '../harness/share-row.ts';
import { plantedTruth, tuneBlock, tuneVerdicts } from '../simulate/tune-runs.ts';
import { MONTE_CARLO } from './equal-rows.ts';

/** `null`: decided at the planned end (`undefined` does not outlive the file that results are kept in). */
type OpenRun = { readonly said: number; readonly atMost: number; readonly needed: number } | null;

/** As many times the planned blocks as a run goes on at most, and so many more; one that is open then needs more than that. */
const LONGEST = { times: 4, more: 40 };

function openRun({ blocks, gain }: { readonly blocks: number; readonly gain: number }, random: Random): OpenRun {
  const truth = plantedTruth({ profiles: 2, gains: [gain, gain, gain, gain] });
  const loads: ComparableLoad[] = [];
  const addBlock = (block: number): void => {
    loads.push(...tuneBlock(truth, block, random));
  };
  const look = (): VersusBaseline | undefined => tuneVerdicts(loads, blocks)[0];
  for (let block = 0; block < blocks; block++) addBlock(block);
  const atEnd = look();
  if (atEnd?.verdict !== 'need-more-loads') return null;
  const { loadsNeeded: said = Number.MAX_VALUE, loadsNeededAtMost: atMost = Number.MAX_VALUE } = atEnd;
  const longest = LONGEST.times * blocks + LONGEST.more;
  for (let block = blocks; block < longest; block++) {
    addBlock(block);
    if (look()?.verdict !== 'need-more-loads') return { said, atMost, needed: (block + 1 - blocks) * truth.scenarios };
  }
  return { said, atMost, needed: Number.MAX_VALUE };
}

/** Of the bars .8, 1.25 and .8 to .9 the last cannot be held at each change within three times the loads said (docs/decisions/006-loads-still-needed.md). */
const BARS = { low: 0.8, high: 1.25, decided: 0.7 };
/** A wider span says nothing. */
const WIDEST = 3;
const HALF = { atLeast: 0.5, allowance: MONTE_CARLO };

function neededLine(blocks: number, gain: number): CalibrationLine<OpenRun> {
  return {
    name: `tune-needed-${blocks}-${gain * 1000}`,
    what: `two profiles, ${(gain * 100).toFixed(1)} % better, spreads of 3 to 10 %, open at the planned end of ${blocks} blocks and continued.`,
    runs: 2000,
    fewRuns: 12,
    simulate: (random) => openRun({ blocks, gain }, random),
    rows: (outcomes, { full }) => {
      const open = outcomes.filter((outcome) => outcome !== null);
      const ratios = open.map(({ said, needed }) => said / needed);
      const share = (what: string, happened: (ratio: number) => boolean) => shareRow(what, ratios, { happened, bar: HALF, full });
      return [
        { what: 'median of loads said over needed', unit: 'ratio', found: median(ratios) },
        share('said at least .8 of what was needed', (ratio) => ratio >= BARS.low),
        share('said at most 1.25 of it', (ratio) => ratio <= BARS.high),
        shareRow('decided by the most said', open, {
          happened: ({ needed, atMost }) => needed <= atMost,
          bar: { atLeast: BARS.decided, allowance: MONTE_CARLO },
          full,
        }),
        shareRow('the most said is more than three times what was said', open, {
          happened: ({ said, atMost }) => atMost > WIDEST * said,
          bar: { atMost: 0 },
          full,
        }),
      ];
    },
  };
}

export const LOADS_STILL_NEEDED: readonly CalibrationLine<OpenRun>[] = [
  neededLine(3, 0.035),
  neededLine(3, 0.04),
  neededLine(3, 0.1),
  neededLine(10, 0.035),
  neededLine(10, 0.04),
  neededLine(25, 0.035),
];
