/** The verdict on each profile: by the first bytes of new connections, and by the whole load. Pure. */

import { compareProfiles } from '../../core/compare/compare-profiles.ts';
import type { ComparedProfile } from '../../core/compare/compared-profile.ts';
import type { ComparableLoad, VersusBaseline } from '../../core/compare/comparison.ts';
import { exchangeTimes, firstByteTimes, typicalMs } from './read-size-first-bytes.ts';
import type { Study } from './study.ts';
import type { StudyData, StudyLoad } from './study-load.ts';

/**
 * The smallest change of a time that counts: the least gain the mail calls a win ("sometimes as low as 0.8%"). The 3 % that count elsewhere
 * would make nothing of all that the mail found.
 */
export const MARGIN = 0.008;

/** What is shipped, set by hand: a check. Where it differs from the baseline, something else than the profiles made the difference. */
export const NOTHING_CHANGED = 'read-32k';

export interface ProfileVerdicts {
  readonly id: string;
  readonly loads: number;
  /** Profiles whose intervals of one measure hold together. */
  readonly intervals: number;
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
      intervals: byLoad.intervals,
      firstByte: timeChange(byFirstByte.of(id)),
      exchange: timeChange(byExchange.of(id)),
      load: byLoad.of(id),
    }))
    .filter(({ loads: made }) => made > 0);
}

interface Versus {
  readonly intervals: number;
  /** Without a verdict where what changes nothing differs too. */
  readonly of: (profileId: string) => VersusBaseline | undefined;
}

function versusBaseline({ profiles, baseline }: Study, loads: readonly ComparableLoad[]): Versus {
  const there = new Set(loads.map(({ profileId }) => profileId));
  if (!there.has(baseline)) return { intervals: 0, of: () => undefined };
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
  const { profiles: found, method } = compareProfiles(loads, { baseline, profiles: compared, looks: 'once' });
  const versus = new Map(found.map((profile) => [profile.id, profile.versusBaseline]));
  const differs = excludesNoChange(versus.get(NOTHING_CHANGED));
  const of = (id: string) => (differs && id !== NOTHING_CHANGED ? withoutVerdict(versus.get(id)) : versus.get(id));
  return { intervals: method.intervals, of };
}

/** By any amount: what changes nothing must not be told from the baseline. */
export const excludesNoChange = (change: Pick<VersusBaseline, 'low' | 'high'> | undefined): boolean =>
  (change?.low ?? 1) > 1 || (change?.high ?? 1) < 1;

function withoutVerdict(versus: VersusBaseline | undefined): VersusBaseline | undefined {
  const reason = `No verdict: ${NOTHING_CHANGED}, which sets what is shipped, differs from the baseline as well.`;
  return versus && { ...versus, verdict: 'no-verdict', reason, loadsNeeded: undefined };
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
  const change = { ratio: inverse(ratio), low: inverse(high), high: inverse(low), pairs };
  return { ...change, verdict: verdict === 'no-verdict' ? verdict : timeVerdict(change) };
}

const inverse = (ratio: number | undefined): number | undefined => (ratio === undefined ? undefined : 1 / ratio);

/** The rule of every comparison, with this study's margin. */
function timeVerdict({ ratio, low, high }: Pick<TimeChange, 'ratio' | 'low' | 'high'>): TimeChange['verdict'] {
  if (ratio === undefined || low === undefined || high === undefined) return 'need-more-loads';
  if (high < 1 && 1 - ratio >= MARGIN) return 'better';
  if (low > 1 && ratio - 1 >= MARGIN) return 'worse';
  return low >= 1 - MARGIN && high <= 1 + MARGIN ? 'no-meaningful-difference' : 'need-more-loads';
}
