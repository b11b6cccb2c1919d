/** What a soak has seen, and what is counted of it for the thirty bars. */
import { groupBy } from '../../src/core/group-by.ts';
import { IMAGES } from './logging-proxy.ts';
import type { ProcessMemory } from './process-memory.ts';

/** What was seen; `undefined`: it came to no end that could be looked at. */
export interface SoakSeen {
  readonly loads: number;
  readonly minutes: number;
  /** Loads in the extension's store at the end. */
  readonly recorded: number;
  readonly requests: number;
  /** Requests to the proxy that no page of ours asked for, as method and address. */
  readonly strays: readonly string[];
  /** Requests that Firefox itself says an extension asked for. */
  readonly ofExtension: number;
  readonly nativeMessages: number;
  /** Messages to the helper with any member or value that is not documented, or with a name of a site in it. */
  readonly undocumented: readonly string[];
  /** Exported reports in which a name of a site was found. */
  readonly leaks: number;
  readonly exports: number;
  /** Questions to the helper that it did not answer in time. */
  readonly unanswered: number;
  readonly readings: readonly SoakReading[];
  readonly kept: readonly KeptByEventPage[];
  /** How often the event page began, after it was there at first. */
  readonly wakes: number;
  /** Why it ended early by itself. */
  readonly endedBy: string | undefined;
}

/** After a visit. */
export interface SoakReading extends ProcessMemory {
  readonly loads: number;
  readonly minutes: number;
  /** Loads at which this Firefox was started: growth is that of one process. */
  readonly startedAt: number;
}

/** What Firefox would have to close if the event page ended, after a visit. */
export interface KeptByEventPage {
  readonly startedAt: number;
  /** Of this Firefox, until then. */
  readonly wakes: number;
  /** `undefined`: it had ended before it could be looked at. */
  readonly count: number | undefined;
}

/** Bar 29 of the thirty. */
export const MAX_GROWTH_BYTES = 10_000_000;
/** Bar 10. */
const MAX_DATABASE_BYTES = 50_000_000;

/** What is counted of it for the thirty bars: bar, what, how often it held, of how many. */
export function soakCounts(
  seen: SoakSeen,
  warmLoads?: number,
): readonly { readonly bar: number; readonly what: string; readonly held: number; readonly of: number }[] {
  const { readings } = seen;
  const lives = keptInLives(seen.kept);
  const growth = growthOf(readings, warmLoads, 'heldBytes');
  return [
    {
      bar: 27,
      what: 'requests that a page made, none the extension',
      held: seen.requests - seen.strays.length - seen.ofExtension,
      of: seen.requests,
    },
    {
      bar: 27,
      what: 'messages to the helper with documented members alone',
      held: seen.nativeMessages - seen.undocumented.length,
      of: seen.nativeMessages,
    },
    { bar: 27, what: 'page loads recorded', held: Math.min(seen.recorded, seen.loads), of: seen.loads },
    { bar: 26, what: 'exports without the name of a site', held: seen.exports - seen.leaks, of: seen.exports },
    ...(lives.length === 0
      ? []
      : [
          {
            bar: 29,
            what: 'lives of the event page for which Firefox holds no more at the end than at the beginning',
            held: lives.filter(([first, last]) => last <= first).length,
            of: lives.length,
          },
        ]),
    ...(seen.kept.length === 0
      ? []
      : [
          {
            bar: 29,
            what: 'looks at what Firefox holds for the event page while it lived',
            held: seen.kept.filter(({ count }) => count !== undefined).length,
            of: seen.kept.length,
          },
        ]),
    ...(readings.length === 0
      ? []
      : [
          {
            bar: 29,
            what: 'looks without a ghost window',
            held: readings.filter(({ ghosts }) => ghosts === 0).length,
            of: readings.length,
          },
          {
            bar: 10,
            what: 'looks at a database below 50 MB',
            held: readings.filter((one) => one.databaseBytes < MAX_DATABASE_BYTES).length,
            of: readings.length,
          },
        ]),
    ...(growth === undefined
      ? []
      : [{ bar: 29, what: 'soaks that grew by less than 10 MB', held: Number(growth < MAX_GROWTH_BYTES), of: 1 }]),
  ];
}

/** What is kept at the first look and the last of each life of the event page that was looked at twice. */
export function keptInLives(kept: readonly KeptByEventPage[]): readonly (readonly [first: number, last: number])[] {
  const lives = groupBy(kept, ({ startedAt, wakes }) => `${startedAt} ${wakes}`);
  return [...lives.values()].flatMap((looks) => {
    const [first, ...later] = looks.flatMap(({ count }) => count ?? []);
    const last = later.at(-1);
    return first === undefined || last === undefined ? [] : [[first, last] as const];
  });
}

/** The most that one process grew by between the end of its warm-up and its end. `undefined`: none lasted so long. */
export function growthOf(
  readings: readonly SoakReading[],
  warmLoads: number | undefined,
  of: 'heldBytes' | 'residentBytes',
): number | undefined {
  if (warmLoads === undefined) return undefined;
  const grown = [...groupBy(readings, ({ startedAt }) => startedAt).values()].flatMap((looks) => {
    const warm = looks.find(({ loads, startedAt }) => loads - startedAt >= warmLoads);
    const end = looks.at(-1);
    return warm === undefined || end === undefined || warm === end ? [] : [end[of] - warm[of]];
  });
  return grown.length === 0 ? undefined : Math.max(...grown);
}

/** Images of each page, and the page. */
export const REQUESTS_PER_LOAD = IMAGES + 1;
