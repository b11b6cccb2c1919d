/** The checks that every arm keeps as many of its loads as the others: by what there is of each, and by what is missing. */
import { counted, percent } from '../compare/plain-words.ts';
import { holm } from '../stats/adjust-p-values.ts';
import { binomialTest } from '../stats/binomial-test.ts';
import { type ArmLosses, lossesByArm } from './loss-table.ts';
import { shareEvidence } from './share-evidence.ts';
import { ALARM_EVIDENCE, CHECKED_LOADS_PER_ARM, WARNING_EVIDENCE } from './trial-defaults.ts';
import type { LostLoadsCheck, SampleRatioCheck, TrialCheck } from './trial-state.ts';

type LossTable = readonly (readonly ArmLosses[])[];
type Outcome = TrialCheck['outcome'];

/** @param active arms that still have turns: they need enough loads for the check to vouch for them. */
export function checkSampleRatio(table: LossTable, active: readonly string[]): SampleRatioCheck {
  const arms = lossesByArm(table);
  const usable = arms.reduce((sum, arm) => sum + arm.usable, 0);
  const expected = new Map(arms.map(({ profileId }) => [profileId, expectedUsable(table, profileId)]));
  const adjusted =
    usable === 0 ? [] : holm(arms.map((arm) => binomialTest(arm.usable, usable, shareOf(expected.get(arm.profileId), usable)).p));
  const found = arms.map((arm, at) => ({
    profileId: arm.profileId,
    usable: arm.usable,
    attempted: arm.attempted,
    expected: expected.get(arm.profileId) ?? 0,
    adjustedP: adjusted[at] ?? 1,
    evidence: evidenceOf(table, arm.profileId, ({ usable: count }) => count) / arms.length,
  }));
  const outcome = outcomeOf(found, { arms, active });
  return { kind: 'sample-ratio', arms: found, outcome, sentence: sampleRatioSentence(found, outcome) };
}

export function checkLostLoads(table: LossTable, active: readonly string[]): LostLoadsCheck {
  const arms = lossesByArm(table);
  const found = arms.map((arm) => ({ ...arm, evidence: evidenceOf(table, arm.profileId, ({ lost }) => lost) / arms.length }));
  const outcome = outcomeOf(found, { arms, active });
  return { kind: 'lost-loads', arms: found, outcome, sentence: lostLoadsSentence(found, outcome) };
}

/** Of one arm among k the evidence is divided by k: then any of them raises a false alarm as seldom as one alone would. */
function evidenceOf(table: LossTable, profileId: string, countOf: (arm: ArmLosses) => number): number {
  return shareEvidence(
    table.flatMap((stretch) => {
      const own = stretch.find((arm) => arm.profileId === profileId);
      const attempted = stretch.reduce((sum, arm) => sum + arm.attempted, 0);
      if (own === undefined || attempted === 0) return [];
      return [{ own: countOf(own), total: stretch.reduce((sum, arm) => sum + countOf(arm), 0), share: own.attempted / attempted }];
    }),
  );
}

/** Usable loads of the arm if each kept as many of its attempts as the others in the same stretch. */
function expectedUsable(table: LossTable, profileId: string): number {
  return table.reduce((sum, stretch) => {
    const attempted = stretch.reduce((total, arm) => total + arm.attempted, 0);
    const usable = stretch.reduce((total, arm) => total + arm.usable, 0);
    const own = stretch.find((arm) => arm.profileId === profileId)?.attempted ?? 0;
    return attempted === 0 ? sum : sum + (usable * own) / attempted;
  }, 0);
}

/** Sums of shares of counts may be off 1 by rounding. */
function shareOf(expected: number | undefined, usable: number): number {
  return Math.min(1, Math.max(0, (expected ?? 0) / usable));
}

function outcomeOf(
  found: readonly { readonly evidence: number }[],
  { arms, active }: { readonly arms: readonly ArmLosses[]; readonly active: readonly string[] },
): Outcome {
  const most = Math.max(0, ...found.map(({ evidence }) => evidence));
  if (most >= ALARM_EVIDENCE) return 'failed';
  const enough = active.every((id) => (arms.find(({ profileId }) => profileId === id)?.attempted ?? 0) >= CHECKED_LOADS_PER_ARM);
  if (!enough) return 'too-early';
  return most >= WARNING_EVIDENCE ? 'warning' : 'passed';
}

function worstOf<T extends { readonly evidence: number }>(found: readonly T[]): T | undefined {
  return [...found].sort((a, b) => b.evidence - a.evidence)[0];
}

function sampleRatioSentence(found: SampleRatioCheck['arms'], outcome: Outcome): string {
  const worst = worstOf(found);
  if (worst === undefined || outcome === 'passed') return 'Every profile has its share of the loads.';
  const counts = `${worst.profileId} has ${counted(worst.usable, 'usable load')} where about ${Math.round(worst.expected)} were to be expected`;
  switch (outcome) {
    case 'failed':
      return `${counts}: that is not chance, so the loads that are there may not be like those that are missing.`;
    case 'warning':
      return `${counts}: that may be chance.`;
    case 'too-early':
      return tooEarly('whether every profile has its share of the loads');
  }
}

function lostLoadsSentence(found: LostLoadsCheck['arms'], outcome: Outcome): string {
  const worst = worstOf(found);
  if (worst === undefined || outcome === 'passed') return 'No profile loses more of its loads than the others.';
  const others = found.filter((arm) => arm !== worst);
  const lostOthers = others.reduce((sum, { lost }) => sum + lost, 0);
  const attemptedOthers = others.reduce((sum, { attempted }) => sum + attempted, 0);
  const elsewhere = attemptedOthers === 0 ? '' : `, where the others lost ${percent(lostOthers / attemptedOthers)}`;
  const counts = `${worst.lost} of the ${counted(worst.attempted, 'load')} of ${worst.profileId} are missing or cannot be used${elsewhere}`;
  switch (outcome) {
    case 'failed':
      return `${counts}: that is not chance.`;
    case 'warning':
      return `${counts}: that may be chance.`;
    case 'too-early':
      return tooEarly('whether a profile loses its loads');
  }
}

function tooEarly(what: string): string {
  return `It takes ${CHECKED_LOADS_PER_ARM} loads of each profile to tell ${what}.`;
}
