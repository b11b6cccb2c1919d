/**
 * The check that what a profile leaves behind for the next has worn off within a slot, as verdicts take for granted (`settled-loads.ts`): what
 * is compared is slots of the same arm, by which arm ran before the slot that let it wear off. Turns are in random order, so that is as good
 * as drawn. The first counted load of each slot (what wears off soon) and the mean of the slot (what does not) are each tested; their evidence
 * is averaged, and divided by the number of arms that are tried as the one that leaves something behind. Stretches of four blocks are
 * allowed for, so that drift does not drown it.
 *
 * It does not see everything: what lasts longer and is small, or comes late, may pass. While it has failed there is no verdict.
 */

import { sequentialTLogEvidence } from '../stats/confidence-sequence.ts';
import { speedComparison } from '../text/figures.ts';
import { absorbedSlope, type Slope } from './absorbed-slope.ts';
import { armName } from './arm-name.ts';
import type { SlotValue } from './slot-values.ts';
import { ALARM_EVIDENCE, CHECKED_SLOTS_PER_ARM, WARNING_EVIDENCE } from './trial-defaults.ts';
import type { CarryOverCheck } from './trial-state.ts';

/** Our own choice: short against drift over hours, long enough that few degrees of freedom go into it. */
const BLOCKS_TOGETHER = 4;

/** Precision of the mixture over the carry-over in spreads of a slot's value: effects of about one spread, as 10 % against 0.11. */
const CARRY_OVER_PRECISION = 1;

interface Suspect {
  readonly after: string;
  readonly ratio: number;
  readonly evidence: number;
}

export function checkCarryOver(slots: readonly SlotValue[]): CarryOverCheck {
  const followed = slots.filter(({ after }) => after !== undefined);
  const arms = [...new Set(followed.map(({ after = '' }) => after))];
  // Of two arms, what comes after the one is what does not come after the other.
  const tried = arms.length === 2 ? arms.slice(0, 1) : arms;
  const suspects = tried.flatMap((after) => suspectOf(followed, after, tried.length) ?? []);
  const worst = suspects.toSorted((a, b) => b.evidence - a.evidence)[0];
  const said = (outcome: CarryOverCheck['outcome'], sentence: string): CarryOverCheck => {
    return { kind: 'carry-over', after: worst?.after, ratio: worst?.ratio, evidence: worst?.evidence, outcome, sentence };
  };
  if (worst === undefined || followed.length < CHECKED_SLOTS_PER_ARM * Math.max(2, arms.length)) {
    return said('too-early', 'It takes more slots to tell whether what a profile leaves behind for the next wears off within a slot.');
  }
  const found = `Loads more than a slot after ${armName(worst.after)} were ${speedComparison(worst.ratio, 'those after other profiles')}`;
  if (worst.evidence >= ALARM_EVIDENCE)
    return said('failed', `${found}: what a profile leaves behind lasts longer than the trial allows for.`);
  if (worst.evidence >= WARNING_EVIDENCE) return said('warning', `${found}: that may be chance, so a verdict waits.`);
  return said('passed', 'What a profile leaves behind for the next is not seen to last longer than a slot.');
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
