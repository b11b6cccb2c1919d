/** The findings of a trial's checks in sentences. */
import { assertNever } from '../errors.ts';
import { type CoreLanguage, IN_ENGLISH, speedComparison } from '../text/figures.ts';
import { armLabel, armNumber } from '../text/profile-name.ts';
import { CHECKED_LOADS_PER_ARM, MAX_NOT_IN_EFFECT_SHARE, MIN_NOT_IN_EFFECT } from './trial-defaults.ts';
import type { CarryOverCheck, Finding, LostLoadsCheck, NotInEffectCheck, SampleRatioCheck, TrialCheck } from './trial-state.ts';

type Outcome = TrialCheck['outcome'];

/** What a check has found, in a language. */
export function checkSentence(found: Finding<TrialCheck>, language: CoreLanguage = IN_ENGLISH): string {
  switch (found.kind) {
    case 'sample-ratio':
      return sampleRatioSentence(found.arms, found.outcome, language);
    case 'lost-loads':
      return lostLoadsSentence(found.arms, found.outcome, language);
    case 'not-in-effect':
      return notInEffectSentence(found, language);
    case 'carry-over':
      return carryOverSentence(found, language);
    default:
      return assertNever(found);
  }
}

function sampleRatioSentence(found: SampleRatioCheck['arms'], outcome: Outcome, language: CoreLanguage): string {
  const { text } = language;
  const [worst] = found.toSorted((a, b) => b.expected - b.usable - (a.expected - a.usable));
  if (worst === undefined || outcome === 'passed') return text('check.share.passed');
  if (outcome === 'too-early') return tooEarly(text('check.tooEarly.share'), language);
  return text('check.share', {
    settings: armLabel(worst.profileId, language),
    count: armNumber(worst.profileId),
    usable: text('check.usable', { count: worst.usable }),
    expected: Math.round(worst.expected),
    so: text(outcome === 'failed' ? 'check.notChance.share' : 'check.maybeChance'),
  });
}

function lostLoadsSentence(found: LostLoadsCheck['arms'], outcome: Outcome, language: CoreLanguage): string {
  const { text } = language;
  const [worst] = found.toSorted((a, b) => lostShare(b) - lostShare(a));
  if (worst === undefined || outcome === 'passed') return text('check.lost.passed');
  if (outcome === 'too-early') return tooEarly(text('check.tooEarly.lost'), language);
  const others = found.filter((arm) => arm !== worst);
  const lostOthers = others.reduce((sum, { lost }) => sum + lost, 0);
  const attemptedOthers = others.reduce((sum, { attempted }) => sum + attempted, 0);
  return text('check.lost', {
    lost: worst.lost,
    count: worst.attempted,
    settings: armLabel(worst.profileId, language),
    elsewhere: attemptedOthers === 0 ? '' : text('check.lost.elsewhere', { share: lostOthers / attemptedOthers }),
    so: text(outcome === 'failed' ? 'check.notChance' : 'check.maybeChance'),
  });
}

function lostShare({ lost, attempted }: { readonly lost: number; readonly attempted: number }): number {
  return attempted === 0 ? 0 : lost / attempted;
}

const tooEarly = (what: string, { text }: CoreLanguage): string => text('check.tooEarly', { loads: CHECKED_LOADS_PER_ARM, what });

type ArmInEffect = NotInEffectCheck['arms'][number];

/** Whether that is so often that the arm is not what it is called. */
export const isOftenNotInEffect = ({ recorded, mismatched }: ArmInEffect): boolean =>
  mismatched >= MIN_NOT_IN_EFFECT && mismatched > recorded * MAX_NOT_IN_EFFECT_SHARE;

function notInEffectSentence({ arms }: Finding<NotInEffectCheck>, language: CoreLanguage): string {
  const { text } = language;
  const worst = arms.find(isOftenNotInEffect) ?? arms.toSorted((a, b) => b.mismatched - a.mismatched)[0];
  if (worst === undefined || worst.mismatched === 0) return text('check.inEffect.passed');
  return text('check.inEffect', {
    settings: armLabel(worst.profileId, language),
    count: armNumber(worst.profileId),
    mismatched: worst.mismatched,
    loads: text('check.inEffect.loads', { count: worst.recorded }),
    so: text(isOftenNotInEffect(worst) ? 'check.inEffect.often' : 'check.inEffect.few'),
  });
}

function carryOverSentence({ after, ratio, outcome }: Finding<CarryOverCheck>, language: CoreLanguage): string {
  const { text } = language;
  if (outcome === 'passed') return text('check.after.passed');
  if (outcome === 'too-early' || after === undefined || ratio === undefined) return text('check.after.tooEarly');
  return text('check.after', {
    settings: armLabel(after, language),
    speed: speedComparison(ratio, text('check.after.others'), language),
    so: text(outcome === 'failed' ? 'check.after.failed' : 'check.maybeChance'),
  });
}
