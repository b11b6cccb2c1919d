/** The candidates compared with the baseline on the loads of one stage. */
import { compareProfiles } from '../compare/compare-profiles.ts';
import type { ComparedProfile } from '../compare/compared-profile.ts';
import type { Comparison } from '../compare/comparison.ts';
import { PlumbfoxError } from '../errors.ts';
import type { TrialLoad } from './trial-load.ts';
import { loadsPerSlot, type TrialPlan } from './trial-plan.ts';
import type { ArmFinding } from './trial-state.ts';

export interface StageFindings {
  readonly findings: readonly ArmFinding[];
  /** Of the candidates that are better, the one the comparison recommends (`recommend`). */
  readonly recommended: string | undefined;
  /** What the gateway does by itself, in a sentence; `undefined`: there is no control. */
  readonly control?: string | undefined;
}

/**
 * By `compareProfiles`, with its rule of the control; adjusted for page and block and valid at every look, at the plan's alpha for all candidates together. The planned
 * number of blocks is known before the first load, so the interval is made to be shortest there.
 *
 * @param arms with the baseline; loads of others are left out.
 */
export function armFindings(loads: readonly TrialLoad[], plan: TrialPlan, arms: readonly string[]): StageFindings {
  const profiles = plan.profiles.filter(({ id }) => arms.includes(id));
  const { baseline, alpha } = plan;
  const compared = comparedAt(loads, { plan, profiles, alpha });
  const { control } = compared;
  const alone = control?.used ? withTheGateway(loads, { plan, profiles, compared }) : compared;
  const loadsOf = (id: string) => compared.profiles.find((profile) => profile.id === id)?.loads ?? 0;
  const findings = profiles.filter(isCandidate(baseline)).map(({ id: profileId, carrier }): ArmFinding => {
    const [shown, gain] = [compared, alone].map((one) => figuresOf(one, profileId, plan));
    if (shown === undefined || gain === undefined) throw new PlumbfoxError('internal', `${profileId} was not compared`);
    const isOpen = carrier === 'gateway' && control !== undefined && control.ratio === undefined;
    const { against, ...decisive } = severity(gain) > severity(shown) ? gain : shown;
    return {
      profileId,
      ...decisive,
      ...(isOpen && { finding: 'undecided' }),
      ...(against !== baseline && { against, gain: gain.ratio }),
      loads: loadsOf(profileId),
      baselineLoads: loadsOf(against),
    };
  });
  const { state, profileId } = compared.recommendation;
  const isBetter = findings.some((finding) => finding.profileId === profileId && finding.finding === 'better');
  const recommended = state === 'recommended' && profileId !== null && isBetter ? profileId : bestBetter(findings);
  return { findings, recommended, control: control?.sentence };
}

const isCandidate =
  (baseline: string) =>
  ({ id, role }: ComparedProfile): boolean =>
    id !== baseline && role !== 'control';

interface Compared {
  readonly plan: TrialPlan;
  readonly profiles: readonly ComparedProfile[];
}

function comparedAt(loads: readonly TrialLoad[], { plan, profiles, alpha }: Compared & { readonly alpha: number }): Comparison {
  const { slots, baseline, plannedLoadsPerArm } = plan;
  const plannedPairs = Math.max(1, Math.round(plannedLoadsPerArm / loadsPerSlot(slots)));
  return compareProfiles(loads, { baseline, profiles, alpha, estimate: 'adjusted', looks: 'any', plannedPairs });
}

/**
 * Every profile against the baseline, whatever the gateway does by itself. Each interval has the level that it has in `compared`, whose number of
 * intervals counts these too.
 */
function withTheGateway(
  loads: readonly TrialLoad[],
  { plan, profiles, compared }: Compared & { readonly compared: Comparison },
): Comparison {
  const { alpha, intervals } = compared.method;
  const all = profiles.map((profile): ComparedProfile => (profile.role === 'control' ? { ...profile, role: 'candidate' } : profile));
  return comparedAt(loads, { plan, profiles: all, alpha: (alpha * (all.length - 1)) / intervals });
}

type Figures = Pick<ArmFinding, 'ratio' | 'low' | 'high' | 'finding'> & { readonly against: string };

function figuresOf({ profiles }: Comparison, profileId: string, plan: TrialPlan): Figures | undefined {
  const versus = profiles.find(({ id }) => id === profileId)?.versusBaseline;
  if (versus === undefined) return undefined;
  const { ratio, low, high, against } = versus;
  return { ratio, low, high, against, finding: findingOf({ ratio, low, high }, plan.meaningfulChange) };
}

/** A profile is better only if it beats the control, or the gain is the gateway's, and the baseline, or the person gains nothing (`recommend`). */
const severity = ({ finding }: Figures): number => ['better', 'undecided', 'no-meaningful-difference', 'worse'].indexOf(finding);

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

/** The most efficient first, by what a person gains, the gateway's part included; those without a figure last. */
export function byRatio(findings: readonly ArmFinding[]): readonly ArmFinding[] {
  return [...findings].sort((a, b) => (b.gain ?? b.ratio ?? 0) - (a.gain ?? a.ratio ?? 0));
}
