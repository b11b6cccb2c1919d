/** The check on one value per slot: whether what a profile leaves behind lasts too long. */

import { factorOf } from '../compare/adjusted-fit.ts';
import { groupBy } from '../group-by.ts';
import { sequentialTLogEvidence } from '../stats/confidence-sequence.ts';
import { absorbEffects } from '../stats/least-squares.ts';
import { mean } from '../stats/mean.ts';
import { isCounted, logEfficiencyOf, type TrialLoad } from './stage-loads.ts';
import { ALARM_EVIDENCE, CHECKED_SLOTS_PER_ARM, WARNING_EVIDENCE } from './trial-defaults.ts';
import type { CarryOverCheck, Finding } from './trial-state.ts';

/** One value per slot: how efficient its loads were against other loads of the same pages by the same profile. */
export interface SlotValue {
  readonly slot: number;
  readonly block: number;
  readonly profileId: string;
  /** Profile of the slot before, whether its loads count or not; `undefined`: there is none. */
  readonly after: string | undefined;
  /** Log efficiency less the mean of its page, link and profile: of the first counted load, and over all of the slot. */
  readonly first: number;
  readonly all: number;
}

/**
 * In the order of the slots. Pages that were loaded once by a profile say nothing. Profiles are kept apart, as pages gain differently: for who
 * loads the same pages in the same order, a turn's second slot has others than its first, and their gains would look like a carry-over. Of 100
 * simulated trials 39 to 67 failed so, and one in Firefox.
 */
export function slotValues(marked: readonly TrialLoad[]): readonly SlotValue[] {
  const before = profilesBefore(marked);
  const counted = marked.filter(isCounted);
  const groups = groupBy(counted, ({ page, link, mark }) => JSON.stringify([page, link, mark.profileId]));
  const values = [...groups.values()].flatMap((loads) => {
    if (loads.length < 2) return [];
    const level = mean(loads.map(logEfficiencyOf));
    return loads.map((load) => ({ load, value: logEfficiencyOf(load) - level }));
  });
  const slots = groupBy(values, ({ load }) => load.mark.slot);
  return [...slots.entries()]
    .sort(([a], [b]) => a - b)
    .flatMap(([slot, own]) => {
      const [first] = own.toSorted((a, b) => a.load.mark.position - b.load.mark.position || a.load.startedAt - b.load.startedAt);
      if (first === undefined) return [];
      const { block, profileId } = first.load.mark;
      return [{ slot, block, profileId, after: before.get(slot), first: first.value, all: mean(own.map(({ value }) => value)) }];
    });
}

function profilesBefore(marked: readonly TrialLoad[]): ReadonlyMap<number, string> {
  const profiles = new Map(marked.map(({ mark }) => [mark.slot, mark.profileId]));
  const slots = [...profiles.keys()].sort((a, b) => a - b);
  return new Map(slots.slice(1).flatMap((slot, at) => [[slot, profiles.get(slots[at] ?? -1) ?? '']]));
}

/** Short against drift over hours, long enough that few degrees of freedom go into it. */
const BLOCKS_TOGETHER = 4;

/** Precision of the mixture over the carry-over in spreads of a slot's value: effects of about one spread, as 10 % against 0.11. */
const CARRY_OVER_PRECISION = 1;

interface Suspect {
  readonly after: string;
  readonly ratio: number;
  readonly evidence: number;
}

/**
 * Checks that what a profile leaves behind for the next has worn off within a slot, as verdicts assume (`settledLoads`). Slots of the same arm
 * are compared by which arm ran before the slot in which it wears off; turns are in random order, so that is as good as drawn. The first
 * counted load of each slot (what wears off soon) and the mean of the slot (what does not) are each tested; their evidence is averaged, and
 * divided by the number of arms that are tried as the one that leaves something behind. Stretches of four blocks are allowed for, so that
 * drift does not drown it. It does not see everything: what lasts longer and is small, or comes late, may pass.
 */
export function checkCarryOver(slots: readonly SlotValue[]): Finding<CarryOverCheck> {
  const followed = slots.filter(({ after }) => after !== undefined);
  const arms = [...new Set(followed.map(({ after = '' }) => after))];
  // Of two arms one is enough: a slot that does not follow the one follows the other.
  const tried = arms.length === 2 ? arms.slice(0, 1) : arms;
  const suspects = tried.flatMap((after) => suspectOf(followed, after, tried.length) ?? []);
  const worst = suspects.toSorted((a, b) => b.evidence - a.evidence)[0];
  const found = (outcome: CarryOverCheck['outcome']): Finding<CarryOverCheck> => {
    return { kind: 'carry-over', after: worst?.after, ratio: worst?.ratio, evidence: worst?.evidence, outcome };
  };
  if (worst === undefined || followed.length < CHECKED_SLOTS_PER_ARM * Math.max(2, arms.length)) return found('too-early');
  if (worst.evidence >= ALARM_EVIDENCE) return found('failed');
  return found(worst.evidence >= WARNING_EVIDENCE ? 'warning' : 'passed');
}

const togetherOf = ({ block }: SlotValue): number => Math.floor(block / BLOCKS_TOGETHER);

function suspectOf(slots: readonly SlotValue[], after: string, tried: number): Suspect | undefined {
  const indicator = slots.map((slot) => (slot.after === after ? 1 : 0));
  const factors = [slots.map(({ profileId }) => profileId), slots.map(togetherOf)];
  const of = (pick: (slot: SlotValue) => number) => absorbedSlope(indicator, slots.map(pick), factors);
  const all = of((slot) => slot.all);
  const first = of((slot) => slot.first);
  if (all === undefined || first === undefined) return undefined;
  const [allEvidence, firstEvidence] = [evidenceOf(all), evidenceOf(first)];
  const shown = allEvidence >= firstEvidence ? all : first;
  return { after, ratio: Math.exp(shown.slope), evidence: (allEvidence + firstEvidence) / 2 / tried };
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
