/** Whether lanes side by side disturb each other: the same loads alone and beside the others. Pure. */

import { studentTQuantile } from '../../core/stats/distributions.ts';
import { type MeanAndVariance, meanAndVariance } from '../../core/stats/mean.ts';
import { median } from '../../core/stats/quantile.ts';

/** A load may take at most this much longer beside the others, and the ratio of two profiles may move by this much. Chosen, not measured. */
export const MAX_LONGER = 0.03;
export const MAX_RATIO_MOVE = 0.02;

interface InterferenceTimes {
  readonly profileId: string;
  readonly aloneMs: readonly number[];
  readonly besideMs: readonly number[];
}

interface InterferenceVerdict {
  readonly ok: boolean;
  /** Longest median beside the others over the median alone, less 1, over the profiles. */
  readonly longer: number;
  /** How far the ratio of the two profiles' medians moves, as a share. */
  readonly ratioMoves: number;
}

/** Chance that lanes which disturb each other by the bounds or more pass somewhere in a search, over all its steps. */
export const PASSED_WRONGLY = 0.05;

/**
 * Lanes pass where it is shown that they do not disturb each other, not where nothing was noticed: one-sided Welch intervals on logarithms, at
 * the level over the number of steps (Bonferroni), must end within the bounds, for each profile and for their ratio both ways (Schuirmann's
 * two one-sided tests, 1987; that all of them must pass needs no further adjustment, Berger 1982).
 * @param profiles - The first two are compared with each other.
 * @param steps - Numbers of lanes that are tried at most, see `stepsFrom`.
 * @returns `undefined` where a profile has no times.
 */
export function interferenceVerdict(profiles: readonly InterferenceTimes[], steps: number): InterferenceVerdict | undefined {
  const medians = profiles.map(({ aloneMs, besideMs }) => ({ alone: median(aloneMs), beside: median(besideMs) }));
  const known = medians.flatMap(({ alone, beside }) => (alone !== undefined && beside !== undefined ? [{ alone, beside }] : []));
  const [first, second] = known;
  if (known.length < profiles.length || !first || !second) return undefined;
  const longer = Math.max(...known.map(({ alone, beside }) => beside / alone - 1));
  const ratioMoves = Math.abs(first.beside / second.beside / (first.alone / second.alone) - 1);
  const level = PASSED_WRONGLY / steps;
  const slower = profiles.map(({ aloneMs, besideMs }) => highestOf([logsOf(besideMs, 1), logsOf(aloneMs, -1)], level));
  const ratios = [1, -1].map((way) =>
    highestOf(
      profiles
        .slice(0, 2)
        .flatMap(({ aloneMs, besideMs }, index) => [logsOf(besideMs, index === 0 ? way : -way), logsOf(aloneMs, index === 0 ? -way : way)]),
      level,
    ),
  );
  const within = (bounds: readonly (number | undefined)[], most: number) =>
    bounds.every((bound) => bound !== undefined && bound <= Math.log(1 + most));
  return { ok: within(slower, MAX_LONGER) && within(ratios, MAX_RATIO_MOVE), longer, ratioMoves };
}

interface Logs extends MeanAndVariance {
  readonly count: number;
  readonly sign: number;
}

const logsOf = (times: readonly number[], sign: number): Logs => ({ ...meanAndVariance(times.map(Math.log)), count: times.length, sign });

/** Upper end of the one-sided interval of a sum of means, by Welch and Satterthwaite; `undefined`: of a single value no spread is known. */
function highestOf(samples: readonly Logs[], level: number): number | undefined {
  let sum = 0;
  let square = 0;
  let weights = 0;
  for (const { mean, variance, count, sign } of samples) {
    if (variance === undefined) return undefined;
    sum += sign * mean;
    square += variance / count;
    weights += (variance / count) ** 2 / (count - 1);
  }
  return square === 0 ? sum : sum + studentTQuantile(1 - level, square ** 2 / weights) * Math.sqrt(square);
}

/** The share of lanes that goes on where they disturb each other. */
const FEWER = 0.85;

/**
 * How many go on of lanes that disturb each other: a seventh fewer, or where a load took much longer beside them, as many as would have had
 * the time if what they share were shared evenly.
 */
export function fewerLanes(lanes: number, longer: number | undefined): number {
  const inProportion = Math.ceil((lanes * (1 + MAX_LONGER)) / (1 + (longer ?? 0)));
  return Math.max(1, Math.min(Math.floor(lanes * FEWER), inProportion));
}

/** How many numbers of lanes a search may try, from this one down to two, where each fails by no more than it must. */
export function stepsFrom(lanes: number): number {
  let steps = 0;
  for (let left = lanes; left > 1; left = fewerLanes(left, undefined)) steps += 1;
  return Math.max(1, steps);
}

interface InterferenceCheck {
  readonly session: number;
  readonly lanes: number;
  readonly ok: boolean;
  readonly notMeasured?: boolean;
}

/**
 * Whether the loads that this many lanes made in a session count. The check of that session decides; where it had none that was
 * measured, they count if a check with at least as many lanes passed and none with as many or fewer failed. One lane disturbs no other.
 * @returns a function of the session, which may be `undefined` for one without a check, and of the lanes at work.
 */
export function isolationOf(
  checks: readonly InterferenceCheck[],
): (made: { readonly session: number | undefined; readonly lanes: number }) => boolean {
  const measured = checks.filter(({ notMeasured }) => notMeasured !== true);
  const own = new Map(measured.map(({ session, lanes, ok }) => [`${session}/${lanes}`, ok]));
  const mostPassed = Math.max(0, ...measured.filter(({ ok }) => ok).map(({ lanes }) => lanes));
  const fewestFailed = Math.min(Number.POSITIVE_INFINITY, ...measured.filter(({ ok }) => !ok).map(({ lanes }) => lanes));
  return ({ session, lanes }) => own.get(`${session}/${lanes}`) ?? (lanes <= 1 || (lanes <= mostPassed && lanes < fewestFailed));
}
