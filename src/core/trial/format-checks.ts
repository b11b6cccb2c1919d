/** The findings of a trial's checks in sentences. */
import { assertNever } from '../errors.ts';
import { counted, formatRange, formatSpeed, percent, speedComparison } from '../text/figures.ts';
import { armLabel, armWith } from './format-trial.ts';
import { CHECKED_LOADS_PER_ARM, MAX_NOT_IN_EFFECT_SHARE, MIN_NOT_IN_EFFECT } from './trial-defaults.ts';
import type { CarryOverCheck, DriftCheck, Finding, LostLoadsCheck, NotInEffectCheck, SampleRatioCheck, TrialCheck } from './trial-state.ts';

type Outcome = TrialCheck['outcome'];

/** What a check has found, in one sentence. */
export function checkSentence(found: Finding<TrialCheck>): string {
  switch (found.kind) {
    case 'sample-ratio':
      return sampleRatioSentence(found.arms, found.outcome);
    case 'lost-loads':
      return lostLoadsSentence(found.arms, found.outcome);
    case 'not-in-effect':
      return notInEffectSentence(found);
    case 'carry-over':
      return carryOverSentence(found);
    case 'drift':
      return driftSentence(found);
    default:
      return assertNever(found);
  }
}

function sampleRatioSentence(found: SampleRatioCheck['arms'], outcome: Outcome): string {
  const [worst] = found.toSorted((a, b) => b.expected - b.usable - (a.expected - a.usable));
  if (worst === undefined || outcome === 'passed') return 'Every profile has its share of the loads.';
  const counts = `${armWith(worst.profileId, 'has')} ${counted(worst.usable, 'usable load')} where about ${Math.round(worst.expected)} were to be expected`;
  switch (outcome) {
    case 'failed':
      return `${counts}: that is not chance, so the loads that are there may not be like those that are missing.`;
    case 'warning':
      return `${counts}: that may be chance, so a verdict waits.`;
    case 'too-early':
      return tooEarly('whether every profile has its share of the loads');
  }
}

function lostLoadsSentence(found: LostLoadsCheck['arms'], outcome: Outcome): string {
  const [worst] = found.toSorted((a, b) => lostShare(b) - lostShare(a));
  if (worst === undefined || outcome === 'passed') return 'No profile loses more of its loads than the others.';
  const others = found.filter((arm) => arm !== worst);
  const lostOthers = others.reduce((sum, { lost }) => sum + lost, 0);
  const attemptedOthers = others.reduce((sum, { attempted }) => sum + attempted, 0);
  const elsewhere = attemptedOthers === 0 ? '' : `, where the others lost ${percent(lostOthers / attemptedOthers)}`;
  const counts = `${worst.lost} of the ${counted(worst.attempted, 'load')} with ${armLabel(worst.profileId)} are missing or cannot be used${elsewhere}`;
  switch (outcome) {
    case 'failed':
      return `${counts}: that is not chance.`;
    case 'warning':
      return `${counts}: that may be chance, so a verdict waits.`;
    case 'too-early':
      return tooEarly('whether a profile loses its loads');
  }
}

function lostShare({ lost, attempted }: { readonly lost: number; readonly attempted: number }): number {
  return attempted === 0 ? 0 : lost / attempted;
}

function tooEarly(what: string): string {
  return `It takes ${CHECKED_LOADS_PER_ARM} loads of each profile to tell ${what}.`;
}

type ArmInEffect = NotInEffectCheck['arms'][number];

/** Whether that is so often that the arm is not what it is called. */
export const isOftenNotInEffect = ({ recorded, mismatched }: ArmInEffect): boolean =>
  mismatched >= MIN_NOT_IN_EFFECT && mismatched > recorded * MAX_NOT_IN_EFFECT_SHARE;

function notInEffectSentence({ arms }: Finding<NotInEffectCheck>): string {
  const worst = arms.find(isOftenNotInEffect) ?? arms.toSorted((a, b) => b.mismatched - a.mismatched)[0];
  if (worst === undefined || worst.mismatched === 0) return 'Every profile was in effect in its loads.';
  const counts = `${armWith(worst.profileId, 'was')} not in effect in ${worst.mismatched} of ${counted(worst.recorded, 'load')}`;
  return isOftenNotInEffect(worst) ? `${counts}: something else sets the same preferences.` : `${counts}, which do not count.`;
}

function carryOverSentence({ after, ratio, outcome }: Finding<CarryOverCheck>): string {
  if (outcome === 'passed') return 'There is no sign that after-effects of a profile last longer than a slot.';
  if (outcome === 'too-early' || after === undefined || ratio === undefined)
    return 'It takes more slots to tell whether after-effects of a profile wear off within a slot.';
  const found = `Loads more than a slot after ${armLabel(after)} were ${speedComparison(ratio, 'those after other profiles')}`;
  return outcome === 'failed'
    ? `${found}: after-effects of a profile last longer than the trial allows.`
    : `${found}: that may be chance, so a verdict waits.`;
}

function driftSentence({ perHour, low, high, outcome }: Finding<DriftCheck>): string {
  if (outcome === 'passed') return 'There is no sign that page loads get faster or slower with time.';
  if (perHour === undefined || low === undefined || high === undefined)
    return 'It takes more slots to tell whether page loads get faster or slower with time.';
  const change = `${formatSpeed(1 + perHour)} per hour (${formatRange(1 + low, 1 + high)})`;
  return `All profiles together get ${change}; profiles are compared within blocks, so it favours none.`;
}
