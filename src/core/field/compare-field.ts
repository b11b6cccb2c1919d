/** Everyday loads compared: from their summaries to links, verdicts and a recommendation. */
import { compareProfiles } from '../compare/compare-profiles.ts';
import type { Comparison } from '../compare/comparison.ts';
import { efficiency, idealTime, utilisation } from '../measure/efficiency.ts';
import { BASELINE_ID } from '../profiles/presets.ts';
import { comparableFigures, fieldProfiles, type WhyExcluded } from './comparable-figures.ts';
import { asLink, type FieldLink, type FieldLinks, fieldLinks, type GivenLinkName } from './field-links.ts';
import type { LoadSummary } from './load-summary.ts';

/** The newest load that can be measured, over its link. Unknown is absent. */
interface NewestLoad {
  readonly startedAt: number;
  readonly link?: FieldLink;
  readonly idealTimeMs?: number;
  readonly efficiency?: number;
  readonly utilisation?: number;
}

/** Everyday loads compared, with their links and what was left out. */
export interface FieldComparison {
  readonly comparison: Comparison;
  readonly links: readonly FieldLink[];
  readonly newest: NewestLoad | undefined;
  readonly withoutLink: number;
  readonly excluded: ReadonlyMap<WhyExcluded, number>;
}

/** Profiles are compared within a page and a link class. @param figures in any order. @param names given to links by the person. */
export function compareField(
  figures: readonly LoadSummary[],
  { names = [] }: { readonly names?: readonly GivenLinkName[] } = {},
): FieldComparison {
  const ordered = inOrder(figures);
  const links = fieldLinks(ordered, names);
  const comparable = comparableFigures(ordered, links);
  const comparison = compareProfiles(comparable.loads, {
    baseline: BASELINE_ID,
    profiles: fieldProfiles(ordered),
    estimate: 'paired',
    // Trials look at their own loads by themselves, with their checks.
    turns: 'as-they-came',
    // No page shows single scenarios of everyday loads.
    modes: 'left-out',
  });
  const { withoutLink, excluded } = comparable;
  return { comparison, links: links.links, newest: newestLoad(ordered, links), withoutLink, excluded };
}

/** Loads are stored in the order of their end, which mostly is that of their start. */
function inOrder(figures: readonly LoadSummary[]): readonly LoadSummary[] {
  const isOrdered = figures.every(({ startedAt }, at) => startedAt >= (figures[at - 1]?.startedAt ?? startedAt));
  return isOrdered ? figures : figures.toSorted((a, b) => a.startedAt - b.startedAt);
}

function newestLoad(ordered: readonly LoadSummary[], { links, linkOf }: FieldLinks): NewestLoad | undefined {
  const at = ordered.findLastIndex(({ standing }) => standing !== 'unmeasurable');
  const load = ordered[at];
  if (load === undefined) return undefined;
  const position = linkOf(at);
  const link = position === undefined ? undefined : links[position];
  return { startedAt: load.startedAt, ...(link && { link, ...overLink(load, link) }) };
}

function overLink(load: LoadSummary, own: FieldLink): Pick<NewestLoad, 'idealTimeMs' | 'efficiency' | 'utilisation'> {
  const link = asLink(own);
  const { bytes, loadTimeMs, standing } = load;
  if (standing === 'cut-short' || loadTimeMs === undefined) return {};
  const ideal = idealTime({ bytes, link });
  const [share, used] = [efficiency({ idealTime: ideal, loadTime: loadTimeMs }), utilisation({ bytes, loadTime: loadTimeMs, link })];
  return {
    ...(ideal !== undefined && { idealTimeMs: ideal }),
    ...(share !== undefined && { efficiency: share }),
    ...(used !== undefined && { utilisation: used }),
  };
}
