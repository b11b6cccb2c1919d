/** What a look at a run leads to: who has no more turns, and whether its question is answered. */
import type { DropReason } from '../compare/comparison.ts';
import type { Candidate } from '../compare/recommend.ts';
import { MEANINGFUL_CHANGE } from '../compare/thresholds.ts';
import { compareCost } from '../profiles/compare-cost.ts';

export interface RaceDrop {
  readonly profileId: string;
  readonly because: DropReason;
}

export interface RaceStep {
  readonly drops: readonly RaceDrop[];
  /** Every question is answered, or none can be any more. */
  readonly isOver: boolean;
}

interface RaceLook {
  /** Those that still have turns. */
  readonly active: readonly Candidate[];
  readonly recommended: Candidate | undefined;
  /** How many stay by the schedule. */
  readonly keep: number;
}

/** Below this chance of either verdict at the planned end a candidate's turns end. The usual bound of futility (Jennison & Turnbull 2000, chapter 10). */
const FUTILE = 0.1;

/** A verdict stands at whichever look it came: the intervals allow for all of them. */
export function raceStep({ active, recommended, keep }: RaceLook): RaceStep {
  const ends = active.map((each) => ({ each, because: each === recommended ? undefined : endedBy(each) }));
  const ended = ends.flatMap(({ each, because }) => (because === undefined ? [] : [{ profileId: each.profile.id, because }]));
  const open = ends.flatMap(({ each, because }) => (because === undefined ? [each] : []));
  const isSettled = recommended !== undefined && open.every((each) => each === recommended || isProven(each) || isBelow(each, recommended));
  if (isSettled || open.length === 0) return { drops: ended, isOver: true };
  const stay = staying(open, keep);
  const behind = open.filter((each) => !stay.includes(each)).map(({ profile }): RaceDrop => ({ profileId: profile.id, because: 'behind' }));
  return { drops: [...ended, ...behind], isOver: false };
}

function endedBy({ shown, gain }: Candidate): DropReason | undefined {
  const findings = [shown.verdict, gain.finding];
  if (findings.includes('worse')) return 'worse';
  if (findings.includes('no-meaningful-difference')) return 'same';
  const { atEnd } = gain;
  return atEnd !== undefined && atEnd.better < FUTILE && atEnd.same < FUTILE ? 'cannot-win' : undefined;
}

const isProven = ({ shown }: Candidate): boolean => shown.verdict === 'better';
/** What goes through the gateway answers nothing about settings alone. */
const isBelow = (each: Candidate, recommended: Candidate): boolean =>
  speed(each) < speed(recommended) && (recommended.profile.carrier !== 'gateway' || each.profile.carrier === 'gateway');
const speed = ({ gain }: Candidate): number => gain.ratio ?? 0;

/**
 * The fastest, and what costs less than each of those ahead of it and is within 3 % of the best, as it would be recommended instead. While none is
 * ahead of the baseline by as much, whatever is as near stays: that nothing is to be gained can only be shown of all.
 */
function staying(open: readonly Candidate[], keep: number): readonly Candidate[] {
  const ordered = open.toSorted((a, b) => speed(b) - speed(a));
  const best = ordered[0] === undefined ? 0 : speed(ordered[0]);
  const isNear = (each: Candidate) => speed(each) >= best * (1 - MEANINGFUL_CHANGE);
  const isCheaper = (each: Candidate, at: number) => ordered.slice(0, at).every(({ profile }) => compareCost(each.profile, profile) < 0);
  const isNoneAhead = best < 1 + MEANINGFUL_CHANGE;
  return ordered.filter((each, at) => at < keep || (isNear(each) && (isNoneAhead || isCheaper(each, at))));
}
