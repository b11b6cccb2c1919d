/**
 * Intervals over pages. The same pages recur on every link, so a page over eight links is one observation and not eight: its log ratios are
 * averaged over the links first, then the pages are the sample (Student's t, one degree of freedom less than there are pages). So an
 * interval says how sure a difference is over pages such as these. Nothing is borrowed from other profiles: by how much a page gains is its
 * own. Pairs are of the same page over the same link, in the same turn. Pure.
 */

import { indexLoads, type LoadIndex } from '../../core/compare/load-index.ts';
import { pairLoads } from '../../core/compare/paired-estimate.ts';
import { type Separation, separate } from '../../core/compare/separation.ts';
import { DEFAULT_ALPHA, EFFECT_PRECISION } from '../../core/compare/thresholds.ts';
import { groupBy } from '../../core/group-by.ts';
import { comparableLoads } from '../../core/report/comparable-loads.ts';
import { mean } from '../../core/stats/mean.ts';
import { stratifiedMean } from '../../core/stats/stratified-mean.ts';
import { counted, formatRange, UNKNOWN } from '../../core/text/figures.ts';
import { changeText } from './comparisons.ts';
import type { StudyLoad } from './study.ts';

/** One page over one link; where there are several turns, one of them or their mean. */
export interface ScenarioRatio {
  readonly page: string;
  readonly link: string;
  /** ln of one figure over the other. */
  readonly log: number;
}

export interface OverPages {
  /** Geometric mean over links, then over pages; `undefined`: there is no pair. */
  readonly ratio: number | undefined;
  /** `undefined`: fewer than three pages. */
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly finding: Separation['finding'];
  /** Geometric mean over its links, page by page. */
  readonly pages: readonly PageRatio[];
  /** Pages over links, and those of them in which the ratio is above 1. */
  readonly scenarios: number;
  readonly scenariosAhead: number;
  /** Intervals that hold together, this one included. */
  readonly comparisons: number;
}

/** Geometric mean over the page's links; 1: no change. */
interface PageRatio {
  readonly page: string;
  readonly ratio: number;
}

/** With two pages there is one degree of freedom, and an interval for 17 comparisons together is hundreds of standard errors wide. */
const MIN_PAGES = 3;

/**
 * @param ratios in any order; equal ones of a page over a link are averaged first, then those of a page.
 * @param comparisons that are to hold together at 95 % (Bonferroni); 1: a comparison that was declared before the loads.
 */
export function overPages(ratios: readonly ScenarioRatio[], comparisons: number): OverPages {
  const scenarios = averaged(ratios, ({ page, link }) => JSON.stringify([page, link]));
  const pages = averaged(scenarios, ({ page }) => page);
  const logs = pages.map(({ log }) => log);
  const counts = { pairs: scenarios.length, pairsAhead: scenarios.filter(({ log }) => log > 0).length };
  const { ratio, low, high, finding } = separate(
    {
      summary: stratifiedMean([logs]),
      ...counts,
      incomplete: 0,
      loadsPerPair: 1,
      blocks: pages.length,
      tried: pages.length,
      pairsPerBlock: 1,
    },
    { alpha: DEFAULT_ALPHA / comparisons, looks: 'once', precision: EFFECT_PRECISION },
  );
  return {
    ratio,
    ...(pages.length < MIN_PAGES ? { low: undefined, high: undefined, finding: 'undecided' } : { low, high, finding }),
    pages: pages.map(({ page, log }) => ({ page, ratio: Math.exp(log) })),
    scenarios: counts.pairs,
    scenariosAhead: counts.pairsAhead,
    comparisons,
  };
}

/** One for each key, with the mean of the logs, in the order in which the keys come first. */
function averaged(ratios: readonly ScenarioRatio[], keyOf: (ratio: ScenarioRatio) => string): readonly ScenarioRatio[] {
  return [...groupBy(ratios, keyOf).values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ ...first, log: mean(group.map(({ log }) => log)) }];
  });
}

/** The loads of a study by profile, page, link and turn. */
export function indexStudy(loads: readonly StudyLoad[]): LoadIndex {
  return indexLoads(comparableLoads(loads), [...new Set(loads.map(({ profileId }) => profileId))]);
}

/** Efficiency of one profile over that of another. */
export function efficiencyRatios(
  index: LoadIndex,
  { profileId, against }: { readonly profileId: string; readonly against: string },
): readonly ScenarioRatio[] {
  const own = index.get(profileId);
  const { strata, scenarios } = pairLoads(index, { profileId, against });
  return strata.flatMap((logs, at) => {
    const scenario = own?.get(scenarios[at] ?? -1);
    return scenario === undefined ? [] : logs.map((log) => ({ page: scenario.page, link: scenario.link, log }));
  });
}

/** `n = 7 pages x 8 links, one load each`; where scenarios are missing `n = 7 pages, 53 scenarios, one load each`. */
export function groundsOf(loads: readonly StudyLoad[]): string {
  const pages = new Set(loads.map(({ page }) => page)).size;
  const links = new Set(loads.map(({ link }) => link)).size;
  const scenarios = new Set(loads.map(({ page, link }) => JSON.stringify([page, link]))).size;
  const grid = scenarios === pages * links;
  return `n = ${counted(pages, 'page')}${grid ? ` x ${counted(links, 'link')}` : `, ${counted(scenarios, 'scenario')}`}, ${loadsEach(loads)}`;
}

/** Loads of a profile in a scenario: `one load each`, `3 loads each`, `1 to 3 loads each`. */
export function loadsEach(loads: readonly StudyLoad[]): string {
  const cells = new Map<string, number>();
  for (const { profileId, page, link } of loads) {
    const cell = JSON.stringify([profileId, page, link]);
    cells.set(cell, (cells.get(cell) ?? 0) + 1);
  }
  const [least, most] = [Math.min(...cells.values()), Math.max(...cells.values())];
  if (least !== most) return `${least} to ${most} loads each`;
  return most === 1 ? 'one load each' : `${most} loads each`;
}

/** `+58 % (+4.1 % to +139 %)`. */
export function ratioText({ ratio, low, high }: Pick<OverPages, 'ratio' | 'low' | 'high'>): string {
  if (ratio === undefined) return UNKNOWN;
  return low === undefined || high === undefined ? changeText(ratio) : `${changeText(ratio)} (${formatRange(low, high)})`;
}

/** The finding of the interval about the first of the two. */
export const SHOWN: Readonly<Record<Separation['finding'], string>> = {
  better: 'shown to be better',
  worse: 'shown to be worse',
  'no-meaningful-difference': 'shown to differ by less than 3 %',
  undecided: 'not shown to be better or worse',
};

/** The page that moves the mean most, and the geometric mean without it; `undefined`: no page stays. */
export function withoutMost({ pages }: Pick<OverPages, 'pages'>) {
  if (pages.length < 2) return undefined;
  const centre = mean(pages.map(({ ratio }) => Math.log(ratio)));
  const distance = ({ ratio }: { readonly ratio: number }) => Math.abs(Math.log(ratio) - centre);
  const [most, ...others] = [...pages].sort((a, b) => distance(b) - distance(a));
  return most && { ...most, ratioWithout: Math.exp(mean(others.map(({ ratio }) => Math.log(ratio)))) };
}

/** The figures for programs: with its pages, and without the one that moves it most. */
export function overPagesFigures(over: OverPages | undefined) {
  if (over === undefined) return undefined;
  const { ratio, low, high, finding, pages, scenarios, scenariosAhead, comparisons } = over;
  return { ratio, low, high, finding, comparisons, pairs: scenarios, pairsAhead: scenariosAhead, pages, withoutMost: withoutMost(over) };
}
