/** Recorded loads as a person sees them. Unknown is absent. */

import { groupBy } from '../group-by.ts';
import type { Link } from '../link.ts';
import { type DuplicateCost, duplicateCost, duplicateFetches, duplicateMeasures } from '../measure/duplicate-fetches.ts';
import { disprovesLink, idealTime } from '../measure/efficiency.ts';
import { quantileInterval } from '../measure/links/estimate-interval.ts';
import { loadWindow } from '../measure/load-window.ts';
import type { Carrier } from '../profiles/profile.ts';
import { median } from '../stats/quantile.ts';
import type { MarkedPageLoad } from '../trial/trial-mark.ts';
import { asLink, type FieldLink, type LinksOfLoads } from './field-links.ts';
import { comparableLoadTime, type LoadStatus, type LoadSummary, summaryEfficiency } from './load-summary.ts';

export interface RecordedLoad {
  readonly id: string;
  /** It never leaves this machine. */
  readonly url: string;
  /** Wall clock, ms since the epoch. */
  readonly startedAt: number;
  readonly profileId: string;
  readonly standing: LoadStatus;
  readonly link?: FieldLink;
  /** A lower bound if the load was cut short. */
  readonly loadTimeMs?: number;
  readonly efficiency?: number;
  /** The load was faster than the figures of its link allow: they cannot be right, so it has no efficiency. */
  readonly linkDisproved?: true;
  readonly duplicates?: DuplicateCost;
}

/** @param over made of all loads: the link of one follows from the others. */
export function recordedLoad(load: MarkedPageLoad, over: Pick<LinksOfLoads, 'linkOf' | 'figuresOf'>): RecordedLoad {
  const figures = over.figuresOf(load);
  const { standing, loadTimeMs, profileId } = figures;
  const link = over.linkOf(load);
  const known = link && asLink(link);
  const window = loadWindow(load);
  const cost = window && duplicateCost(duplicateMeasures(duplicateFetches(window)), known);
  return {
    id: load.id,
    url: load.url,
    startedAt: load.startedAt,
    profileId,
    standing,
    ...(link && { link }),
    ...(loadTimeMs !== undefined && { loadTimeMs }),
    ...shareOfLink(figures, known),
    ...(cost && { duplicates: cost }),
  };
}

/** The efficiency of a load over its link, or that the link's figures cannot be right for it. Unknown is absent. */
export function shareOfLink(figures: LoadSummary, link: Link | undefined): Pick<RecordedLoad, 'efficiency' | 'linkDisproved'> {
  const { standing, loadTimeMs, bytes } = figures;
  const share = summaryEfficiency(figures, link);
  if (share !== undefined) return { efficiency: share };
  const idealTimeMs = idealTime({ bytes, link });
  const isDisproved =
    standing === 'whole' && loadTimeMs !== undefined && idealTimeMs !== undefined && disprovesLink({ idealTimeMs, loadTimeMs });
  return isDisproved ? { linkDisproved: true } : {};
}

export interface MeasuredTimes {
  readonly loads: number;
  readonly medianMs: number;
  /** Bounds of the median, each of which holds in nine of ten cases; absent: there are too few loads. */
  readonly intervalMs?: { readonly low: number; readonly high: number };
}

export interface Measured {
  readonly times: MeasuredTimes;
  /** The carrier of the latest load. */
  readonly carrier: Carrier;
}

/** Load times of a page over a link, by profile, without a trial's washout and loads whose profile was not in effect. */
export function measuredTimes(
  { page }: LoadSummary,
  { over, link }: { readonly over: LinksOfLoads; readonly link: FieldLink },
): ReadonlyMap<string, Measured> {
  const comparable = over.figures.filter(
    (figures, at) =>
      figures.page === page && figures.trial?.counts !== false && comparableLoadTime(figures) !== undefined && over.linkAt(at) === link,
  );
  return new Map(
    [...groupBy(comparable, ({ profileId }) => profileId)].map(([id, own]) => [
      id,
      {
        times: timesOf(own.map((figures) => comparableLoadTime(figures) ?? 0).sort((a, b) => a - b)),
        carrier: own.at(-1)?.carrier ?? 'none',
      },
    ]),
  );
}

function timesOf(ascending: readonly number[]): MeasuredTimes {
  const { low, high } = quantileInterval(ascending, 0.5);
  return {
    loads: ascending.length,
    medianMs: median(ascending) ?? 0,
    ...(low !== undefined && high !== undefined && { intervalMs: { low, high } }),
  };
}
