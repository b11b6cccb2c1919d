/** First and later requests of a load whose objects came one after another over one connection. Pure. */
import { groupBy } from '../../core/group-by.ts';
import { mean } from '../../core/stats/mean.ts';
import { median } from '../../core/stats/median.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import type { StudyPage } from './study.ts';
import type { StudyData, StudyLoad, StudyRequest } from './study-load.ts';

/** Of one load, ms. Both lists have a figure for every object, in the order in which they were asked for. */
export interface Sequence {
  /** Handshake before the first; `undefined`: the connection was there already. */
  readonly setUpMs: number | undefined;
  /** From the request until the last byte of its answer. */
  readonly times: readonly number[];
  /** From the first byte of the answer until its last. */
  readonly bodies: readonly number[];
}

/**
 * `undefined`: something else happened than the study is about. Timing is missing, an object came over a connection of its own, requests
 * overlapped, or the connection was open where it should not have been, or the other way round.
 */
export function sequenceOf({ requests }: Pick<StudyLoad, 'requests'>, { recipe, connections }: StudyPage): Sequence | undefined {
  const objects = (requests ?? [])
    .slice(1)
    .flatMap(answered)
    .sort((a, b) => a.requestStart - b.requestStart);
  const [first, ...later] = objects;
  if (first === undefined || objects.length !== recipe.resources.length) return undefined;
  if (later.some(({ setUpMs }) => setUpMs !== undefined)) return undefined;
  if ((first.setUpMs !== undefined) !== (connections === 'cold')) return undefined;
  if (later.some(({ requestStart }, at) => requestStart < (objects[at]?.responseEnd ?? 0))) return undefined;
  return {
    setUpMs: first.setUpMs,
    times: objects.map(({ requestStart, responseEnd }) => responseEnd - requestStart),
    bodies: objects.map(({ responseStart, responseEnd }) => responseEnd - responseStart),
  };
}

interface Answered extends Required<Pick<StudyRequest, 'requestStart' | 'responseStart' | 'responseEnd'>> {
  readonly setUpMs: number | undefined;
}

function answered({ connectStart, connectEnd, requestStart, responseStart, responseEnd }: StudyRequest): readonly Answered[] {
  if (requestStart === undefined || responseStart === undefined) return [];
  const setUpMs = connectStart === undefined || connectEnd === undefined ? undefined : connectEnd - connectStart;
  return [{ requestStart, responseStart, responseEnd, setUpMs }];
}

/** One page over one link, all profiles together: how many connections may be opened ahead of need does nothing to one that is open. */
export interface SequenceCell {
  readonly page: StudyPage;
  readonly link: LinkSpec;
  readonly loads: number;
  /** Loads in which something else happened: see `sequenceOf`. */
  readonly otherwise: number;
  /** Medians over the loads, ms. */
  readonly setUpMs: number | undefined;
  readonly firstMs: number;
  readonly secondMs: number;
  /** Median of all requests but the first. */
  readonly laterMs: number;
  readonly laterBodyMs: number;
  /** Of all requests, as the survey prints them. */
  readonly averageMs: number;
  readonly minMs: number;
  readonly maxMs: number;
}

/** In the order of the study's links and pages; a page over a link without any usable load has none. */
export function sequenceCells({ pages, links, loads }: StudyData): readonly SequenceCell[] {
  const byPlace = groupBy(loads, ({ page, link }) => JSON.stringify([page, link]));
  return links.flatMap((link) =>
    pages.flatMap((page) => {
      const own = byPlace.get(JSON.stringify([page.name, link.name])) ?? [];
      const sequences = own.flatMap((load) => sequenceOf(load, page) ?? []);
      const cell = cellOf(sequences);
      return cell ? [{ page, link, loads: sequences.length, otherwise: own.length - sequences.length, ...cell }] : [];
    }),
  );
}

function cellOf(sequences: readonly Sequence[]): Omit<SequenceCell, 'page' | 'link' | 'loads' | 'otherwise'> | undefined {
  const all = sequences.flatMap(({ times }) => times);
  const firstMs = median(sequences.flatMap(({ times }) => times.slice(0, 1)));
  const secondMs = median(sequences.flatMap(({ times }) => times.slice(1, 2)));
  const laterMs = median(sequences.flatMap(({ times }) => times.slice(1)));
  const laterBodyMs = median(sequences.flatMap(({ bodies }) => bodies.slice(1)));
  if (firstMs === undefined || secondMs === undefined || laterMs === undefined || laterBodyMs === undefined) return undefined;
  return {
    setUpMs: median(sequences.flatMap(({ setUpMs }) => setUpMs ?? [])),
    ...{ firstMs, secondMs, laterMs, laterBodyMs },
    averageMs: mean(all),
    minMs: Math.min(...all),
    maxMs: Math.max(...all),
  };
}

/** Body bytes of each object. */
export const objectBytes = ({ recipe }: StudyPage): number => recipe.resources[0]?.bytes ?? 0;

/** With the handshake where there was one: what a person waits for. */
export const firstWithSetUpMs = ({ setUpMs = 0, firstMs }: SequenceCell): number => setUpMs + firstMs;

/** Fewer round trips tell nothing of the window: the line's rate, or the last part of a window, may be what took the time. */
const FEWEST_ROUND_TRIPS = 3;

/** Bytes that arrived in a round trip of a later answer: the window that took effect. `undefined`: it was not what held them up. */
export function bytesPerRoundTrip({ page, link, laterBodyMs }: SequenceCell): number | undefined {
  const roundTrips = laterBodyMs / link.rttMs;
  return roundTrips < FEWEST_ROUND_TRIPS ? undefined : objectBytes(page) / roundTrips;
}
