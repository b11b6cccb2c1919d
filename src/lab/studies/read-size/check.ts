/**
 * One measure of every profile against the baseline, checked by what sets what is shipped: where that differs from the baseline there is no
 * verdict, and a profile that is not told from it as well is not told from the baseline. The baseline is in every comparison: were its own
 * loads quick or slow by chance, all profiles would seem to differ, and this one among them. Pure.
 */
import { compareProfiles } from '../../../core/compare/compare-profiles.ts';
import type { ComparedProfile } from '../../../core/compare/compared-profile.ts';
import type { ComparableLoad, VersusBaseline } from '../../../core/compare/comparison.ts';
import type { Study } from '../study.ts';

/** What is shipped, set by hand: a check. */
export const NOTHING_CHANGED = 'read-32k';

export interface CheckedChange extends VersusBaseline {
  /** Whether it differs in the same direction from the check; also where there is no check. */
  readonly toldFromCheck: boolean;
}

export interface CheckedMeasure {
  /** Profiles whose intervals hold together. */
  readonly intervals: number;
  readonly of: (profileId: string) => CheckedChange | undefined;
}

/** `of` answers `undefined` for a profile without pairs, and for all where the baseline has no loads. */
export function checkedMeasure(study: Study, loads: readonly ComparableLoad[]): CheckedMeasure {
  const there = new Set(loads.map(({ profileId }) => profileId));
  if (!there.has(study.baseline)) return { intervals: 0, of: () => undefined };
  const { intervals, changes } = compared(study, loads, study.baseline);
  const check = changes.get(NOTHING_CHANGED);
  const againstCheck = check && compared(study, loads, NOTHING_CHANGED).changes;
  const of = (id: string) => {
    const change = changes.get(id);
    if (change === undefined) return undefined;
    const toldFromCheck = id === NOTHING_CHANGED || againstCheck === undefined || alsoFrom(againstCheck.get(id), change);
    return { ...(excludesNoChange(check) && id !== NOTHING_CHANGED ? withoutVerdict(change) : change), toldFromCheck };
  };
  return { intervals, of };
}

function compared({ profiles }: Study, loads: readonly ComparableLoad[], baseline: string) {
  const there = new Set(loads.map(({ profileId }) => profileId));
  const own = profiles
    .filter(({ id }) => there.has(id))
    .map(
      ({ id, depth, connections }): ComparedProfile => ({
        ...{ id, depth, connections, carrier: 'none' },
        role: id === baseline ? 'baseline' : 'candidate',
      }),
    );
  const { profiles: found, method } = compareProfiles(loads, { baseline, profiles: own, looks: 'once' });
  return { intervals: method.intervals, changes: new Map(found.map(({ id, versusBaseline }) => [id, versusBaseline])) };
}

/** By any amount: what changes nothing must not be told from the baseline. */
export const excludesNoChange = (change: Pick<VersusBaseline, 'low' | 'high'> | undefined): boolean =>
  (change?.low ?? 1) > 1 || (change?.high ?? 1) < 1;

const alsoFrom = (other: VersusBaseline | undefined, { ratio = 1 }: VersusBaseline): boolean =>
  ratio > 1 ? (other?.low ?? 1) > 1 : (other?.high ?? 1) < 1;

function withoutVerdict(change: VersusBaseline): VersusBaseline {
  const reason = `No verdict: ${NOTHING_CHANGED}, which sets what is shipped, differs from the baseline as well.`;
  return { ...change, verdict: 'no-verdict', reason, loadsNeeded: undefined, loadsNeededAtMost: undefined };
}
