/** The candidates compared with the baseline on the loads of one stage. */
import { compareProfiles } from '../compare/compare-profiles.ts';
import type { ComparedProfile } from '../compare/compared-profile.ts';
import type { Comparison } from '../compare/comparison.ts';
import { FEWEST_BLOCKS } from '../compare/thresholds.ts';
import { PlumbfoxError } from '../errors.ts';
import { HARM_ALPHA, HARM_BLOCKS, HARMFUL_CHANGE } from './trial-defaults.ts';
import type { TrialLoad } from './trial-load.ts';
import { blocksPlanned, type TrialPlan } from './trial-plan.ts';
import type { ArmFinding } from './trial-state.ts';

export interface StageFindings {
  readonly findings: readonly ArmFinding[];
  /** Of the candidates that are better, the one the comparison recommends (`recommend`). */
  readonly recommended: string | undefined;
  /** What the gateway does by itself, in a sentence; `undefined`: there is no control. */
  readonly control?: string | undefined;
}

export interface StageTerms {
  readonly plan: TrialPlan;
  /** With the baseline; loads of others are left out. */
  readonly arms: readonly string[];
  /** Blocks at which most of alpha is spent, known before the first load of the stage; `undefined`: every look is worth the same. */
  readonly plannedBlocks: number | undefined;
}

/**
 * By `compareProfiles`, with its rule of the control; adjusted for page and block and valid at every look, at the plan's alpha for all candidates
 * together.
 *
 * @param loads that findings rest on (`settledLoads`).
 */
export function armFindings(loads: readonly TrialLoad[], terms: StageTerms): StageFindings {
  const { plan, arms } = terms;
  const profiles = plan.profiles.filter(({ id }) => arms.includes(id));
  const { baseline, alpha } = plan;
  const compared = comparedAt(loads, { ...terms, profiles, alpha });
  const { control } = compared;
  const alone = control?.used ? withTheGateway(loads, { ...terms, profiles, compared }) : compared;
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

/**
 * On fresh loads, most of alpha being spent at the planned end: `blocksPlanned`, or where the loads are used up before, as when a slot by time had
 * more of them than expected. What was found there stands: a check may have held it back, and the loads that came since are looked at with
 * the rest of alpha.
 */
export function confirmingFindings(
  loads: readonly TrialLoad[],
  { plan, arms, isUsedUp }: Pick<StageTerms, 'plan' | 'arms'> & { readonly isUsedUp: boolean },
): StageFindings {
  const blocks = sharedBlocks(loads, arms);
  const plannedBlocks = isUsedUp ? Math.max(1, Math.min(blocks.length, blocksPlanned(plan))) : blocksPlanned(plan);
  const terms = { plan, arms, plannedBlocks };
  const last = blocks[plannedBlocks - 1];
  if (last !== undefined && blocks.length > plannedBlocks) {
    const planned = armFindings(
      loads.filter(({ block }) => block <= last),
      terms,
    );
    if (planned.findings.some(({ finding }) => finding !== 'undecided')) return planned;
  }
  return armFindings(loads, terms);
}

/** Blocks in which every arm has a load, in their order. */
function sharedBlocks(loads: readonly TrialLoad[], arms: readonly string[]): readonly number[] {
  const seen = new Map<number, Set<string>>();
  for (const { block, profileId } of loads) seen.set(block, (seen.get(block) ?? new Set()).add(profileId));
  return [...seen].flatMap(([block, own]) => (arms.every((id) => own.has(id)) ? [block] : [])).sort((a, b) => a - b);
}

const isCandidate =
  (baseline: string) =>
  ({ id, role }: ComparedProfile): boolean =>
    id !== baseline && role !== 'control';

interface Compared extends Pick<StageTerms, 'plan' | 'plannedBlocks'> {
  readonly profiles: readonly ComparedProfile[];
}

function comparedAt(
  loads: readonly TrialLoad[],
  { plan, profiles, plannedBlocks, alpha }: Compared & { readonly alpha: number },
): Comparison {
  const common = { baseline: plan.baseline, profiles, alpha, estimate: 'adjusted' } as const;
  return plannedBlocks === undefined
    ? compareProfiles(loads, { ...common, looks: 'any', plannedPairs: blocksPlanned(plan) })
    : compareProfiles(loads, { ...common, looks: 'planned', plannedPairs: plannedBlocks });
}

/**
 * Candidates that are much less efficient than the baseline, and surely less: one-sided, with an alpha of its own (`HARM_ALPHA`), from the third
 * block on. It ends an arm before the planned end, and says nothing else.
 */
export function harmfulArms(loads: readonly TrialLoad[], { plan, arms }: Pick<StageTerms, 'plan' | 'arms'>): readonly ArmFinding[] {
  if (new Set(loads.map(({ block }) => block)).size < FEWEST_BLOCKS) return [];
  const profiles = plan.profiles.filter(({ id }) => arms.includes(id)).map(asCandidate);
  const { baseline } = plan;
  const options = { baseline, profiles, alpha: 2 * HARM_ALPHA, estimate: 'adjusted', looks: 'any', plannedPairs: HARM_BLOCKS } as const;
  const { profiles: compared } = compareProfiles(loads, options);
  const own = (id: string) => compared.find((profile) => profile.id === id)?.loads ?? 0;
  return plan.profiles.filter(isCandidate(baseline)).flatMap(({ id: profileId }): ArmFinding[] => {
    const versus = compared.find(({ id }) => id === profileId)?.versusBaseline;
    const { ratio, low, high } = versus ?? {};
    const found: ArmFinding = { profileId, ratio, low, high, finding: 'worse', loads: own(profileId), baselineLoads: own(baseline) };
    return high !== undefined && high < 1 && looksHarmful(found) ? [found] : [];
  });
}

/** Less efficient than the baseline by `HARMFUL_CHANGE` or more; how sure that is, is not asked. */
export const looksHarmful = ({ ratio, gain }: ArmFinding): boolean => (gain ?? ratio ?? 1) <= 1 - HARMFUL_CHANGE;

/** What a person loses counts, whosever doing it is. */
const asCandidate = (profile: ComparedProfile): ComparedProfile =>
  profile.role === 'control' ? { ...profile, role: 'candidate' } : profile;

/**
 * Every profile against the baseline, whatever the gateway does by itself. Each interval has the level that it has in `compared`, whose number of
 * intervals counts these too.
 */
function withTheGateway(loads: readonly TrialLoad[], { compared, ...terms }: Compared & { readonly compared: Comparison }): Comparison {
  const all = terms.profiles.map(asCandidate);
  return comparedAt(loads, { ...terms, profiles: all, alpha: (terms.plan.alpha * (all.length - 1)) / compared.method.intervals });
}

type Figures = Pick<ArmFinding, 'ratio' | 'low' | 'high' | 'finding'> & { readonly against: string };

function figuresOf({ profiles }: Comparison, profileId: string, plan: TrialPlan): Figures | undefined {
  const versus = profiles.find(({ id }) => id === profileId)?.versusBaseline;
  if (versus === undefined) return undefined;
  const { ratio, low, high, against, pairs } = versus;
  const finding = pairs < FEWEST_BLOCKS ? 'undecided' : findingOf({ ratio, low, high }, plan.meaningfulChange);
  return { ratio, low, high, against, finding };
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
