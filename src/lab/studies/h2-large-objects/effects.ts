/** What a receive window does to the rate, beside what Firefox ships on the same page over the same link. Pure. */
import type { LargeObjectCell } from './cells.ts';

/** A rate swings where it varies by at least this, and at least twice as much as with what Firefox ships. Our own choice. */
export const SWINGS_FROM = 0.1;
export const TIMES_SHIPPED = 2;
/** A profile is held back where it gets this much less of the link than what Firefox ships. Our own choice. */
export const HELD_BACK_FROM = 0.05;

/** Medians over the loads that have one. */
export type Rate = NonNullable<LargeObjectCell['rate']>;

/** A cell of which it is known how fast its object came. */
export interface RatedCell extends LargeObjectCell {
  readonly rate: Rate;
}

/** One window of HTTP/2 on one page over one link, beside what Firefox ships there. */
export interface WindowFinding {
  readonly cell: RatedCell;
  readonly shipped: RatedCell;
  /** `open`: the medians say so, but not every load does. */
  readonly effect: 'swings' | 'slow' | 'open' | 'none';
  /** Sets the very window that is shipped: a check, in which there must be no effect. */
  readonly check: boolean;
}

/** Whether any of its loads has a rate. */
export const isRated = (cell: LargeObjectCell): cell is RatedCell => cell.rate !== undefined;

/** Of every window on HTTP/2 for which what ships was measured on the same page over the same link. */
export function windowFindings(cells: readonly LargeObjectCell[], baseline: string): readonly WindowFinding[] {
  const rated = cells.filter(isRated).filter(({ page }) => page.servedBy === 'http2');
  return rated.flatMap((cell) => {
    const shipped = rated.find(({ page, link, profile }) => page === cell.page && link === cell.link && profile.id === baseline);
    if (shipped === undefined || shipped === cell) return [];
    return [{ cell, shipped, effect: effectOf(cell.rate, shipped.rate), check: cell.windowBytes === shipped.windowBytes }];
  });
}

function effectOf(own: Rate, shipped: Rate): WindowFinding['effect'] {
  if (own.variation >= SWINGS_FROM && own.variation >= TIMES_SHIPPED * shipped.variation) {
    const { low } = own.spread.variation;
    return low >= SWINGS_FROM && low >= TIMES_SHIPPED * shipped.spread.variation.high ? 'swings' : 'open';
  }
  if (shipped.shareOfLink - own.shareOfLink < HELD_BACK_FROM) return 'none';
  return shipped.spread.shareOfLink.low - own.spread.shareOfLink.high >= HELD_BACK_FROM ? 'slow' : 'open';
}

/**
 * Of how many draws one parts the loads so that every one of the first lies beyond every one of the others, where nothing differs: the ways to
 * choose the first from all, as every one is as likely as any other. 20 for 3 loads and 3.
 */
export function drawsToPart({ cell, shipped }: WindowFinding): number {
  const [first, others] = [cell.rate.loads, shipped.rate.loads];
  return Math.round(Array.from({ length: first }, (_, at) => (others + at + 1) / (at + 1)).reduce((ways, factor) => ways * factor, 1));
}
