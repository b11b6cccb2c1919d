/**
 * The speed of everyday loads on the days since settings were applied, beside the days before. Nothing about it is random: sites, networks and
 * habits change over weeks, so it never proves anything, and has no interval that would look like a proof.
 */
import type { LoadProtocol } from '../compare/comparison.ts';
import { groupBy } from '../group-by.ts';
import type { AppliedSince } from '../measure/page-load.ts';
import { findProfile } from '../profiles/presets.ts';
import { BASELINE_ID } from '../profiles/profile.ts';
import { mean } from '../stats/mean.ts';
import { reachedProtocols } from '../trial/protocol-plan.ts';
import type { LoadSummary } from './load-summary.ts';

export interface SinceApplied extends AppliedSince {
  /** A share of the speed before. */
  readonly gain: number;
  /** Days with loads that were compared, since then and before. */
  readonly days: number;
  readonly before: number;
}

const DAY_MS = 86_400_000;
/** Two weeks on each side: both have the same days of the week, and what drifts .2 % a day has moved less than 3 %. */
const MAX_DAYS = 14;
/** On each side; a single day is that day's weather. Chosen, not measured. */
const MIN_DAYS = 5;

interface DatedLoad {
  /** Whole days from the moment of the switch: 0 is the first day since, -1 the last before. */
  readonly day: number;
  readonly log: number;
  readonly place: string;
}

/**
 * Days are the units, however many loads they have, and a page over a link is compared with itself. The newest days before count, and the first
 * since; no load of a trial under the applied settings does. `undefined`: nothing is applied, or there are too few days.
 */
export function sinceApplied(
  ordered: readonly LoadSummary[],
  linkOf: (at: number) => number | undefined,
  applied: AppliedSince | undefined,
): SinceApplied | undefined {
  if (applied === undefined || applied.profileId === BASELINE_ID) return undefined;
  const reached = reachedBy(ordered, applied);
  const isReached = ({ protocol }: LoadSummary) => protocol === undefined || reached?.includes(protocol) !== false;
  const dated = ordered.flatMap((load, at) => (isReached(load) ? (datedLoad(load, linkOf(at), applied) ?? []) : []));
  const places = [...groupBy(dated, ({ place }) => place).values()];
  const values = places.flatMap((loads) => {
    const since = loads.filter(({ day }) => day >= 0).map(({ log }) => log);
    const before = loads.filter(({ day }) => day < 0).map(({ log }) => log);
    if (since.length === 0 || before.length === 0) return [];
    const level = (mean(since) + mean(before)) / 2;
    return loads.map(({ day, log }) => ({ day, value: log - level }));
  });
  const days = [...groupBy(values, ({ day }) => day)].map(([day, own]) => ({ day, value: mean(own.map(({ value }) => value)) }));
  const [since, before] = [days.filter(({ day }) => day >= 0), days.filter(({ day }) => day < 0)];
  if (Math.min(since.length, before.length) < MIN_DAYS) return undefined;
  const level = (some: typeof days) => mean(some.map(({ value }) => value));
  return { ...applied, gain: Math.expm1(level(before) - level(since)), days: since.length, before: before.length };
}

/** `undefined`: the load is not compared. */
function datedLoad(load: LoadSummary, link: number | undefined, { profileId, since }: AppliedSince): DatedLoad | undefined {
  const { startedAt, page, protocol, standing, excluded, loadTimeMs = 0, trial } = load;
  const day = Math.floor((startedAt - since) / DAY_MS);
  const counts = day >= 0 ? load.profileId === profileId && trial === undefined : load.profileId === BASELINE_ID && trial?.counts !== false;
  if (!counts || standing !== 'whole' || excluded !== undefined || !(loadTimeMs > 0)) return undefined;
  if (day < -MAX_DAYS || day >= MAX_DAYS) return undefined;
  return { day, log: Math.log(loadTimeMs), place: JSON.stringify([page, link, protocol]) };
}

/** A limit on connections over HTTP/1.1 changes nothing over HTTP/2, whatever is measured there. `undefined`: this version does not know the profile. */
function reachedBy(ordered: readonly LoadSummary[], { profileId }: AppliedSince): readonly LoadProtocol[] | undefined {
  const profile = findProfile(profileId);
  const carrier = ordered.findLast((load) => load.profileId === profileId)?.carrier ?? 'none';
  return profile && reachedProtocols([{ profile, carrier }]);
}
