/** Whether lanes side by side disturb each other: the same loads alone and beside the others. Pure. */
import { median } from '../../core/stats/median.ts';

/** Issue of the lab: a load may take at most so much longer beside the others, and ratios between profiles may move by so much. */
export const LONGER_AT_MOST = 0.03;
export const RATIO_MOVES_AT_MOST = 0.02;

/** Load times of one profile, ms. */
export interface InterferenceTimes {
  readonly profileId: string;
  readonly aloneMs: readonly number[];
  readonly besideMs: readonly number[];
}

export interface InterferenceVerdict {
  readonly ok: boolean;
  /** Longest median beside the others over the median alone, less 1, over the profiles. */
  readonly longer: number;
  /** How far the ratio of the two profiles' medians moves, as a share. */
  readonly ratioMoves: number;
}

/** `undefined` where a profile has no times. @param profiles - The first two are compared with each other. */
export function judgeInterference(profiles: readonly InterferenceTimes[]): InterferenceVerdict | undefined {
  const medians = profiles.map(({ aloneMs, besideMs }) => ({ alone: median(aloneMs), beside: median(besideMs) }));
  const known = medians.flatMap(({ alone, beside }) => (alone !== undefined && beside !== undefined ? [{ alone, beside }] : []));
  const [first, second] = known;
  if (known.length < profiles.length || !first || !second) return undefined;
  const longer = Math.max(...known.map(({ alone, beside }) => beside / alone - 1));
  const ratioMoves = Math.abs(first.beside / second.beside / (first.alone / second.alone) - 1);
  return { ok: longer <= LONGER_AT_MOST && ratioMoves <= RATIO_MOVES_AT_MOST, longer, ratioMoves };
}

/** Where lanes disturb each other, so many of them go on. */
const FEWER = 0.85;

/**
 * How many go on of lanes that disturb each other: a seventh fewer, or where a load took much longer beside them, as many as would have had
 * the time if what they share were shared evenly.
 */
export function fewerLanes(lanes: number, longer: number | undefined): number {
  const inProportion = Math.ceil((lanes * (1 + LONGER_AT_MOST)) / (1 + (longer ?? 0)));
  return Math.max(1, Math.min(Math.floor(lanes * FEWER), inProportion));
}

/** A check as the log has it. */
export interface InterferenceCheck {
  readonly session: number;
  readonly lanes: number;
  readonly ok: boolean;
  readonly notMeasured?: boolean;
}

/**
 * Whether loads count that were made by so many lanes in that session. The check of that session says it; where it had none that was
 * measured, they count if a check with at least as many lanes passed and none with as many or fewer failed. One lane disturbs nobody.
 * @returns a function of the session, which may be `undefined` for one without a check, and of the lanes at work.
 */
export function standsBeside(
  checks: readonly InterferenceCheck[],
): (made: { readonly session: number | undefined; readonly lanes: number }) => boolean {
  const measured = checks.filter(({ notMeasured }) => notMeasured !== true);
  const own = new Map(measured.map(({ session, lanes, ok }) => [`${session}/${lanes}`, ok]));
  const mostPassed = Math.max(0, ...measured.filter(({ ok }) => ok).map(({ lanes }) => lanes));
  const fewestFailed = Math.min(Number.POSITIVE_INFINITY, ...measured.filter(({ ok }) => !ok).map(({ lanes }) => lanes));
  return ({ session, lanes }) => own.get(`${session}/${lanes}`) ?? (lanes <= 1 || (lanes <= mostPassed && lanes < fewestFailed));
}
