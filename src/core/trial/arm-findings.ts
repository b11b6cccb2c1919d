/** The candidates compared with the baseline, by the findings and the one rule of recommendation of `compareProfiles`. */

import { drawOf } from '../compare/block-order.ts';
import type { CompareOptions } from '../compare/compare-options.ts';
import { type JudgedCandidates, judgeCandidates } from '../compare/compare-profiles.ts';
import type { ComparableLoad, ComparedProfile, Verdict } from '../compare/comparison.ts';
import { lookBlocks } from '../compare/interval-rule.ts';
import type { Candidate } from '../compare/recommend.ts';
import { MIN_PAIRS } from '../compare/thresholds.ts';

import type { TrialLoad } from './judged-loads.ts';
import { HARM_ALPHA, HARM_BLOCKS, HARMFUL_CHANGE } from './trial-defaults.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { ArmFinding } from './trial-progress.ts';

interface FindingOptions {
  readonly plan: TrialPlan;
  /** Loads from before the trial, which say what their pages take. */
  readonly earlier?: readonly ComparableLoad[] | undefined;
  /** Draws with which the trial ends. */
  readonly end: number;
}

/** Valid at every look, at the plan's alpha for all profiles that began together. @param loads that findings rest on (`settledLoads`). */
export function armsAtAnyLook(loads: readonly TrialLoad[], { end, ...options }: FindingOptions): JudgedCandidates {
  return judged(loads, options, { looks: 'any', plannedPairs: end });
}

interface LookOptions extends FindingOptions {
  /** Arms that have turns. */
  readonly active: readonly string[];
  /** Those that are over. */
  readonly draws: number;
}

/**
 * The loads of whole draws at the looks that were planned. What was found at the last of them stays valid, as a check may have held it back; later loads
 * have the rest of alpha. Nothing is found before there are six draws.
 */
export function armsAtLooks(loads: readonly TrialLoad[], { active, draws, end, ...options }: LookOptions): JudgedCandidates {
  const own = sharedDraws(loads, active);
  // Counted in draws that these loads share. Which they are depends on no outcome; those to come are taken to have some in each.
  const looks = { looks: 'planned', plannedPairs: Math.max(1, end - draws + own.length) } as const;
  const now = notTooEarly(judged(loads, options, looks));
  const last = lookBlocks(looks.plannedPairs).findLast((look) => look <= own.length);
  if (last === undefined || last === own.length || now.candidates.some(isDecided)) return now;
  const until = own[last - 1] ?? 0;
  const atLook = loads.filter(({ block }) => drawOf(block) <= until);
  const then = notTooEarly(judged(atLook, options, looks));
  return then.candidates.some(isDecided) ? then : now;
}

function judged(
  loads: readonly TrialLoad[],
  { plan: { baseline, profiles, alpha }, earlier }: Pick<FindingOptions, 'plan' | 'earlier'>,
  looks: Pick<CompareOptions, 'looks' | 'plannedPairs'>,
): JudgedCandidates {
  return judgeCandidates(loads, { baseline, profiles, alpha, estimate: 'adjusted', earlier, ...looks });
}

/** Draws in which every arm has a load, in their order. */
function sharedDraws(loads: readonly TrialLoad[], arms: readonly string[]): readonly number[] {
  const seen = new Map<number, Set<string>>();
  for (const { block, profileId } of loads) seen.set(drawOf(block), (seen.get(drawOf(block)) ?? new Set()).add(profileId));
  return [...seen].flatMap(([draw, own]) => (arms.every((id) => own.has(id)) ? [draw] : [])).sort((a, b) => a - b);
}

const isDecided = ({ shown }: Candidate): boolean => DECIDED.includes(shown.verdict);
const DECIDED: readonly Verdict[] = ['better', 'worse', 'no-meaningful-difference'];

function notTooEarly(found: JudgedCandidates): JudgedCandidates {
  return onlyWhere(found, ({ gain }) => gain.pairs >= MIN_PAIRS);
}

/** Findings that do not hold are open. */
export function onlyWhere(found: JudgedCandidates, holds: (candidate: Candidate) => boolean): JudgedCandidates {
  if (found.candidates.every(holds)) return found;
  const candidates = found.candidates.map((each) => (holds(each) ? each : opened(each)));
  const recommended = candidates.find(({ profile }) => profile.id === found.recommended?.profile.id);
  return { ...found, candidates, recommended: recommended?.shown.verdict === 'better' ? recommended : undefined };
}

function opened({ shown, gain, ...candidate }: Candidate): Candidate {
  const verdict = shown.verdict === 'no-verdict' ? shown.verdict : 'need-more-loads';
  return { ...candidate, shown: { ...shown, verdict }, gain: { ...gain, finding: 'undecided' } };
}

/** @param loads that the findings rest on, for their numbers. */
export function findingsOf(
  { candidates }: Pick<JudgedCandidates, 'candidates'>,
  loads: readonly TrialLoad[],
  baseline: string,
): readonly ArmFinding[] {
  const counts = new Map<string, number>();
  for (const { profileId, valid } of loads) if (valid) counts.set(profileId, (counts.get(profileId) ?? 0) + 1);
  return candidates.map((candidate) => findingOf(candidate, { baseline, counts }));
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

/**
 * Candidates that are surely slower than the baseline, and by much: one-sided, with an alpha of its own (`HARM_ALPHA`), from the third block on, each
 * block by itself, as harm is to end soon. What a person loses counts, whatever causes it, so there is no control. It decides nothing else.
 */
export function harmfulArms(
  loads: readonly TrialLoad[],
  { plan, earlier, alpha = HARM_ALPHA }: Pick<FindingOptions, 'plan' | 'earlier'> & { readonly alpha?: number },
): readonly ArmFinding[] {
  const { baseline } = plan;
  const profiles = plan.profiles.map(
    (profile): ComparedProfile => (profile.role === 'control' ? { ...profile, role: 'candidate' } : profile),
  );
  const options = { baseline, profiles, alpha: 2 * alpha, earlier, estimate: 'adjusted', looks: 'any', plannedPairs: HARM_BLOCKS } as const;
  const blocks = loads.map((load) => ({ ...load, block: 2 * load.block }));
  const isControl = (id: string) => plan.profiles.some((profile) => profile.id === id && profile.role === 'control');
  return findingsOf(judgeCandidates(blocks, options), loads, baseline).filter(
    (one) => !isControl(one.profileId) && one.finding === 'worse' && looksHarmful(one),
  );
}

/** Slower than the baseline by `HARMFUL_CHANGE` or more, however uncertain. */
export const looksHarmful = ({ ratio, gain }: ArmFinding): boolean => (gain ?? ratio ?? 1) <= 1 - HARMFUL_CHANGE;

/** The fastest by what a person gains, gateway included; those without a figure last. */
export const bestOf = (findings: readonly ArmFinding[]): ArmFinding | undefined =>
  findings.toSorted((a, b) => (b.gain ?? b.ratio ?? 0) - (a.gain ?? a.ratio ?? 0))[0];
