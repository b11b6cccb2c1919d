/** A page that was loaded a few times says more about the person than about the network: in exports all such pages are one. */
import type { Comparison, ScenarioComparison } from '../compare/comparison.ts';
import { groupBy } from '../group-by.ts';
import type { MeasuredLoad, Report } from './report.ts';

/** The k of k-anonymity. The Chrome UX Report has such a bound, but does not publish it. */
export const MIN_CELL_LOADS = 20;
export const OTHER_PAGES = 'other-pages';

/**
 * The comparison stays the one of the pages as they were; its rows of small pages become one row for each link, with counts and no middle. Blocks
 * are renumbered, so that only loads of the same page stand in one.
 */
export function withoutSmallCells(report: Report): Report {
  const counts = new Map<string, number>();
  for (const { page } of report.loads) counts.set(page, (counts.get(page) ?? 0) + 1);
  const isSmall = (page: string): boolean => (counts.get(page) ?? 0) < MIN_CELL_LOADS;
  const kept = report.pages.filter(({ name }) => !isSmall(name));
  if (kept.length === report.pages.length) return report;
  return {
    ...report,
    pages: [...kept, { name: OTHER_PAGES }],
    provenance: { ...report.provenance, notes: [...report.provenance.notes, mergedNote(protocolsWith(report.comparison, isSmall) > 1)] },
    loads: mergedLoads(report.loads, isSmall),
    comparison: mergedComparison(report.comparison, isSmall),
  };
}

/** How many protocols have a page that is merged. */
const protocolsWith = ({ protocols = [] }: Comparison, isSmall: (page: string) => boolean): number =>
  protocols.filter(({ pages }) => pages.some(isSmall)).length;

const mergedNote = (overSeveral: boolean): string => {
  const none = overSeveral ? ', and, because they used several protocols, under none' : '';
  return `Pages of fewer than ${MIN_CELL_LOADS} loads are shown as one, ${OTHER_PAGES}, without their requests${none}.`;
};

function mergedLoads(loads: readonly MeasuredLoad[], isSmall: (page: string) => boolean): readonly MeasuredLoad[] {
  const blocks = new Map<string, number>();
  return loads.map((load) => {
    const { page, link, measures } = load;
    if (!isSmall(page)) return load;
    const key = `${page} ${load.block} ${link}`;
    const block = blocks.get(key) ?? blocks.size;
    blocks.set(key, block);
    // Loads that share a server would be recognised as of one site.
    return { ...load, page: OTHER_PAGES, block, ...(measures && { measures: { ...measures, peakOutstandingByOrigin: {} } }) };
  });
}

function mergedComparison(comparison: Comparison, isSmall: (page: string) => boolean): Comparison {
  const isKept = ({ page }: { readonly page: string }): boolean => !isSmall(page);
  const { scenarios, modes, setAside, protocols } = comparison;
  const others = scenarios.filter((scenario) => !isKept(scenario));
  // Under one protocol would stand loads over another, too; separated by protocol, the cells would be small again.
  const underOne = protocolsWith(comparison, isSmall) === 1;
  return {
    ...comparison,
    scenarios: [...scenarios.filter(isKept), ...mergedScenarios(others)],
    modes: modes.filter(isKept),
    ...(setAside && { setAside: setAside.filter(isKept) }),
    ...(protocols && {
      protocols: protocols.map((one) => ({
        ...one,
        pages: [...new Set(one.pages.flatMap((page) => (!isSmall(page) ? [page] : underOne ? [OTHER_PAGES] : [])))],
      })),
    }),
  };
}

function mergedScenarios(scenarios: readonly ScenarioComparison[]): readonly ScenarioComparison[] {
  return [...groupBy(scenarios, ({ link }) => link)].map(([link, rows]) => ({
    page: OTHER_PAGES,
    link,
    profiles: [...groupBy(allOf(rows), ({ id }) => id)].map(([id, own]) => ({
      id,
      loads: own.reduce((sum, { loads }) => sum + loads, 0),
      efficiencyMedian: undefined,
      loadTimeMsMedian: undefined,
    })),
  }));
}

const allOf = (rows: readonly ScenarioComparison[]) => rows.flatMap(({ profiles }) => profiles);
