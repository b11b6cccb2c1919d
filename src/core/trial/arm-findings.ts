/** The candidates compared with the baseline on the loads of one stage. */
import { compareProfiles } from '../compare/compare-profiles.ts';
import type { TrialLoad } from './trial-load.ts';
import { loadsPerSlot, type TrialPlan } from './trial-plan.ts';
import type { ArmFinding } from './trial-state.ts';

export interface StageFindings {
  readonly findings: readonly ArmFinding[];
  /** Of the candidates that are better, the one the comparison recommends (`recommend`). */
  readonly recommended: string | undefined;
}

/**
 * By `compareProfiles`, adjusted for page and block and valid at every look, at the plan's alpha for all candidates together. The planned
 * number of blocks is known before the first load, so the interval is made to be shortest there.
 *
 * @param arms with the baseline; loads of others are left out.
 */
export function armFindings(loads: readonly TrialLoad[], plan: TrialPlan, arms: readonly string[]): StageFindings {
  const profiles = plan.profiles.filter(({ id }) => arms.includes(id));
  const { slots, baseline, alpha, plannedLoadsPerArm } = plan;
  const plannedPairs = Math.max(1, Math.round(plannedLoadsPerArm / loadsPerSlot(slots)));
  const compared = compareProfiles(loads, { baseline, profiles, alpha, estimate: 'adjusted', looks: 'any', plannedPairs });
  const loadsOf = (id: string) => compared.profiles.find((profile) => profile.id === id)?.loads ?? 0;
  const findings = compared.profiles
    .filter(({ id }) => id !== baseline)
    .map(({ id, versusBaseline: { ratio, low, high } }) => ({
      profileId: id,
      ratio,
      low,
      high,
      finding: findingOf({ ratio, low, high }, plan.meaningfulChange),
      loads: loadsOf(id),
      baselineLoads: loadsOf(baseline),
    }));
  const { state, profileId } = compared.recommendation;
  const isBetter = findings.some((finding) => finding.profileId === profileId && finding.finding === 'better');
  return { findings, recommended: state === 'recommended' && profileId !== null && isBetter ? profileId : bestBetter(findings) };
}

/** Better or worse only if the interval excludes no change and the change means something (design: from loads to a recommendation). */
function findingOf({ ratio, low, high }: Pick<ArmFinding, 'ratio' | 'low' | 'high'>, meaningful: number): ArmFinding['finding'] {
  if (ratio === undefined || low === undefined || high === undefined) return 'undecided';
  if (low > 1 && ratio - 1 >= meaningful) return 'better';
  if (high < 1 && 1 - ratio >= meaningful) return 'worse';
  return low >= 1 - meaningful && high <= 1 + meaningful ? 'no-meaningful-difference' : 'undecided';
}

function bestBetter(findings: readonly ArmFinding[]): string | undefined {
  return byRatio(findings.filter(({ finding }) => finding === 'better'))[0]?.profileId;
}

/** The most efficient first; those without a figure last. */
export function byRatio(findings: readonly ArmFinding[]): readonly ArmFinding[] {
  return [...findings].sort((a, b) => (b.ratio ?? 0) - (a.ratio ?? 0));
}
