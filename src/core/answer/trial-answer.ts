import { MEANINGFUL_CHANGE } from '../compare/thresholds.ts';
import { assertNever } from '../errors.ts';
import { lastStretch } from '../trial/stretches.ts';
import type { TrialPlan } from '../trial/trial-plan.ts';
import { type ArmFinding, isSlower, type TrialProgress } from '../trial/trial-progress.ts';
import type { TrialCheck, TrialFinding, TrialState } from '../trial/trial-state.ts';
import type { AnsweredProfile, Change, RunningTrial, TrialAnswer } from './answer.ts';
import type { ComparedRow, VerdictBasis } from './card.ts';

/** A trial as it stands, before it is said in a sentence. */
interface FoundTrial {
  readonly plan: TrialPlan;
  readonly progress: TrialProgress;
  readonly state: TrialFinding;
}

interface JudgedTrial {
  readonly plan: TrialPlan;
  readonly progress: TrialProgress;
  readonly state: TrialState;
}

/** A trial's part of the answer; `undefined`: it ended without a finding, as a check failed or it was stopped. */
export function trialAnswer(trial: JudgedTrial): TrialAnswer | undefined {
  const { plan, state } = trial;
  switch (state.kind) {
    case 'confirmed':
      return { from: 'trial', state: 'confirmed', loads: loadsOf(state.verdict), ...foundOf(state.verdict, plan) };
    case 'no-difference':
      return noDifference(state, plan);
    case 'stopped':
      return slowerThanBaseline(trial);
    case 'invalid':
    case 'collecting':
    case 'checking':
    case 'leading':
      return running(trial);
    default:
      return assertNever(state);
  }
}

/** How the candidates of a trial in progress stand; empty while a check fails or has still to pass, because nothing may be said then. */
export function trialRows({ plan, state }: Pick<FoundTrial, 'plan' | 'state'>): readonly ComparedRow[] {
  if (state.kind === 'invalid' || state.kind === 'checking') return [];
  return state.figures.findings.flatMap((finding) => {
    const { profileId, change } = profileOf(finding, plan);
    return finding.ratio === undefined || finding.against !== undefined ? [] : [{ profileId, change, loads: loadsOf(finding) }];
  });
}

/** What "Why?" says of a trial that has confirmed settings; `undefined`: it has not. */
export function verdictBasis({ plan, state }: Pick<JudgedTrial, 'plan' | 'state'>): VerdictBasis | undefined {
  if (state.kind !== 'confirmed') return undefined;
  const { loads, baselineLoads } = state.verdict;
  const having = (wanted: TrialCheck['outcome']) => state.checks.filter(({ outcome }) => outcome === wanted).length;
  return { alpha: plan.alpha, loads, baselineLoads, passed: having('passed'), tooEarly: having('too-early'), warned: having('warning') };
}

/** Profiles that the trial dropped for being slower; empty while a check fails. */
export function slowerInTrial({ progress, state }: JudgedTrial): readonly string[] {
  if (state.kind === 'invalid') return [];
  return provenSlower(progress).map(({ profileId }) => profileId);
}

const provenSlower = ({ dropped }: TrialProgress) => dropped.filter(isSlower).filter(({ checkFailed }) => checkFailed !== true);

function noDifference({ reason }: Extract<TrialState, { kind: 'no-difference' }>, plan: TrialPlan): TrialAnswer {
  if (reason.kind === 'within-meaningful-change') {
    const { verdict } = reason;
    return { from: 'trial', state: 'no-difference', loads: loadsOf(verdict), within: MEANINGFUL_CHANGE, ...foundOf(verdict, plan) };
  }
  const { closest } = reason;
  if (closest?.ratio === undefined) return { from: 'trial', state: 'open', loads: closest ? loadsOf(closest) : 0 };
  return { from: 'trial', state: 'open', loads: loadsOf(closest), closest: profileOf(closest, plan) };
}

function slowerThanBaseline(trial: JudgedTrial): TrialAnswer | undefined {
  const { plan, progress, state } = trial;
  if (state.kind !== 'stopped' || state.reason.kind !== 'no-candidate-left') return undefined;
  const slower = provenSlower(progress);
  if (slower.length === 0) return undefined;
  return {
    from: 'trial',
    state: 'slower',
    profiles: slower.map(({ found }) => ({ ...profileOf(found, plan), change: changeOf(found) })),
  };
}

/** The best candidate that still has turns and whose interval is bounded; `undefined`: there is none yet. */
export function bestSoFar({ plan, progress, state }: FoundTrial): AnsweredProfile | undefined {
  if (state.kind !== 'collecting') return undefined;
  const { arms } = lastStretch(progress);
  const bounded = trialRows({ plan, state }).filter(({ profileId, change }) => arms.includes(profileId) && change.low !== undefined);
  const [best] = bounded.toSorted((a, b) => b.change.gain - a.change.gain);
  const finding = best && state.figures.findings.find(({ profileId }) => profileId === best.profileId);
  return finding && profileOf(finding, plan);
}

function running({ plan, progress, state }: JudgedTrial): RunningTrial | undefined {
  if (progress.status === 'ended') return undefined;
  const common = { from: 'trial', state: 'running', isPaused: progress.status === 'paused', loads: progress.made } as const;
  if (state.kind === 'invalid') return { ...common, stage: 'held' };
  if (state.kind === 'leading') return { ...common, stage: 'leading', leader: profileOf(state.leader, plan) };
  const best = bestSoFar({ plan, progress, state });
  return { ...common, stage: state.kind === 'checking' ? 'checking' : 'collecting', ...(best && { best }) };
}

const loadsOf = ({ loads, baselineLoads }: ArmFinding): number => loads + baselineLoads;

/**
 * A ratio of efficiencies over the same bytes and link is the inverse ratio of load times: 1.42 is 42 % faster. Bounds from under a tenth to
 * over tenfold, or without end, leave everything open and are left out.
 */
function changeOf({ ratio, low, high }: Pick<ArmFinding, 'ratio' | 'low' | 'high'>): Change {
  const gain = (ratio ?? 1) - 1;
  const isBounded = low !== undefined && high !== undefined && Number.isFinite(high) && (low > 0.1 || high < 10);
  return isBounded ? { gain, low: low - 1, high: high - 1 } : { gain, low: undefined, high: undefined };
}

/** A finding against the control has an interval for that comparison only; the total gain has none. */
function profileOf(finding: ArmFinding, { profiles }: TrialPlan): AnsweredProfile {
  const { profileId, gain, protocol } = finding;
  const carrier = profiles.find(({ id }) => id === profileId)?.carrier ?? 'none';
  const change = gain === undefined ? changeOf(finding) : { gain: gain - 1, low: undefined, high: undefined };
  return { profileId, carrier, change, ...(protocol !== undefined && { protocol }) };
}

const foundOf = (finding: ArmFinding, plan: TrialPlan): AnsweredProfile & { readonly alone?: Change } => ({
  ...profileOf(finding, plan),
  ...(finding.gain !== undefined && { alone: changeOf(finding) }),
});
