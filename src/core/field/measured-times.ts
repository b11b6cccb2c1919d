/** How long everyday loads of a page took over a link, under each profile. */
import { groupBy } from '../group-by.ts';
import type { Carrier } from '../profiles/profile.ts';
import { median } from '../stats/quantile.ts';
import { comparableLoadTime } from './comparable-figures.ts';
import type { FieldLink } from './field-links.ts';
import type { LinksOfLoads } from './links-of-loads.ts';
import type { LoadFigures } from './load-figures.ts';

/** Of whole loads of the page over the link. */
export interface MeasuredTimes {
  readonly loads: number;
  readonly medianMs: number;
}

/** Loads of a page over a link under one profile. */
export interface Measured {
  readonly times: MeasuredTimes;
  /** Of the latest load. */
  readonly carrier: Carrier;
}

/** By profile. What only washed out what was before in a trial, and what was not under the profile it names, is left out. */
export function measuredTimes(
  { page }: LoadFigures,
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
        times: { loads: own.length, medianMs: median(own.map((figures) => comparableLoadTime(figures) ?? 0)) ?? 0 },
        carrier: own.at(-1)?.carrier ?? 'none',
      },
    ]),
  );
}
