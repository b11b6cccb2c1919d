/** The verdict on each profile: by the first bytes of new connections, and by the whole load. Pure. */

import { compareProfiles } from '../../core/compare/compare-profiles.ts';
import type { ComparedProfile } from '../../core/compare/compared-profile.ts';
import type { ComparableLoad, VersusBaseline } from '../../core/compare/comparison.ts';
import { exchangeTimes, firstByteTimes, typicalMs } from './read-size-first-bytes.ts';
import type { Study } from './study.ts';
import type { StudyData, StudyLoad } from './study-load.ts';

export interface ProfileVerdicts {
  readonly id: string;
  readonly loads: number;
  /** From handshake to first byte, as in the mail. `undefined`: nothing can be compared. */
  readonly firstByte: TimeChange | undefined;
  /** The same without what the browser waits between handshake and request. */
  readonly exchange: TimeChange | undefined;
  /** Ratios of efficiency, as everywhere. */
  readonly load: VersusBaseline | undefined;
}

/** Ratios of times: below 1 the first byte comes sooner than with the baseline. */
export interface TimeChange {
  readonly ratio: number | undefined;
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly verdict: VersusBaseline['verdict'];
  readonly pairs: number;
}

/** The profiles but the baseline, in the study's order, as far as loads of them are there. */
export function profileVerdicts({ study, loads }: StudyData): readonly ProfileVerdicts[] {
  const byFirstByte = versusBaseline(study, loads.map(byTime(firstByteTimes)));
  const byExchange = versusBaseline(study, loads.map(byTime(exchangeTimes)));
  const byLoad = versusBaseline(study, loads.map(asLoad));
  return study.profiles
    .filter(({ id }) => id !== study.baseline)
    .map(({ id }) => ({
      id,
      loads: loads.filter(({ profileId }) => profileId === id).length,
      firstByte: timeChange(byFirstByte.get(id)),
      exchange: timeChange(byExchange.get(id)),
      load: byLoad.get(id),
    }))
    .filter(({ loads: made }) => made > 0);
}

function versusBaseline({ profiles, baseline }: Study, loads: readonly ComparableLoad[]): ReadonlyMap<string, VersusBaseline> {
  const there = new Set(loads.map(({ profileId }) => profileId));
  if (!there.has(baseline)) return new Map();
  const compared = profiles
    .filter(({ id }) => there.has(id))
    .map(
      ({ id, depth, connections }): ComparedProfile => ({
        id,
        depth,
        connections,
        carrier: 'none',
        role: id === baseline ? 'baseline' : 'candidate',
      }),
    );
  const comparison = compareProfiles(loads, { baseline, profiles: compared, looks: 'once' });
  return new Map(comparison.profiles.map((profile) => [profile.id, profile.versusBaseline]));
}

const common = ({ profileId, page, link, block }: StudyLoad) => ({ profileId, page, link, block, valid: true });

/** The reciprocal of a time is compared as an efficiency is: the ideal is the same for every profile and cancels out. */
const byTime =
  (timesOf: (load: StudyLoad) => readonly number[]) =>
  (load: StudyLoad): ComparableLoad => {
    const time = typicalMs(timesOf(load));
    return { ...common(load), efficiency: time === undefined ? undefined : 1 / time, loadTimeMs: time };
  };

const asLoad = (load: StudyLoad): ComparableLoad => ({
  ...common(load),
  efficiency: load.measures?.efficiency,
  loadTimeMs: load.measures?.loadTimeMs,
});

function timeChange(versus: VersusBaseline | undefined): TimeChange | undefined {
  if (versus === undefined) return undefined;
  const { ratio, low, high, verdict, pairs } = versus;
  return { ratio: inverse(ratio), low: inverse(high), high: inverse(low), verdict, pairs };
}

const inverse = (ratio: number | undefined): number | undefined => (ratio === undefined ? undefined : 1 / ratio);
