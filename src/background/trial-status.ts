/** The trials as the popup shows them. */

import type { NetworkPreferences } from '../adapters/applier-experiment-api.ts';
import { keptFailures } from '../adapters/failure-notes.ts';
import { ownProfiles } from '../adapters/own-profiles.ts';
import { coreLanguage, fixedText, text } from '../adapters/person-language.ts';
import { slowerInTrial, trialAnswer, trialRows, verdictBasis } from '../core/answer/trial-answer.ts';
import { controlSentence } from '../core/compare/format-verdict.ts';
import { assertNever } from '../core/errors.ts';
import { findProfile } from '../core/profiles/presets.ts';
import { slotsPerBlock } from '../core/trial/assignment.ts';
import { loadsLeft } from '../core/trial/course.ts';
import { checkSentence } from '../core/trial/format-checks.ts';
import { droppedBecause, otherProtocolSentence, trialSentence } from '../core/trial/format-trial.ts';
import { isGatewayTrial, setsPreferences } from '../core/trial/gateway-arms.ts';
import { LOAD_LOST_AFTER_MS } from '../core/trial/trial-defaults.ts';
import type { ArmCounts, TrialProgress } from '../core/trial/trial-progress.ts';
import type { TrialState } from '../core/trial/trial-state.ts';
import { nextAssignment } from '../core/trial/turn-slots.ts';
import type { TrialRecord } from '../protocol/trial-record.ts';
import type { CurrentTrial, TrialArm, TrialFacts, TrialNow } from '../protocol/trial-state.ts';
import type { ManualProfile } from './manual-profile.ts';
import type { RecordStores } from './record-stores.ts';
import { trialOffer, trialPolicy } from './trial-candidates.ts';
import type { TrialGateway } from './trial-gateway.ts';
import type { TrialLoads } from './trial-loads.ts';
import { isStaged, type TrialRestore } from './trial-restore.ts';
import { isTrialOver } from './trial-step.ts';

type Judged = Pick<TrialState, 'kind' | 'sentence' | 'checks'> & { readonly figures?: TrialState['figures'] } & Pick<
    CurrentTrial,
    'answer' | 'slower' | 'rows' | 'basis'
  >;

const PLAIN_HTTP_ONLY =
  'Only pages of the sites listed for pipelining count in this trial, whatever the profile: nothing else goes through the gateway.';

interface TrialStatusDeps {
  readonly stores: Pick<RecordStores, 'newestTrial' | 'openNavigations'>;
  readonly manualProfile: Pick<ManualProfile, 'manualFacts'>;
  readonly networkPreferences: () => NetworkPreferences | undefined;
  readonly trialGateway: Pick<TrialGateway, 'countableLoads' | 'isGatewayThere'>;
  readonly trialLoads: Pick<TrialLoads, 'judge'>;
  readonly trialRestore: Pick<TrialRestore, 'formerProfile' | 'activeProfileThisSession'>;
}

export type TrialStatus = ReturnType<typeof createTrialStatus>;

export function createTrialStatus({
  stores: { newestTrial, openNavigations },
  manualProfile: { manualFacts },
  networkPreferences,
  trialGateway: { countableLoads, isGatewayThere },
  trialLoads: { judge },
  trialRestore: { formerProfile, activeProfileThisSession },
}: TrialStatusDeps) {
  /** `now`: wall clock, ms since the epoch. @throws DOMException when the store cannot be read; any other failure is part of the state. */
  async function trialFacts(now: number): Promise<TrialFacts> {
    const { trialFailure } = await keptFailures();
    const live = networkPreferences() !== undefined;
    const byHand = await manualFacts();
    const gateway = await isGatewayThere();
    const facts = { live, offer: trialOffer({ live, gateway }, await ownProfiles()), ...(byHand && { byHand: byHand.platform }) };
    try {
      const trial = await newestTrial();
      // A running trial stores its own previous profile.
      const former = isTrialOver(trial) ? await formerProfile() : undefined;
      const current = trial && (await currentTrial(trial, now));
      return { ...facts, current, ...(former && { former }), ...(trialFailure !== undefined && { failure: trialFailure }) };
    } catch (error) {
      if (!(error instanceof Error) || error instanceof DOMException) throw error;
      return { ...facts, current: undefined, failure: error.message };
    }
  }

  async function currentTrial(trial: TrialRecord, now: number): Promise<CurrentTrial> {
    const { plan, progress } = trial;
    const { kind, sentence, checks, figures, ...found } = await judgeOrReport(trial);
    const due = await dueAtStart(trial);
    const failed = checks.filter(({ outcome }) => outcome === 'failed');
    const { profileId, block, slot } = progress.current;
    return {
      id: plan.id,
      stateKind: kind,
      sentence,
      ...found,
      ...(failed.length > 0 && { failedChecks: failed.map((check) => checkSentence(check, coreLanguage)) }),
      warnings: [
        ...checks.filter(({ outcome }) => outcome === 'warning' || outcome === 'failed').map((check) => checkSentence(check, coreLanguage)),
        ...(figures?.control === undefined ? [] : [controlSentence(figures.control, coreLanguage)]),
        ...trialWarnings(trial),
      ],
      ...(figures?.others && { otherProtocols: figures.others.map((other) => otherProtocolSentence(other, plan, coreLanguage)) }),
      slots: plan.slots,
      made: progress.made,
      loadsLeft: loadsLeft(plan, progress),
      ...(isGatewayTrial(plan) && { countable: await countableLoads() }),
      arms: plan.profiles.map(({ id, role }) => ({
        ...arm(progress, id, { trusted: kind !== 'invalid', baseline: plan.baseline }),
        ...predictedOf(trial, id),
        ...(role === 'control' && { isControl: true as const }),
      })),
      turn: { profileId, block, slot, slotInBlock: slot - block * slotsPerBlock(plan) },
      now: await nowOf(trial, now),
      ...(trial.byHelper && { byHelper: true }),
      ...(trial.former && { former: trial.former }),
      ...(isGatewayTrial(plan) && !setsPreferences(plan) && { byGateway: true }),
      ...(due && { due }),
    };
  }

  /** A failure to judge must not keep the person from stopping the trial. @throws DOMException when the store cannot be read. */
  async function judgeOrReport(trial: TrialRecord): Promise<Judged> {
    try {
      const state = await judge(trial);
      const { plan, progress } = trial;
      const answer = trialAnswer({ plan, progress, state });
      const slower = slowerInTrial({ plan, progress, state });
      const { kind, checks, figures } = state;
      const rows = trialRows({ plan, state });
      const basis = verdictBasis({ plan, state });
      return {
        kind,
        sentence: trialSentence(state, trial, coreLanguage),
        checks,
        figures,
        ...(answer && { answer }),
        ...(slower.length > 0 && { slower }),
        ...(rows.length > 0 && { rows }),
        ...(basis && { basis }),
      };
    } catch (error) {
      if (!(error instanceof Error) || error instanceof DOMException) throw error;
      return { kind: 'invalid', sentence: text('trial.notJudged', { why: fixedText(error.message) }), checks: [] };
    }
  }

  async function nowOf({ plan, progress, pausedBecause }: TrialRecord, now: number): Promise<TrialNow> {
    const { status, applied, current } = progress;
    switch (status) {
      case 'ended':
        return { state: 'ended', restoring: applied };
      case 'paused':
        return { state: 'paused', because: pausedBecause, restoring: applied };
      case 'planned':
      case 'running':
        if (current.phase === 'in-effect') return { state: 'in-effect', since: current.since, washout: current.begun === 0 };
        if (plan.slots.kind === 'session') return { state: 'due-at-start', held: await activeProfileThisSession() };
        return { state: 'switching', loading: (await openNavigations(now - LOAD_LOST_AFTER_MS)).length };
      default:
        return assertNever(status);
    }
  }

  return { trialFacts };
}

/** The baseline sets nothing, so it equals Firefox's own settings only where the person has set nothing either. */
function trialWarnings({ plan, own, before }: TrialRecord): readonly string[] {
  const kept = own.map((name) => text('trial.keepsOwn', { name, value: String(before[name]) }));
  return isGatewayTrial(plan) ? [fixedText(PLAIN_HTTP_ONLY), ...kept] : kept;
}

/** The profile due at the next start of Firefox, where slots are sessions. */
async function dueAtStart({ plan, progress, byHelper }: TrialRecord): Promise<CurrentTrial['due']> {
  if (plan.slots.kind !== 'session' || progress.status !== 'running') return undefined;
  const { current } = progress;
  const profileId = current.phase === 'switching' ? current.profileId : nextAssignment(progress, plan).profileId;
  const profile = findProfile(profileId);
  if (profile === undefined) return undefined;
  const policies = trialPolicy(profile);
  return { profileId, policies, ...(byHelper && { helper: (await isStaged(profileId)) ? 'staged' : 'not-yet' }) };
}

function predictedOf({ predicted = [] }: TrialRecord, profileId: string): Pick<TrialArm, 'predictedRatio'> {
  const own = predicted.find((one) => one.profileId === profileId);
  return own === undefined ? {} : { predictedRatio: own.ratio };
}

/** Not `trusted`: while a check fails, the findings about a profile are withheld. */
function arm(
  { stretches, dropped }: TrialProgress,
  profileId: string,
  { trusted, baseline }: { readonly trusted: boolean; readonly baseline: string },
): TrialArm {
  const counts = stretches.flatMap((stretch) => stretch.counts[profileId] ?? []);
  const total = (key: keyof ArmCounts) => counts.reduce((sum, one) => sum + one[key], 0);
  const gone = dropped.find((one) => one.profileId === profileId);
  return {
    profileId,
    attempted: total('attempted'),
    recorded: total('recorded'),
    lost: total('lost'),
    ...(gone && {
      dropped: trusted || gone.reason === 'not-applicable' ? droppedBecause(gone, baseline, coreLanguage) : text('trial.withheld'),
    }),
  };
}
