/** The resources that a page fetched twice, and their cost, in words: in popup, dashboard and `predict`. */
import { type CoreLanguage, IN_ENGLISH } from '../text/figures.ts';
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

interface Shown {
  readonly figures: CostFigures;
  readonly language?: CoreLanguage;
}

export function duplicateCostText(
  { requests, roundTrips, emptySources, bytes }: ShownDuplicateCost,
  over: readonly CostOver[],
  { figures, language: { text } = IN_ENGLISH }: Shown,
): string {
  const times = over.flatMap(({ ms, where }) => (ms === undefined ? [] : [`${figures.duration(ms)} ${where}`]));
  const fetched = text('duplicates.fetched', {
    requests: figures.count(requests, { one: text('duplicates.request'), many: text('duplicates.requests') }),
    size: bytes === undefined ? text('duplicates.sizeUnknown') : figures.size(bytes),
    trips: figures.count(roundTrips, { one: text('duplicates.trip'), many: text('duplicates.trips') }),
    time: times.length === 0 ? '' : text('duplicates.time', { times: times.join(', ') }),
  });
  return emptySources === 0 ? fetched : `${fetched} ${text('duplicates.emptySource', { requests: emptySources })}`;
}
