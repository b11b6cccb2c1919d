/** The race beside other ways to spend loads: five profiles, one 10 % better, loads until it is recommended in four of five runs. */
import { quantile } from '../../../src/core/stats/quantile.ts';
import type { CalibrationLine } from '../harness/line.ts';
import type { CalibrationRow } from '../harness/row.ts';
import { shareRow } from '../harness/share-row.ts';
import { normal } from '../simulate/noise.ts';
import { asymptoticSequence, obrienFleming, type RivalEnd, type RivalTruth, topTwo } from '../simulate/rivals.ts';
import { plantedTruth, recommendedOf, tuneRun } from '../simulate/tune-runs.ts';

const METHODS = ['race', 'pair', 'uniform', 'sequence', 'top-two'] as const;
type Method = (typeof METHODS)[number];

const LABELS: Readonly<Record<Method, string>> = {
  race: 'the race',
  pair: "O'Brien-Fleming, the pair and the spread known",
  uniform: "O'Brien-Fleming, all profiles to the end, the spread known",
  sequence: 'asymptotic confidence sequence, all profiles',
  'top-two': 'EB-TC-epsilon, the spread known: within 3 % of the best',
};

type Compared = Readonly<Record<Method, { readonly loads: number; readonly isFound: boolean; readonly isFalse: boolean }>>;

const PROFILES = 5;
/** More loads than any run makes: what lies beyond is a run that did not find it. */
const UNFOUND = 1e9;
const SCENARIOS = 4;
const POWER = 0.8;

function rivalsLine(sd: number, gain: number): CalibrationLine<Compared> {
  const spreads = Array.from({ length: SCENARIOS }, () => sd);
  const truth = plantedTruth({ profiles: PROFILES, gains: spreads.map(() => gain), spreads });
  return {
    name: `rivals-${sd}-${gain * 100}`,
    what: `five profiles, one ${gain * 100} % better on four pages, loads vary by ${sd * 100} %.`,
    runs: 2000,
    fewRuns: 4,
    simulate: (random) => {
      const known = new Map<string, number>();
      const block = (profile: number, n: number): number => {
        const at = `${profile} ${n}`;
        const drawn = known.get(at) ?? (profile === 1 ? Math.log1p(gain) : 0) + (sd * normal(random)) / Math.sqrt(SCENARIOS);
        known.set(at, drawn);
        return drawn;
      };
      const rival: RivalTruth = { profiles: PROFILES, scenarios: SCENARIOS, sd, block };
      const run = tuneRun(truth, {}, random);
      const ended = ({ loads, recommended }: RivalEnd) => ({
        loads,
        isFound: gain > 0 && recommended === 1,
        isFalse: recommended !== undefined && !(gain > 0 && recommended === 1),
      });
      return {
        race: ended({ loads: run.loads, recommended: recommendedOf(run) }),
        pair: ended(obrienFleming(rival, 2)),
        uniform: ended(obrienFleming(rival, PROFILES)),
        sequence: ended(asymptoticSequence(rival)),
        'top-two': ended(topTwo(rival)),
      };
    },
    rows: (outcomes, { full }) =>
      METHODS.flatMap((method) => {
        const own = outcomes.map((outcome) => outcome[method]);
        const falsely = shareRow(`${LABELS[method]}: recommended falsely`, own, { happened: ({ isFalse }) => isFalse, full });
        return gain > 0 ? [...loadRows(LABELS[method], own), falsely] : [falsely];
      }),
  };
}

function loadRows(label: string, own: readonly Compared[Method][]): readonly CalibrationRow[] {
  const loads = own.map(({ isFound, loads: made }) => (isFound ? made : Number.MAX_VALUE)).toSorted((a, b) => a - b);
  const by = quantile(loads, POWER);
  return [
    { what: `${label}: recommended in 80 % by`, unit: 'loads', found: by < UNFOUND ? by : undefined },
    { what: `${label}: loads, mean`, unit: 'loads', found: own.reduce((sum, { loads: made }) => sum + made, 0) / own.length },
  ];
}

export const RIVALS = [rivalsLine(0.1, 0.1), rivalsLine(0.2, 0.1), rivalsLine(0.1, 0)];
