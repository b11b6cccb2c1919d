/** The verdict on each profile: by the first bytes of new connections, and by the whole load. Pure. */

import type { ComparableLoad, Verdict, VersusBaseline } from '../../../core/compare/comparison.ts';
import { comparableLoads } from '../../../core/report/comparable-loads.ts';
import { compareOwnProfiles, excludesNoChange, withoutVerdict } from '../comparisons.ts';
import type { Study, StudyData, StudyLoad } from '../study.ts';
import { exchangeTimes, firstByteTimes, typicalMs } from './cohorts.ts';

/**
 * The smallest change of a time that counts: the least gain the mail calls a win ("sometimes as low as 0.8%"). The 3 % that count elsewhere
 * would make nothing of all that the mail found.
 */
export const MARGIN = 0.008;

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
  readonly load: CheckedChange | undefined;
}

/** Ratios of times: below 1 the first byte comes sooner than with the baseline. */
export interface TimeChange {
  readonly ratio: number | undefined;
  readonly low: number | undefined;
  readonly high: number | undefined;
  /** Better or worse only where it differs from the check as well. */
  readonly verdict: Verdict;
  readonly pairs: number;
  readonly toldFromCheck: boolean;
}

/** The profiles but the baseline, in the study's order, as far as loads of them are there. */
export function profileVerdicts({ study, loads }: StudyData): readonly ProfileVerdicts[] {
  const byFirstByte = checkedMeasure(study, loads.map(byTime(firstByteTimes)));
  const byExchange = checkedMeasure(study, loads.map(byTime(exchangeTimes)));
  const byLoad = checkedMeasure(study, comparableLoads(loads));
  return study.profiles
    .filter(({ id }) => id !== study.baseline)
    .map(({ id }) => ({
      id,
      loads: loads.filter(({ profileId }) => profileId === id).length,
      intervals: byLoad.intervals,
      firstByte: timeChange(byFirstByte.of(id)),
      exchange: timeChange(byExchange.of(id)),
      load: loadChange(byLoad.of(id)),
    }))
    .filter(({ loads: made }) => made > 0);
}

const common = ({ profileId, page, link, block }: StudyLoad) => ({ profileId, page, link, block, valid: true });

/** The reciprocal of a time is compared as an efficiency is: the ideal is the same for every profile and cancels out. */
const byTime =
  (timesOf: (load: StudyLoad) => readonly number[]) =>
  (load: StudyLoad): ComparableLoad => {
    const time = typicalMs(timesOf(load));
    return { ...common(load), efficiency: time === undefined ? undefined : 1 / time, loadTimeMs: time };
  };

function timeChange(change: CheckedChange | undefined): TimeChange | undefined {
  if (change === undefined) return undefined;
  const { ratio, low, high, verdict, pairs, toldFromCheck } = change;
  const times = { ratio: inverse(ratio), low: inverse(high), high: inverse(low), pairs, toldFromCheck };
  return { ...times, verdict: verdict === 'no-verdict' ? verdict : onlyIfTold(timeVerdict(times), toldFromCheck) };
}

function loadChange(change: CheckedChange | undefined): CheckedChange | undefined {
  if (change === undefined) return undefined;
  const verdict = onlyIfTold(change.verdict, change.toldFromCheck);
  if (verdict === change.verdict) return change;
  return {
    ...change,
    verdict,
    reason: `It cannot be distinguished from ${NOTHING_CHANGED}, which sets Firefox's own values.`,
    loadsNeeded: undefined,
    loadsNeededAtMost: undefined,
  };
}

const onlyIfTold = (verdict: Verdict, toldFromCheck: boolean): Verdict =>
  !toldFromCheck && (verdict === 'better' || verdict === 'worse') ? 'need-more-loads' : verdict;

const inverse = (ratio: number | undefined): number | undefined => (ratio === undefined ? undefined : 1 / ratio);

/** The rule of every comparison, with this study's margin. */
function timeVerdict({ ratio, low, high }: Pick<TimeChange, 'ratio' | 'low' | 'high'>): Verdict {
  if (ratio === undefined || low === undefined || high === undefined) return 'need-more-loads';
  if (high < 1 && 1 - ratio >= MARGIN) return 'better';
  if (low > 1 && ratio - 1 >= MARGIN) return 'worse';
  return low >= 1 - MARGIN && high <= 1 + MARGIN ? 'no-meaningful-difference' : 'need-more-loads';
}

/**
 * The shipped value, set by hand: a check. Where it differs from the baseline there is no verdict, and a profile that is not shown to differ from it
 * as well is not shown to differ from the baseline. The baseline is in every comparison: were its own loads quick or slow by chance, all profiles
 * would seem to differ, and this one among them.
 */
export const NOTHING_CHANGED = 'read-32k';

export interface CheckedChange extends VersusBaseline {
  /** Whether it differs in the same direction from the check; also where there is no check. */
  readonly toldFromCheck: boolean;
}

interface CheckedMeasure {
  /** Profiles whose intervals hold together. */
  readonly intervals: number;
  readonly of: (profileId: string) => CheckedChange | undefined;
}

/** `of` answers `undefined` for a profile without pairs, and for all where the baseline has no loads. */
function checkedMeasure(study: Study, loads: readonly ComparableLoad[]): CheckedMeasure {
  const there = new Set(loads.map(({ profileId }) => profileId));
  if (!there.has(study.baseline)) return { intervals: 0, of: () => undefined };
  const against = (baseline: string) => {
    const { profiles, method } = compareOwnProfiles(study, loads, baseline);
    return { intervals: method.intervals, changes: new Map(profiles.map(({ id, versusBaseline }) => [id, versusBaseline])) };
  };
  const { intervals, changes } = against(study.baseline);
  const check = changes.get(NOTHING_CHANGED);
  const againstCheck = check && against(NOTHING_CHANGED).changes;
  const of = (id: string) => {
    const change = changes.get(id);
    if (change === undefined) return undefined;
    const toldFromCheck = id === NOTHING_CHANGED || againstCheck === undefined || alsoFrom(againstCheck.get(id), change);
    return { ...(excludesNoChange(check) && id !== NOTHING_CHANGED ? withoutVerdict(change, NOTHING_CHANGED) : change), toldFromCheck };
  };
  return { intervals, of };
}

const alsoFrom = (other: VersusBaseline | undefined, { ratio = 1 }: VersusBaseline): boolean =>
  ratio > 1 ? (other?.low ?? 1) > 1 : (other?.high ?? 1) < 1;
