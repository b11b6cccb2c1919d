/**
 * The sequences of the warm-up study: which pages it loads over which links, and the first and later requests of a load whose objects came
 * one after another over one connection. Pure.
 */
import { groupBy } from '../../../core/group-by.ts';
import { mean } from '../../../core/stats/mean.ts';
import { median } from '../../../core/stats/quantile.ts';
import type { LinkSpec } from '../../link/link-spec.ts';
import { manyOrigins, sequence } from '../../pages/study-pages.ts';
import { LAB_NETWORK_IDLE_MS } from '../../run/network-idle.ts';
import type { StudyData, StudyLoad, StudyPage, StudyRequest } from '../study.ts';

/** The survey's values have 1 kB; 64 kB are more than the ten segments that a new connection may send at once (RFC 6928). */
const SMALL = sequence({ name: 'sequence-1k', bytes: 1024 });
const LARGE = sequence({ name: 'sequence-64k', bytes: 65_536 });

/** Sequences of small and of large objects, over cold and warm connections, and many servers at once. */
export const WARM_UP_PAGES: readonly StudyPage[] = [
  ...[SMALL, LARGE].flatMap((recipe) =>
    (['cold', 'warm'] as const).map(
      (connections): StudyPage => ({ name: `${recipe.name}-${connections}`, recipe, servedBy: 'embedded', connections }),
    ),
  ),
  { name: manyOrigins.name, recipe: manyOrigins, servedBy: 'embedded', connections: 'cold' },
];

/**
 * Links of one rate, so that only the distance differs; 20 Mbit/s over 200 ms are 500 kB in flight, more than any of
 * the buffers holds.
 */
const NEAR: LinkSpec = { name: 'near-20m', rttMs: 20, downKbps: 20_000, upKbps: 5000, queue: 1000 };
const FAR: LinkSpec = { ...NEAR, name: 'far-20m', rttMs: 200 };
/** Between the two round-trip times. */
export const FAR_FROM_MS = 100;

/** Those of the survey; 4 kB is what it calls the default. */
const SURVEYED = [512, 4096, 8192, 16_384, 32_768, 65_536];
/**
 * Over the far link every window costs ten times the time, so fewer; with 512 bytes each answer of 1 kB takes 5.7 s there (measured), 2.2 over
 * the near one, which is far by the survey's measure: its far servers answer after 1.5 ms.
 */
const SURVEYED_FAR = [4096, 16_384, 65_536];

const withBuffer = (link: LinkSpec, receiveBufferBytes: number): LinkSpec => ({
  ...link,
  name: `${link.name}-rmem${receiveBufferBytes < 1024 ? receiveBufferBytes : `${receiveBufferBytes / 1024}k`}`,
  receiveBufferBytes,
});

/** Near and far with the kernel's own receive buffer, then with those of the survey. */
export const WARM_UP_LINKS: readonly LinkSpec[] = [
  NEAR,
  FAR,
  ...SURVEYED.map((bytes) => withBuffer(NEAR, bytes)),
  ...SURVEYED_FAR.map((bytes) => withBuffer(FAR, bytes)),
];

/** A third to a half of the buffer comes in a round trip: with less than these a load of the large page takes longer than all others together. */
const MIN_BUFFER_FOR_LARGE = { near: 4096, far: 65_536 };

/**
 * Leaves out pages that show nothing more, or would take minutes: opening ahead of need has nothing to do with the receive buffer; the large page
 * with a small buffer; and with 512 bytes, where every kilobyte takes seconds, all but the small page over cold connections.
 */
export function leftOutOfWarmUp({ recipe, connections }: StudyPage, { rttMs, receiveBufferBytes }: LinkSpec): boolean {
  if (receiveBufferBytes === undefined) return false;
  if (recipe === manyOrigins) return true;
  if (receiveBufferBytes < 1024) return recipe !== SMALL || connections === 'warm';
  if (recipe === SMALL) return false;
  return connections === 'warm' || receiveBufferBytes < (rttMs < FAR_FROM_MS ? MIN_BUFFER_FOR_LARGE.near : MIN_BUFFER_FOR_LARGE.far);
}

/** One load, ms. Both lists have a figure for every object, in the order in which they were requested. */
export interface Sequence {
  /** Handshake before the first; `undefined`: the connection was there already. */
  readonly setUpMs: number | undefined;
  /** From when the document was wanted until the first of them was requested. */
  readonly askedAfterMs: number;
  /** From the request until the last byte of its answer. */
  readonly times: readonly number[];
  /** From the first byte of the answer until its last. */
  readonly bodies: readonly number[];
}

/**
 * `undefined`: something else happened than the study is about. Timing is missing, an object came over its own connection, requests
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
    askedAfterMs: first.requestStart,
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

/** The figures of one load, ms. */
interface SequenceLoad {
  readonly profileId: string;
  readonly block: number;
  readonly setUpMs: number | undefined;
  /** From request to last byte. */
  readonly firstMs: number;
  /** Median of its other requests. */
  readonly laterMs: number;
}

/** One page over one link, all profiles together: how many connections may be opened ahead of need does nothing to one that is open. */
export interface SequenceCell {
  readonly page: StudyPage;
  readonly link: LinkSpec;
  readonly loads: number;
  /** Loads in which something else happened: see `sequenceOf`. */
  readonly otherwise: number;
  readonly each: readonly SequenceLoad[];
  /** Medians over the loads, ms; without the handshake, which is `setUpMs`. */
  readonly setUpMs: number | undefined;
  readonly firstMs: number;
  readonly secondMs: number;
  /** Median of all requests but the first: until the last byte, until the first, and between the two. */
  readonly laterMs: number;
  readonly laterWaitMs: number;
  readonly laterBodyMs: number;
  /** At least so long no answer had come over a connection that was open already; `undefined`: it was not. */
  readonly pauseMs: number | undefined;
  /** All requests, as the survey prints them. */
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
      const usable = own.flatMap((load) => {
        const sequence = sequenceOf(load, page);
        return sequence ? [{ ...sequence, profileId: load.profileId, block: load.block }] : [];
      });
      const cell = cellOf(usable, page);
      return cell ? [{ page, link, loads: usable.length, otherwise: own.length - usable.length, ...cell }] : [];
    }),
  );
}

type UsableLoad = Sequence & Pick<SequenceLoad, 'profileId' | 'block'>;

function cellOf(
  usable: readonly UsableLoad[],
  { connections }: StudyPage,
): Omit<SequenceCell, 'page' | 'link' | 'loads' | 'otherwise'> | undefined {
  const all = usable.flatMap(({ times }) => times);
  const firstMs = median(usable.flatMap(({ times }) => times.slice(0, 1)));
  const secondMs = median(usable.flatMap(({ times }) => times.slice(1, 2)));
  const laterMs = median(usable.flatMap(({ times }) => times.slice(1)));
  const laterBodyMs = median(usable.flatMap(({ bodies }) => bodies.slice(1)));
  const laterWaitMs = median(usable.flatMap(({ times, bodies }) => times.map((time, at) => time - (bodies[at] ?? 0)).slice(1)));
  if (firstMs === undefined || secondMs === undefined || laterMs === undefined) return undefined;
  if (laterBodyMs === undefined || laterWaitMs === undefined) return undefined;
  const askedAfterMs = connections === 'warm' ? median(usable.map((load) => load.askedAfterMs)) : undefined;
  return {
    each: usable.flatMap(loadFigures),
    setUpMs: median(usable.flatMap(({ setUpMs }) => setUpMs ?? [])),
    ...{ firstMs, secondMs, laterMs, laterWaitMs, laterBodyMs },
    pauseMs: askedAfterMs === undefined ? undefined : LAB_NETWORK_IDLE_MS + askedAfterMs,
    averageMs: mean(all),
    minMs: Math.min(...all),
    maxMs: Math.max(...all),
  };
}

function loadFigures({ profileId, block, setUpMs, times: [firstMs, ...later] }: UsableLoad): readonly SequenceLoad[] {
  const laterMs = median(later);
  return firstMs === undefined || laterMs === undefined ? [] : [{ profileId, block, setUpMs, firstMs, laterMs }];
}

export const objectBytes = ({ recipe }: StudyPage): number => recipe.resources[0]?.bytes ?? 0;

/** With the handshake where there was one: what a person waits for. */
export const firstWithSetUpMs = ({ setUpMs = 0, firstMs }: Pick<SequenceLoad, 'setUpMs' | 'firstMs'>): number => setUpMs + firstMs;

type Medians = Pick<SequenceLoad, 'setUpMs' | 'firstMs' | 'laterMs'>;

const overLater =
  (firstOf: (of: Medians) => number) =>
  (cell: SequenceCell): Spread | undefined => {
    const spread = spreadOf(cell.each.map((load) => firstOf(load) / load.laterMs));
    return spread && { ...spread, middle: firstOf(cell) / cell.laterMs };
  };

/** How many times as long as a later request the first one takes, without the handshake: of the medians, and of single loads. */
export const firstToLater = overLater(({ firstMs }) => firstMs);

/** The same with the handshake. */
export const firstToLaterWithSetUp = overLater(firstWithSetUpMs);

/** The same link and objects over connections that no load before has opened. */
export const coldOf = ({ page, link }: SequenceCell, cells: readonly SequenceCell[]): SequenceCell | undefined =>
  cells.find((other) => other.link === link && other.page.connections === 'cold' && objectBytes(other.page) === objectBytes(page));

/** The same page over the same link with the kernel's own receive buffer. */
export const ownBufferOf = ({ page, link }: SequenceCell, cells: readonly SequenceCell[]): SequenceCell | undefined =>
  cells.find(
    (other) =>
      other.page === page &&
      other.link.receiveBufferBytes === undefined &&
      other.link.rttMs === link.rttMs &&
      other.link.downKbps === link.downKbps &&
      other.link.upKbps === link.upKbps,
  );

/** How much less the first request takes on a connection that is open than on a new one with its handshake, ms. */
export const sparedMs = (warm: SequenceCell, cold: SequenceCell): Spread | undefined =>
  paired(warm, cold, (open, fresh) => firstWithSetUpMs(fresh) - open.firstMs);

/** How many times as long a later request takes. */
export const laterRatio = (cell: SequenceCell, own: SequenceCell): Spread | undefined =>
  paired(cell, own, (load, other) => load.laterMs / other.laterMs);

/** The middle is of the medians that stand beside it, so that it agrees with them; lowest and highest are of pairs of loads. */
function paired(a: SequenceCell, b: SequenceCell, figure: (a: Medians, b: Medians) => number): Spread | undefined {
  const figures = a.each.flatMap((load) => {
    const other = b.each.find(({ profileId, block }) => profileId === load.profileId && block === load.block);
    return other ? [figure(load, other)] : [];
  });
  const spread = spreadOf(figures);
  return spread && { ...spread, middle: figure(a, b) };
}

/** The median of some loads with the lowest and the highest of them. */
export interface Spread {
  /** The median, or the ratio of two. */
  readonly middle: number;
  readonly low: number;
  readonly high: number;
}

export function spreadOf(values: readonly number[]): Spread | undefined {
  const middle = median(values);
  return middle === undefined ? undefined : { middle, low: Math.min(...values), high: Math.max(...values) };
}

/**
 * Chance that lowest and highest of this many independent values enclose the median of what they are drawn from, whatever its distribution:
 * 1 less that all lie on one side of it (David and Nagaraja, Order Statistics, 2003, section 7.1).
 */
export const rangeHoldsMedian = (values: number): number => 1 - 2 ** (1 - values);

/** What held up the later answers of a page over a link: the window, or a sender that waits before it fills so small a one. */
type HeldUp =
  /** Bytes that came in a round trip, estimated: body bytes over the windows that it took. */
  | { readonly by: 'window'; readonly bytesPerRoundTrip: number }
  /** `firstByteMs`: how long the first byte of a later answer took, median. */
  | { readonly by: 'sender-timer'; readonly firstByteMs: number };

/** Fewer round trips show nothing of the window: the line's rate, or the last part of a window, may be what took the time. */
const MIN_ROUND_TRIPS = 3;
/**
 * Bytes; what every host on IPv4 takes in one segment (RFC 9293, section 3.7.1). Less in a round trip is no window: a sender puts off what
 * fills less than a segment and less than half of the largest window seen, until a timer runs out (section 3.8.6.2.1).
 */
const MIN_SEGMENT_BYTES = 536;

/** `undefined`: neither; the line's rate, say. */
export function heldUp({ page, link, laterBodyMs, laterWaitMs }: SequenceCell): HeldUp | undefined {
  const roundTrips = laterBodyMs / link.rttMs;
  if (roundTrips < MIN_ROUND_TRIPS) return undefined;
  // The first window comes with the first byte: from there to the last byte is a round trip for each of the others.
  const bytesPerRoundTrip = objectBytes(page) / (roundTrips + 1);
  return bytesPerRoundTrip < MIN_SEGMENT_BYTES ? { by: 'sender-timer', firstByteMs: laterWaitMs } : { by: 'window', bytesPerRoundTrip };
}
