/** The check on one value per turn: whether what a profile leaves behind lasts into the turn of the next. */

import { factorOf } from '../compare/adjusted-fit.ts';
import { groupBy } from '../group-by.ts';
import { sequentialTLogEvidence } from '../stats/confidence-sequence.ts';
import { studentTTwoSided } from '../stats/distributions.ts';
import { absorbEffects } from '../stats/least-squares.ts';
import { mean } from '../stats/mean.ts';
import { isCounted, logEfficiencyOf, type TrialLoad } from './judged-loads.ts';
import { ALARM_EVIDENCE, CHECKED_TURNS_PER_ARM, FLATTERED_P } from './trial-defaults.ts';
import type { CarryOverCheck, Finding } from './trial-state.ts';

/** One value per turn: how efficient its loads were against other loads of the same pages by the same profile. */
export interface TurnValue {
  readonly block: number;
  readonly profileId: string;
  /** Profile of the turn before, whether its loads count or not; `undefined`: there is none. */
  readonly after: string | undefined;
  /** Log efficiency less the mean of its page, link and profile: of the first load, and over all of the turn. */
  readonly first: number;
  readonly all: number;
}

/**
 * In the order of the turns. Pages that were loaded once by a profile say nothing. Profiles are kept apart, as pages gain differently: for who
 * loads the same pages in the same order, a turn's second slot has others than its first, and their gains would look like a carry-over. Of 100
 * simulated trials 39 to 67 failed so, and one in Firefox.
 * @param marked all loads of the trial; `settled`: those of them that a verdict rests on.
 */
export function turnValues(marked: readonly TrialLoad[], settled: readonly TrialLoad[]): readonly TurnValue[] {
  const before = profilesBefore(marked);
  const groups = groupBy(settled.filter(isCounted), ({ page, link, mark }) => JSON.stringify([page, link, mark.profileId]));
  const values = [...groups.values()].flatMap((loads) => {
    if (loads.length < 2) return [];
    const level = mean(loads.map(logEfficiencyOf));
    return loads.map((load) => ({ load, value: logEfficiencyOf(load) - level }));
  });
  return [...groupBy(values, ({ load }) => turnOf(load)).entries()].flatMap(([turn, own]) => {
    const [first] = own.toSorted((a, b) => a.load.mark.slot - b.load.mark.slot || a.load.mark.position - b.load.mark.position);
    if (first === undefined) return [];
    const { block, profileId } = first.load.mark;
    return [{ block, profileId, after: before.get(turn), first: first.value, all: mean(own.map(({ value }) => value)) }];
  });
}

/** A block has one turn of each arm. */
const turnOf = ({ mark }: TrialLoad): string => `${mark.block} ${mark.profileId}`;

function profilesBefore(marked: readonly TrialLoad[]): ReadonlyMap<string, string> {
  const turns = [...groupBy(marked, turnOf).entries()].map(([turn, loads]) => ({ turn, mark: loads[0]?.mark }));
  const inOrder = turns.toSorted((a, b) => (a.mark?.slot ?? 0) - (b.mark?.slot ?? 0));
  return new Map(inOrder.slice(1).map(({ turn }, at) => [turn, inOrder[at]?.mark?.profileId ?? '']));
}

/** Short against drift over hours, long enough that few degrees of freedom go into it. */
const BLOCKS_TOGETHER = 4;

/** Precision of the mixture over the carry-over in spreads of a turn's value: effects of about one spread, as 10 % against 0.11. */
const CARRY_OVER_PRECISION = 1;

interface Suspect {
  readonly after: string;
  readonly ratio: number;
  readonly evidence: number;
  /** Chance of so much in favour of a candidate, if nothing were left behind. */
  readonly flatteredP: number;
}

/**
 * Checks that what a profile leaves behind for the next has worn off before the loads that verdicts rest on (`settledLoads`), however much of a turn
 * it lasts. Turns after another profile's are compared with turns of the same arm after its own (3 in 8 of two arms), or a third one's; the order is
 * drawn. For each arm as the one that leaves something behind there are two answers:
 * - it fails by evidence that a sound trial ever reaches in 1 of 100, of the first load of the turns and of their mean, averaged;
 * - a verdict waits while a candidate may be flattered by it: while the turns after its own do worse, or its own after the baseline's better, by so much
 *   that a sound trial shows it in 1 of 10 looks.
 * Stretches of four blocks are allowed for, so that drift does not drown it.
 */
export function checkCarryOver(turns: readonly TurnValue[], baseline: string): Finding<CarryOverCheck> {
  const followed = turns.filter(({ after }) => after !== undefined);
  const arms = [...new Set(followed.map(({ after = '' }) => after))];
  const suspects = arms.flatMap((after) => suspectOf(followed, { after, baseline, tried: arms.length }) ?? []);
  const worst = suspects.toSorted((a, b) => b.evidence - a.evidence)[0];
  const flattering = suspects.toSorted((a, b) => a.flatteredP - b.flatteredP)[0];
  const found = (outcome: CarryOverCheck['outcome'], shown = worst): Finding<CarryOverCheck> => {
    return { kind: 'carry-over', after: shown?.after, ratio: shown?.ratio, evidence: shown?.evidence, outcome };
  };
  if (worst === undefined || followed.length < CHECKED_TURNS_PER_ARM * Math.max(2, arms.length)) return found('too-early');
  if (worst.evidence >= ALARM_EVIDENCE) return found('failed');
  return (flattering?.flatteredP ?? 1) <= FLATTERED_P ? found('warning', flattering) : found('passed');
}

const togetherOf = ({ block }: TurnValue): number => Math.floor(block / BLOCKS_TOGETHER);

interface Suspicion {
  readonly after: string;
  readonly baseline: string;
  readonly tried: number;
}

function suspectOf(all: readonly TurnValue[], { after, baseline, tried }: Suspicion): Suspect | undefined {
  const turns = all.filter(({ profileId }) => profileId !== after);
  const indicator = turns.map((turn) => (turn.after === after ? 1 : 0));
  const factors = [turns.map(({ profileId }) => profileId), turns.map(togetherOf)];
  const of = (pick: (turn: TurnValue) => number) => absorbedSlope(indicator, turns.map(pick), factors);
  const mean = of((turn) => turn.all);
  const first = of((turn) => turn.first);
  if (mean === undefined || first === undefined) return undefined;
  const [meanEvidence, firstEvidence] = [evidenceOf(mean), evidenceOf(first)];
  const t = ((after === baseline ? 1 : -1) * mean.slope) / mean.standardError;
  const twoSided = studentTTwoSided(t, mean.degreesOfFreedom);
  return {
    after,
    ratio: Math.exp((meanEvidence >= firstEvidence ? mean : first).slope),
    evidence: (meanEvidence + firstEvidence) / 2 / tried,
    flatteredP: (t > 0 ? twoSided / 2 : 1 - twoSided / 2) * tried,
  };
}

function evidenceOf({ slope, standardError, degreesOfFreedom, information }: Slope): number {
  const design = { effectiveCount: information, degreesOfFreedom, precision: CARRY_OVER_PRECISION };
  return Math.exp(sequentialTLogEvidence(slope / standardError, design) ?? 0);
}

/** The slope of y on x when the effects of factors have been taken out of both (Frisch & Waugh 1933). */
interface Slope {
  readonly slope: number;
  readonly standardError: number;
  readonly degreesOfFreedom: number;
  /** The sum of squares that is left of x: the slope's variance is that of y over it. */
  readonly information: number;
}

/** `undefined`: x is a function of the factors, y is without noise, or there are too few values. */
function absorbedSlope(x: readonly number[], y: readonly number[], factors: readonly (readonly (string | number)[])[]): Slope | undefined {
  const values = new Float64Array(2 * x.length);
  x.forEach((value, at) => {
    values[2 * at] = value;
    values[2 * at + 1] = y[at] ?? 0;
  });
  const absorbed = factors.map(factorOf);
  absorbEffects({ values, width: 2 }, absorbed);
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (let at = 0; at < values.length; at += 2) {
    const [a, b] = [values[at] as number, values[at + 1] as number];
    xx += a * a;
    xy += a * b;
    yy += b * b;
  }
  const parameters = absorbed.reduce((sum, { count }) => sum + count - 1, 1);
  const degreesOfFreedom = x.length - parameters - 1;
  const squares = yy - (xy * xy) / xx;
  if (degreesOfFreedom <= 0 || xx <= NOTHING_LEFT * x.length || !(squares > NOTHING_LEFT)) return undefined;
  return { slope: xy / xx, standardError: Math.sqrt(squares / degreesOfFreedom / xx), degreesOfFreedom, information: xx };
}

/** Below it a sum of squares is rounding: indicators and log ratios are of the order of 1. */
const NOTHING_LEFT = 1e-9;
