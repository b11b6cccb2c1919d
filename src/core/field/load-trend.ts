/** The load times of one site over days: a median for each day, which settings were in effect, and whether a trial ran. */

import * as v from 'valibot';
import { finite, type Shape } from '../schema.ts';
import { exclusionOf, type History } from './history.ts';
import { medianFigure, medianFigureSchema } from './load-groups.ts';
import { comparableLoadTime } from './load-summary.ts';

export const trendDaySchema = v.object({
  /** When the day began, ms since the epoch. */
  day: finite,
  loadTimeMs: medianFigureSchema,
  /** The settings of its loads outside of a trial, in the order of their ids. */
  profiles: v.array(v.string()),
  /** Whether loads of a trial are among them. */
  isTrial: v.boolean(),
});
/** A day with a load of the site that is compared. */
export type TrendDay = Shape<typeof trendDaySchema>;

interface TrendInput {
  /** The number of the site. */
  readonly site: number;
  /** The id of the network whose loads are taken; absent: all. */
  readonly network?: number | undefined;
  /** When the day of a moment began, both ms since the epoch: days are those of the reader's clock. */
  readonly dayOf: (at: number) => number;
}

/** In their order; days without a load that is compared are not among them. */
export function loadTrend({ figures, links, linkOf }: History, { site, network, dayOf }: TrendInput): readonly TrendDay[] {
  const days = new Map<number, { readonly times: number[]; readonly profiles: Set<string>; isTrial: boolean }>();
  for (const [at, load] of figures.entries()) {
    if (load.site !== site || exclusionOf(load) !== undefined) continue;
    if (network !== undefined && links[linkOf(at) ?? -1]?.id !== network) continue;
    const time = comparableLoadTime(load);
    if (time === undefined) continue;
    const number = dayOf(load.startedAt);
    const day = days.get(number) ?? { times: [], profiles: new Set<string>(), isTrial: false };
    days.set(number, day);
    day.times.push(time);
    if (load.trial === undefined) day.profiles.add(load.profileId);
    else day.isTrial = true;
  }
  return [...days]
    .sort(([a], [b]) => a - b)
    .flatMap(([day, { times, profiles, isTrial }]) => {
      const loadTimeMs = medianFigure(times);
      return loadTimeMs === undefined ? [] : [{ day, loadTimeMs, profiles: [...profiles].sort(), isTrial }];
    });
}

/** The days on which other settings were in effect than on the day before that had loads outside of a trial; the first day is none. */
export function settingsChanges(days: readonly TrendDay[]): readonly TrendDay[] {
  const everyday = days.filter(({ profiles }) => profiles.length > 0);
  return everyday.filter(({ profiles }, at) => at > 0 && profiles.join('\n') !== everyday[at - 1]?.profiles.join('\n'));
}

/** Days in a row on which a trial ran, each from its first day to its last. */
export function trialSpans(days: readonly TrendDay[]): readonly { readonly from: number; readonly to: number }[] {
  const spans: { from: number; to: number }[] = [];
  for (const [at, { day, isTrial }] of days.entries()) {
    if (!isTrial) continue;
    const last = spans.at(-1);
    if (last !== undefined && days[at - 1]?.isTrial) last.to = day;
    else spans.push({ from: day, to: day });
  }
  return spans;
}
