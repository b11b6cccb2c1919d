/** What a trial contributes to the answer. */
import { assertNever } from '../errors.ts';
import { lastStretch } from '../trial/stretches.ts';
import { judgedLoadsPlanned, type TrialPlan } from '../trial/trial-plan.ts';
import { type ArmFinding, isSlower, type TrialProgress } from '../trial/trial-progress.ts';
import type { TrialState } from '../trial/trial-state.ts';
import type { AnsweredProfile, Change, RunningTrial, TrialAnswer } from './answer.ts';

/** A trial, and what its loads say. */
export interface JudgedTrial {
  readonly plan: TrialPlan;
  readonly progress: TrialProgress;
  readonly state: TrialState;
}

/** `undefined`: it ended without finding anything out, because a check failed or it was stopped. */
export function trialAnswer(trial: JudgedTrial): TrialAnswer | undefined {
  const { plan, state } = trial;
  // Its figures favoured the gateway, and its verdicts stood under carry-over: nothing of it is proven.
  if (plan.format === 1) return undefined;
  switch (state.kind) {
    case 'confirmed':
      return {
        from: 'trial',
        state: 'confirmed',
        loads: loadsOf(state.verdict),
        ...profileOf(state.verdict, plan),
        ...aloneOf(state.verdict),
      };
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

/** Profiles that the trial dropped for being slower; empty while a check fails. */
export function slowerInTrial({ progress, state }: JudgedTrial): readonly string[] {
  if (state.kind === 'invalid') return [];
  return provenSlower(progress).map(({ profileId }) => profileId);
}

const provenSlower = ({ dropped }: TrialProgress) => dropped.filter(isSlower).filter(({ checkFailed }) => checkFailed !== true);

function noDifference({ reason }: Extract<TrialState, { kind: 'no-difference' }>, plan: TrialPlan): TrialAnswer {
  if (reason.kind === 'within-meaningful-change') {
    const { verdict } = reason;
    const within = plan.meaningfulChange;
    return { from: 'trial', state: 'no-difference', loads: loadsOf(verdict), within, ...profileOf(verdict, plan), ...aloneOf(verdict) };
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
  // What a trial of an earlier version dropped has its figures in its loads alone.
  const findings = slower.flatMap(({ profileId, found }) => found ?? state.figures.findings.filter((one) => one.profileId === profileId));
  return {
    from: 'trial',
    state: 'slower',
    profiles: findings.map((finding) => ({ ...profileOf(finding, plan), change: changeOf(finding) })),
  };
}

function running({ plan, progress, state }: JudgedTrial): RunningTrial | undefined {
  if (progress.status === 'ended') return undefined;
  const common = { from: 'trial', state: 'running', isPaused: progress.status === 'paused', loads: state.figures.loads } as const;
  if (state.kind === 'invalid') return { ...common, stage: 'held' };
  if (state.kind === 'leading') {
    // Of each profile, as they are planned: a finding rests on fewer (`settledLoads`).
    const loads = Math.floor(state.figures.freshLoads / lastStretch(progress).arms.length);
    const fresh = { loads, planned: judgedLoadsPlanned(plan) };
    return { ...common, stage: 'confirming', leader: profileOf(state.leader, plan), fresh };
  }
  return { ...common, stage: state.kind === 'checking' ? 'checking' : 'collecting' };
}

const loadsOf = ({ loads, baselineLoads }: ArmFinding): number => loads + baselineLoads;

/**
 * A ratio of efficiencies over the same bytes and link is the inverse ratio of load times: 1.42 is 42 % faster. Bounds that leave everything
 * open are none: from under a tenth to over tenfold, or without end.
 */
function changeOf({ ratio, low, high }: Pick<ArmFinding, 'ratio' | 'low' | 'high'>): Change {
  const gain = (ratio ?? 1) - 1;
  const isBounded = low !== undefined && high !== undefined && Number.isFinite(high) && (low > 0.1 || high < 10);
  return isBounded ? { gain, low: low - 1, high: high - 1 } : { gain, low: undefined, high: undefined };
}

/** Where it was judged against the control, its bounds are those against the control, and none are known of the whole gain. */
function profileOf(finding: ArmFinding, { profiles }: TrialPlan): AnsweredProfile {
  const { profileId, gain, protocol } = finding;
  const carrier = profiles.find(({ id }) => id === profileId)?.carrier ?? 'none';
  const change = gain === undefined ? changeOf(finding) : { gain: gain - 1, low: undefined, high: undefined };
  return { profileId, carrier, change, ...(protocol !== undefined && { protocol }) };
}

const aloneOf = (finding: ArmFinding): { readonly alone?: Change } => (finding.gain === undefined ? {} : { alone: changeOf(finding) });
