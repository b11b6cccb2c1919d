/** The candidates compared with the baseline on the loads of one stage, by the findings and the one rule of recommendation of `compareProfiles`. */
import type { CompareOptions } from '../compare/compare-options.ts';
import { judgeCandidates } from '../compare/compare-profiles.ts';
import type { ComparableLoad, ComparedProfile, Verdict } from '../compare/comparison.ts';
import type { Candidate } from '../compare/recommend.ts';
import type { ControlFinding } from '../compare/verdict.ts';
import type { TrialLoad } from './stage-loads.ts';
import { HARM_ALPHA, HARM_BLOCKS, HARMFUL_CHANGE } from './trial-defaults.ts';
import { blocksPlanned, type TrialPlan } from './trial-plan.ts';
import type { ArmFinding } from './trial-progress.ts';

export interface StageFindings {
  readonly findings: readonly ArmFinding[];
  /** Findings over other protocols than the judged one; absent: there are none. */
  readonly others?: readonly ArmFinding[] | undefined;
  readonly recommended: string | undefined;
  /** What the gateway does by itself; `undefined`: there is no control. */
  readonly control?: ControlFinding | undefined;
}

interface StageOptions {
  readonly plan: TrialPlan;
  /** The baseline among them; loads of other arms are left out. */
  readonly arms: readonly string[];
  /** Blocks at which most of alpha is spent, known before the first load of the stage; `undefined`: all looks are worth the same. */
  readonly plannedBlocks: number | undefined;
  /** Loads from before the stage, which say what their pages take. */
  readonly earlier?: readonly ComparableLoad[] | undefined;
}

/**
 * Adjusted for page and block and valid at every look, at the plan's alpha for all candidates together.
 * @param loads that findings rest on (`settledLoads`).
 */
export function armFindings(loads: readonly TrialLoad[], { plan, arms, plannedBlocks, earlier }: StageOptions): StageFindings {
  const { baseline, alpha } = plan;
  const profiles = plan.profiles.filter(({ id }) => arms.includes(id));
  const looks: Pick<CompareOptions, 'looks' | 'plannedPairs'> =
    plannedBlocks === undefined ? { looks: 'any', plannedPairs: blocksPlanned(plan) } : { looks: 'planned', plannedPairs: plannedBlocks };
  const judged = judgeCandidates(loads, { baseline, profiles, alpha, estimate: 'adjusted', earlier, ...looks });
  const counts = usableCounts(loads);
  return {
    findings: judged.candidates.map((candidate) => findingOf(candidate, { baseline, counts })),
    recommended: judged.recommended?.profile.id,
    control: judged.control,
  };
}

function usableCounts(loads: readonly TrialLoad[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { profileId, valid } of loads) if (valid) counts.set(profileId, (counts.get(profileId) ?? 0) + 1);
  return counts;
}

/** A profile is better only if it beats the control, or the gain is the gateway's, and the baseline, or the person gains nothing (`recommend`). */
function findingOf(
  { profile, shown, gain }: Candidate,
  { baseline, counts }: { readonly baseline: string; readonly counts: ReadonlyMap<string, number> },
): ArmFinding {
  const finding = found(shown.verdict);
  const isGainDecisive = SEVERITY.indexOf(gain.finding) > SEVERITY.indexOf(finding);
  const { ratio, low, high } = isGainDecisive ? gain : shown.separation;
  const against = isGainDecisive ? baseline : shown.against;
  return {
    profileId: profile.id,
    ratio,
    low,
    high,
    finding: shown.verdict === 'no-verdict' ? 'undecided' : isGainDecisive ? gain.finding : finding,
    ...(against !== baseline && { against, gain: gain.ratio }),
    loads: counts.get(profile.id) ?? 0,
    baselineLoads: counts.get(against) ?? 0,
  };
}

const SEVERITY: readonly ArmFinding['finding'][] = ['better', 'undecided', 'no-meaningful-difference', 'worse'];

const found = (verdict: Verdict): ArmFinding['finding'] =>
  verdict === 'better' || verdict === 'worse' || verdict === 'no-meaningful-difference' ? verdict : 'undecided';

interface ConfirmingOptions extends Pick<StageOptions, 'plan' | 'arms' | 'earlier'> {
  /** Fresh loads of all protocols: the planned end is a block of the trial, even if a protocol has no load in some blocks. */
  readonly all: readonly TrialLoad[];
  readonly isUsedUp: boolean;
}

/**
 * Findings on fresh loads, most of alpha being spent at the planned end: `blocksPlanned`, or where the loads are used up before, as when slots by
 * time had more than expected. What was found there stays valid, as a check may have held it back; later loads have the rest of alpha.
 */
export function confirmingFindings(loads: readonly TrialLoad[], { plan, arms, earlier, all, isUsedUp }: ConfirmingOptions): StageFindings {
  const made = sharedBlocks(all, arms);
  const end = isUsedUp ? Math.max(1, Math.min(made.length, blocksPlanned(plan))) : blocksPlanned(plan);
  const last = made[end - 1];
  const own = sharedBlocks(loads, arms);
  // Counted in blocks that these loads share. Which they are depends on no outcome; those to come are taken to have some in each.
  const plannedBlocks = Math.max(1, last === undefined ? own.length + end - made.length : own.filter((block) => block <= last).length);
  const options = { plan, arms, earlier, plannedBlocks };
  if (last !== undefined && own.length > plannedBlocks) {
    const planned = armFindings(
      loads.filter(({ block }) => block <= last),
      options,
    );
    if (planned.findings.some(({ finding }) => finding !== 'undecided')) return planned;
  }
  return armFindings(loads, options);
}

/** Blocks in which every arm has a load, in their order. */
function sharedBlocks(loads: readonly TrialLoad[], arms: readonly string[]): readonly number[] {
  const seen = new Map<number, Set<string>>();
  for (const { block, profileId } of loads) seen.set(block, (seen.get(block) ?? new Set()).add(profileId));
  return [...seen].flatMap(([block, own]) => (arms.every((id) => own.has(id)) ? [block] : [])).sort((a, b) => a - b);
}

/**
 * Candidates that are surely slower than the baseline, and by much: one-sided, with an alpha of its own (`HARM_ALPHA`), from the third block on.
 * What a person loses counts, whatever causes it, so there is no control. It ends an arm before the planned end, and decides nothing else.
 */
export function harmfulArms(
  loads: readonly TrialLoad[],
  { plan, arms, earlier, alpha = HARM_ALPHA }: Pick<StageOptions, 'plan' | 'arms' | 'earlier'> & { readonly alpha?: number },
): readonly ArmFinding[] {
  const { baseline } = plan;
  const profiles = plan.profiles
    .filter(({ id }) => arms.includes(id))
    .map((profile): ComparedProfile => (profile.role === 'control' ? { ...profile, role: 'candidate' } : profile));
  const options = { baseline, profiles, alpha: 2 * alpha, earlier, estimate: 'adjusted', looks: 'any', plannedPairs: HARM_BLOCKS } as const;
  const counts = usableCounts(loads);
  const isControl = (id: string) => plan.profiles.some((profile) => profile.id === id && profile.role === 'control');
  return judgeCandidates(loads, options)
    .candidates.filter(({ profile }) => !isControl(profile.id))
    .map((candidate) => findingOf(candidate, { baseline, counts }))
    .filter((one) => one.finding === 'worse' && looksHarmful(one));
}

/** Slower than the baseline by `HARMFUL_CHANGE` or more, however uncertain. */
export const looksHarmful = ({ ratio, gain }: ArmFinding): boolean => (gain ?? ratio ?? 1) <= 1 - HARMFUL_CHANGE;

/** The fastest first, by what a person gains, gateway included; those without a figure last. */
export function byRatio(findings: readonly ArmFinding[]): readonly ArmFinding[] {
  return [...findings].sort((a, b) => (b.gain ?? b.ratio ?? 0) - (a.gain ?? a.ratio ?? 0));
}
