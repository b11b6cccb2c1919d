/** The loads of a trial as its checks and its verdict need them: their place, whether they are valid, and how efficient they were. */
import { MAX_LOAD_MS } from '../measure/load-window.ts';
import { type LoadWithIdeal, pageProtocols, withCommonIdeal } from '../report/comparable-loads.ts';
import { armOfSlot, blockOfSlot } from '../trial/assignment.ts';
import type { LoadsOfTrial } from '../trial/judge-trial.ts';
import type { TrialLoad } from '../trial/judged-loads.ts';
import type { TrialMark } from '../trial/trial-mark.ts';
import type { TrialPlan } from '../trial/trial-plan.ts';
import { NO_LINK, ofTheLink } from './comparable-figures.ts';
import { asLink, fieldLinks } from './field-links.ts';
import { comparableLoadTime, type LoadSummary } from './load-summary.ts';

/** The summary of a load with its place in the trial. */
export interface PlacedLoad {
  readonly mark: TrialMark;
  readonly figures: LoadSummary;
  /** The load had not ended at the time limit. */
  readonly timedOut: boolean;
}

type TrialLoadWithIdeal = Omit<TrialLoad, 'efficiency'> & LoadWithIdeal;

/**
 * The places of a trial's loads by their summaries alone, which stay when requests are no longer kept; a load that the trial excluded has none. Of
 * those that do not count for another reason it is not known whether they began before their profile was in effect: all are taken for washout.
 * @param figures - Of the trial, in the order of their start.
 */
export function placedFigures(plan: TrialPlan, figures: readonly LoadSummary[]): readonly PlacedLoad[] {
  const begun = new Map<number, number>();
  return figures.flatMap((own): readonly PlacedLoad[] => {
    const { trial, excluded, cutShort } = own;
    if (trial === undefined || excluded === 'unfit') return [];
    const { slot, counts } = trial;
    const position = begun.get(slot) ?? 0;
    begun.set(slot, position + 1);
    const place = { trialId: plan.id, block: blockOfSlot(plan, slot), slot, profileId: armOfSlot(plan, slot) };
    return [{ mark: { ...place, position, washout: !counts }, figures: own, timedOut: cutShort === 'time-limit' }];
  });
}

/**
 * Loads with pages and links as opaque names, each page with its protocol (`isReference`); and what loads before the trial took on these pages.
 *
 * @param placed - In the order of their start; the loads come in the same.
 * @param protocolsUntilSlot - The slot before which a page's loads say its protocol, or the pages of a verdict would depend on what
 * is tested (Alt-Svc moves a page from HTTP/2 to HTTP/3 in the middle of a trial).
 * @param before - Figures of everyday loads in any order; those from before the first of the trial are taken, the newest of them.
 */
export function comparableTrialLoads(
  placed: readonly PlacedLoad[],
  baseline: string,
  { protocolsUntilSlot, before = [] }: { readonly protocolsUntilSlot?: number | undefined; readonly before?: readonly LoadSummary[] } = {},
): LoadsOfTrial {
  const known = earlierFigures(before, placed);
  const { links, linkOf: linkOfAll } = fieldLinks([...known, ...placed.map(({ figures }) => figures)]);
  const linkOf = (at: number) => linkOfAll(known.length + at);
  const protocolsOf = (some: readonly PlacedLoad[]) => {
    const protocols = pageProtocols<number>();
    for (const one of some)
      if (one.figures.protocol !== undefined) protocols.add(one.figures.page, one.figures.protocol, isReference(one, baseline));
    return protocols;
  };
  const early = protocolsOf(placed.filter(({ mark }) => mark.slot < (protocolsUntilSlot ?? Number.POSITIVE_INFINITY)));
  const all = protocolsOf(placed);
  const loadsOfLinks = placed.map(({ mark, figures, timedOut }, at): TrialLoadWithIdeal => {
    const number = linkOf(at);
    const link = number === undefined ? undefined : links[number];
    const inEffect = figures.profileId === mark.profileId && figures.standing !== 'not-as-intended';
    return {
      mark,
      startedAt: figures.startedAt,
      inEffect,
      profileId: mark.profileId,
      page: String(figures.page),
      protocol: early.of(figures.page) ?? all.of(figures.page),
      link: link === undefined ? NO_LINK : `link-${link.id}`,
      block: mark.block,
      slot: mark.slot,
      valid: inEffect && figures.standing !== 'unmeasurable',
      // Excluding it would favour the profile under which more loads take too long.
      ...(timedOut && figures.standing === 'cut-short'
        ? { loadTimeMs: MAX_LOAD_MS, atBound: true as const }
        : { loadTimeMs: comparableLoadTime(figures) }),
      ...ofTheLink(figures, link && asLink(link)),
    };
  });
  const earlier = known.flatMap((figures, at): LoadWithIdeal[] => {
    const number = linkOfAll(at);
    const link = number === undefined ? undefined : links[number];
    if (link === undefined) return [];
    const place = { profileId: figures.profileId, page: String(figures.page), link: `link-${link.id}`, block: blockBefore(figures) };
    return [{ ...place, valid: true, loadTimeMs: comparableLoadTime(figures), ...ofTheLink(figures, asLink(link)) }];
  });
  const held = withCommonIdeal<TrialLoadWithIdeal | LoadWithIdeal>([...loadsOfLinks, ...earlier]);
  return { loads: held.filter(isOfTrial), earlier: held.slice(loadsOfLinks.length) };
}

/** More would take longer to read than they narrow. Chosen, not measured. */
const MAX_EARLIER = 2_000;

/** Complete loads from before the trial of pages that it has: pages that only they have would say nothing. */
function earlierFigures(before: readonly LoadSummary[], placed: readonly PlacedLoad[]): readonly LoadSummary[] {
  const first = placed[0]?.figures.startedAt ?? Number.NEGATIVE_INFINITY;
  const pages = new Set(placed.map(({ figures }) => figures.page));
  return before
    .filter(({ startedAt, page, standing, trial }) => startedAt < first && standing === 'whole' && trial === undefined && pages.has(page))
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .slice(-MAX_EARLIER);
}

const DAY_MS = 86_400_000;

/** Loads of one day share its conditions; their blocks are below those of a trial. */
const blockBefore = ({ startedAt }: LoadSummary): number => Math.floor(startedAt / DAY_MS) - NEVER_DAYS;
/** Later than any clock that is set, so that blocks come out below 0: 10,000 years. */
const NEVER_DAYS = 3_652_500;

const isOfTrial = (load: object): load is TrialLoad => 'mark' in load;

/**
 * A page has the protocol of its complete loads under the baseline, so that neither a profile that changes the HTTP version nor loads that were
 * left early move it to another one. A page without such loads has the protocol of its other loads.
 */
const isReference = ({ mark, figures }: PlacedLoad, baseline: string): boolean =>
  mark.profileId === baseline && figures.profileId === baseline && figures.standing === 'whole';
