/** The resources that a page fetched twice, and their cost, in words: in popup, dashboard and `predict`. */
import type { DuplicateCost } from './duplicate-fetches.ts';

/** The number formats of the screen. */
export interface CostFigures {
  duration(ms: number): string;
  size(bytes: number): string;
  count(value: number, words: { readonly one: string; readonly many: string }): string;
}

/** The cost as messages carry it, without the units of core. */
type ShownDuplicateCost = { readonly [K in keyof DuplicateCost]: number | undefined } & Pick<
  DuplicateCost,
  'requests' | 'roundTrips' | 'emptySources'
>;

/** A network, and what the fetches took over it one after the other; beside others they took less. */
export interface CostOver {
  /** `on this network (estimated)`. */
  readonly where: string;
  /** `undefined`: not known. */
  readonly ms: number | undefined;
}

const REQUESTS = { one: 'request', many: 'requests' };
const ROUND_TRIPS = { one: 'round trip', many: 'round trips' };

export function duplicateCostText(
  { requests, roundTrips, emptySources, bytes }: ShownDuplicateCost,
  over: readonly CostOver[],
  figures: CostFigures,
): string {
  const size = bytes === undefined ? 'of unknown size' : figures.size(bytes);
  const times = over.flatMap(({ ms, where }) => (ms === undefined ? [] : [`${figures.duration(ms)} ${where}`]));
  const time = times.length === 0 ? '' : `, about ${times.join(', ')}; less where they ran beside others`;
  const fetched = `${figures.count(requests, REQUESTS)} fetched something the page had already fetched: ${size}, ${figures.count(roundTrips, ROUND_TRIPS)}${time}.`;
  return emptySources === 0 ? fetched : `${fetched} ${emptySources} of them fetched the page itself again, for an empty src.`;
}
