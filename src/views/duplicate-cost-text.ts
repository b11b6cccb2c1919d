/** What a page fetched twice, and what that cost, in words. */
import type { DuplicateCost } from '../core/measure/duplicate-fetches.ts';
import type { Figures } from './figures.ts';

const REQUESTS = { one: 'request', many: 'requests' };
const ROUND_TRIPS = { one: 'round trip', many: 'round trips' };

/** Without the units of core, as messages carry it. */
type ShownDuplicateCost = { readonly [K in keyof DuplicateCost]: number | undefined } & Pick<
  DuplicateCost,
  'requests' | 'roundTrips' | 'emptySources'
>;

/** The price is that of one after the other: an upper bound where they ran beside others. */
export function duplicateCostText({ requests, roundTrips, emptySources, bytes, ms }: ShownDuplicateCost, figures: Figures): string {
  const size = bytes === undefined ? 'of unknown size' : figures.size(bytes);
  const time = ms === undefined ? '' : `, at most ${figures.duration(ms)} on this network (estimated)`;
  const fetched = `${figures.count(requests, REQUESTS)} fetched something the page had already fetched: ${size}, ${figures.count(roundTrips, ROUND_TRIPS)}${time}.`;
  return emptySources === 0 ? fetched : `${fetched} An empty src fetched the page itself again (${emptySources} of them).`;
}
