/** Everyday loads compared: from their summaries to links, verdicts and a recommendation. */
import type { TrialNetwork } from '../answer/card.ts';
import { compareProfiles } from '../compare/compare-profiles.ts';
import type { Comparison } from '../compare/comparison.ts';
import { efficiency, idealTime, utilisation } from '../measure/efficiency.ts';
import type { AppliedSince } from '../measure/page-load.ts';
import { BASELINE_ID } from '../profiles/profile.ts';
import { comparableFigures, fieldProfiles } from './comparable-figures.ts';
import { asLink, type FieldLink, type FieldLinks, fieldLinks, type GivenLinkName, shownName } from './field-links.ts';
import type { LoadSummary, WhyExcluded } from './load-summary.ts';
import { type SinceApplied, sinceApplied } from './since-applied.ts';

/** Trials look at their own loads by themselves, and no page shows single scenarios. */
const AS_EVERYDAY = { baseline: BASELINE_ID, estimate: 'paired', turns: 'as-they-came', modes: 'left-out' } as const;

/** A load that can be measured, over its link. Unknown is absent. */
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
  /** The load that was asked for; `undefined`: none was, or it is not there. */
  readonly shown: NewestLoad | undefined;
  readonly sinceApplied: SinceApplied | undefined;
  /** Networks of the newest trial, the one with most of its counted loads first; loads over an unknown link are excluded. */
  readonly trialNetworks: readonly TrialNetwork[];
  readonly withoutLink: number;
  readonly excluded: ReadonlyMap<WhyExcluded, number>;
}

interface FieldOptions {
  /** Given to links by the person. */
  readonly names?: readonly GivenLinkName[];
  /** Absent: nothing is, or the answer does not say what has changed since. */
  readonly applied?: AppliedSince | undefined;
  /** When the load began that a page shows. */
  readonly shownAt?: number | undefined;
}

/** Profiles are compared within a page and a link class. @param figures in any order. */
export function compareField(figures: readonly LoadSummary[], { names = [], applied, shownAt }: FieldOptions = {}): FieldComparison {
  const ordered = inOrder(figures);
  const links = fieldLinks(ordered, names);
  const comparable = comparableFigures(ordered, links);
  const comparison = compareProfiles(comparable.loads, { ...AS_EVERYDAY, profiles: fieldProfiles(ordered) });
  const { withoutLink, excluded } = comparable;
  return {
    comparison,
    links: links.links,
    newest: measuredAt(
      ordered.findLastIndex(({ standing }) => standing !== 'unmeasurable'),
      ordered,
      links,
    ),
    shown: measuredAt(
      ordered.findLastIndex(({ standing, startedAt }) => standing !== 'unmeasurable' && startedAt === shownAt),
      ordered,
      links,
    ),
    sinceApplied: sinceApplied(ordered, links.linkOf, applied),
    trialNetworks: trialNetworks(ordered, links),
    withoutLink,
    excluded,
  };
}

/** The slots of a trial only rise: where they fall, a newer one has begun. Links that a person gave one name are one network. */
function trialNetworks(ordered: readonly LoadSummary[], { links, linkOf }: FieldLinks): readonly TrialNetwork[] {
  let networks = new Map<string, TrialNetwork>();
  let slotBefore = 0;
  for (const [at, { trial }] of ordered.entries()) {
    if (trial === undefined) continue;
    if (trial.slot < slotBefore) networks = new Map();
    slotBefore = trial.slot;
    const position = linkOf(at);
    const link = position === undefined ? undefined : links[position];
    if (link === undefined || !trial.counts) continue;
    const name = shownName(link);
    networks.set(name, { name, isGiven: link.given !== undefined, loads: (networks.get(name)?.loads ?? 0) + 1 });
  }
  return [...networks.values()].sort((a, b) => b.loads - a.loads);
}

/** Loads are stored in the order of their end, which mostly is that of their start. */
function inOrder(figures: readonly LoadSummary[]): readonly LoadSummary[] {
  const isOrdered = figures.every(({ startedAt }, at) => startedAt >= (figures[at - 1]?.startedAt ?? startedAt));
  return isOrdered ? figures : figures.toSorted((a, b) => a.startedAt - b.startedAt);
}

function measuredAt(at: number, ordered: readonly LoadSummary[], { links, linkOf }: FieldLinks): NewestLoad | undefined {
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
