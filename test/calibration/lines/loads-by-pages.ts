/** How many loads 10 % take where a person has many pages, and how many they took when every page had an effect of its own to fit. */
import { adjustedEstimate } from '../../../src/core/compare/adjusted-estimate.ts';
import { adjustedFit, loadColumns } from '../../../src/core/compare/adjusted-fit.ts';
import type { ComparableLoad } from '../../../src/core/compare/comparison.ts';
import { separate } from '../../../src/core/compare/separation.ts';
import type { CalibrationLine } from '../harness/line.ts';
import { type LoadsAtPower, loadsAtPower } from '../harness/power-curve.ts';
import type { CalibrationRow } from '../harness/row.ts';
import { EVERYDAY } from '../simulate/browsing.ts';
import { counted, everydayLoads } from '../simulate/everyday-loads.ts';
import { BASELINE, judge, separated } from '../simulate/judge.ts';
import { CANDIDATE, LOADS_PER_BLOCK } from '../simulate/truths.ts';
import { ALPHA } from './equal-rows.ts';
import { PLANTED } from './planted-change.ts';

interface Pages {
  readonly pages: number;
  /** Of each profile: around where four of five runs find the change. */
  readonly shrunk: readonly number[];
  readonly fixed: readonly number[];
  readonly mostShare?: number;
}

interface Found {
  readonly shrunk: readonly boolean[];
  readonly fixed: readonly boolean[];
}

const POWER = 0.8;
/** Everyday loads from before the trial, as many as the extension takes. */
const EARLIER_LOADS = 2000;
/** Of each profile, on average more: the first slot of a turn after another profile's is washout. */
const LEAST_PER_BLOCK = (LOADS_PER_BLOCK * 2) / 3;
/** With fewer runs than the full count a bar is moved by so many standard errors. */
const ALLOWANCE_OF_FEW = 3;

function loadsByPages({ pages, shrunk, fixed, mostShare }: Pages): CalibrationLine<Found> {
  // Pages that are equally popular: of those a person seldom comes back to there are most.
  const habits = { ...EVERYDAY, pages, popularity: 0 };
  const before = Math.ceil(EARLIER_LOADS / 2 / LEAST_PER_BLOCK);
  const blocks = before + Math.ceil(Math.max(...shrunk, ...fixed) / LEAST_PER_BLOCK);
  return {
    name: `loads-by-pages-${pages}`,
    what: `loads of each profile with which four of five runs find 10 %, at one look, over ${pages} pages and two links.`,
    runs: 2000,
    fewRuns: 20,
    simulate: (random) => {
      const all = counted(everydayLoads({ ...PLANTED, habits, blocks }, random));
      const loads = all.filter(({ block }) => block >= before);
      const earlier = all
        .filter(({ block }) => block < before)
        .slice(0, EARLIER_LOADS)
        .map((load) => ({ ...load, block: -1 - load.block }));
      return {
        shrunk: shrunk.map((count) =>
          judge(loads.slice(0, 2 * count), { candidates: [CANDIDATE], estimate: 'adjusted', looks: 'once', earlier }).some(separated),
        ),
        fixed: fixed.map((count) => fixedFinds(loads.slice(0, 2 * count))),
      };
    },
    rows: (outcomes, { full }) => {
      const needed = (counts: readonly number[], of: (outcome: Found) => readonly boolean[]) =>
        loadsAtPower(
          counts.map((loads, at) => ({ loads, runs: outcomes.length, found: outcomes.filter((outcome) => of(outcome)[at]).length })),
          POWER,
        );
      const [own, reference] = [needed(shrunk, (one) => one.shrunk), needed(fixed, (one) => one.fixed)];
      return [
        loadsRow('with earlier loads, pages drawn together', own),
        loadsRow('with an effect of its own for each page', reference),
        shareOfLoads(own, reference, { mostShare, full }),
      ];
    },
  };
}

/** The same comparison with fixed effects of pages over links, and no loads from before. */
function fixedFinds(loads: readonly ComparableLoad[]): boolean {
  const columns = loadColumns(loads, [BASELINE, CANDIDATE]);
  const estimate = { ...adjustedEstimate(adjustedFit(columns, 2), columns, { profile: 1, against: 0 }), tried: 0 };
  const { low = 0, high = Number.POSITIVE_INFINITY } = separate(estimate, { alpha: ALPHA, looks: 'once', precision: 1 });
  return low > 1 || high < 1;
}

function loadsRow(what: string, needed: LoadsAtPower | undefined): CalibrationRow {
  return { what, unit: 'loads', found: needed?.loads, error: needed?.error };
}

function shareOfLoads(
  own: LoadsAtPower | undefined,
  reference: LoadsAtPower | undefined,
  { mostShare, full }: { readonly mostShare: number | undefined; readonly full: boolean },
): CalibrationRow {
  const row = { what: 'the one over the other', unit: 'ratio' } as const;
  if (own === undefined || reference === undefined) return { ...row, found: undefined, ...(full && { bar: {} }) };
  const found = own.loads / reference.loads;
  const error = found * Math.hypot(own.error / own.loads, reference.error / reference.loads);
  return { ...row, found, error, ...(mostShare !== undefined && { bar: { high: mostShare + (full ? 0 : ALLOWANCE_OF_FEW * error) } }) };
}

export const LOADS_BY_PAGES = [
  loadsByPages({ pages: 60, shrunk: [200, 280, 360], fixed: [240, 330, 420] }),
  loadsByPages({ pages: 300, shrunk: [230, 320, 430], fixed: [360, 480, 640] }),
  loadsByPages({ pages: 1000, shrunk: [280, 390, 520], fixed: [500, 700, 950], mostShare: 0.45 }),
];
