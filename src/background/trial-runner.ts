/**
 * Advances a trial: dispatches events and executes commands until there are none. All its state is in the store, so a command that was interrupted
 * by the end of the event page is executed again.
 */
import { type NetworkPreferences, requireExperimentApi } from '../adapters/applier-experiment-api.ts';
import { recordFailure } from '../adapters/failure-notes.ts';
import { browserSession, writeRunState } from '../adapters/run-state.ts';
import { setAlarm } from '../adapters/wake-alarms.ts';
import { assertNever, PlumbfoxError, PreferenceRefused } from '../core/errors.ts';
import type { RawRequestEvent } from '../core/measure/page-load.ts';
import { createMutex } from '../core/mutex.ts';
import { findProfile } from '../core/profiles/presets.ts';
import { HANDLING, type LeftBehind, leftBehindBy } from '../core/profiles/reference/left-behind.ts';
import { commandFor, type TrialCommand, type TrialEvent } from '../core/trial/advance.ts';
import { isGatewayTrial, isThroughGateway } from '../core/trial/gateway-arms.ts';
import { LOAD_LOST_AFTER_MS } from '../core/trial/trial-defaults.ts';
import type { TrialPlan } from '../core/trial/trial-plan.ts';
import type { TrialRecord } from '../protocol/trial-record.ts';
import type { ProfileSwitch } from './profile-switch.ts';
import type { RecordStores } from './record-stores.ts';
import type { Recorder } from './recorder.ts';
import { carriedSites, routeOf, type TrialGateway } from './trial-gateway.ts';
import type { TrialLoads } from './trial-loads.ts';
import { handlesPreferences, type TrialRestore } from './trial-restore.ts';
import { isTrialOver, stepTrial, underWayKeys } from './trial-step.ts';

/** The outcome of a command. */
export interface TrialAnswer {
  readonly event: TrialEvent;
  /** Why the trial paused by itself. */
  readonly because?: string;
  /** Why the profile that the person had applied before the trial is not applied again; absent: it is, or there was none. */
  readonly notAgain?: string;
}

const MS_PER_MINUTE = 60_000;

/** A command that could not be executed is tried again after this time, or when the next load has ended. Chosen, not measured. */
const TRY_AGAIN_MS = 30_000;

interface TrialRunnerDeps {
  readonly stores: Pick<RecordStores, 'changeTrial' | 'newestTrial' | 'openNavigations'>;
  readonly networkPreferences: () => NetworkPreferences | undefined;
  readonly profileSwitch: Pick<ProfileSwitch, 'applyProfile' | 'revertProfile'>;
  readonly recorder: Pick<Recorder, 'recordEvent' | 'settleEvents'>;
  readonly trialGateway: Pick<TrialGateway, 'switchGateway'>;
  readonly trialLoads: Pick<TrialLoads, 'lookAtLoads'>;
  readonly trialRestore: Pick<TrialRestore, 'disturbance' | 'activeProfileThisSession' | 'isHelperFree' | 'stageProfile' | 'restoreBefore'>;
}

export type TrialRunner = ReturnType<typeof createTrialRunner>;

export function createTrialRunner({
  stores: { changeTrial, newestTrial, openNavigations },
  networkPreferences,
  profileSwitch: { applyProfile, revertProfile },
  recorder: { recordEvent, settleEvents },
  trialGateway: { switchGateway },
  trialLoads: { lookAtLoads },
  trialRestore: { disturbance, activeProfileThisSession, isHelperFree, stageProfile, restoreBefore },
}: TrialRunnerDeps) {
  /** The outcome of a command must reach the trial before anything else is asked of it. */
  const runExclusive = createMutex();

  /** @throws what the store or a command threw; the trial is as it was before that step. */
  function dispatch(event: TrialEvent): Promise<TrialRecord | undefined> {
    return runExclusive(() => follow(event));
  }

  /** Advances the trial without an event. Never rejects: the popup reports a failure until the next success. */
  async function advanceTrial(): Promise<void> {
    await runExclusive(() => recordFailure('trialFailure', () => follow(undefined)));
  }

  /** Records an event, and advances the trial if it may have waited for it: at the end of a failed navigation. */
  async function recordEventOfTrial(event: RawRequestEvent): Promise<void> {
    await recordEvent(event);
    if (event.type === 'main_frame' && event.phase === 'failed') await advanceTrial();
  }

  async function follow(event: TrialEvent | undefined): Promise<TrialRecord | undefined> {
    const held = await newestTrial();
    if (held === undefined || (isTrialOver(held) && event === undefined)) return held;
    let { trial, changed } = await step(event && { event });
    for (;;) {
      const command = trial && commandFor(trial.progress, trial.plan);
      const answer = trial && command && (await executeCommand(command, trial));
      if (answer === undefined) break;
      const next = await step(answer);
      trial = next.trial;
      changed ||= next.changed;
      // Tried at once it would fail again, or be ignored again while a clock that was set back is behind the trial's.
      if (answer.event.kind === 'switch-failed' || !next.changed) break;
    }
    await setAlarm('trial', trial && (await nextLookAt(trial, Date.now())));
    if (changed) await writeRunState('trialChanged', Date.now());
    return trial;
  }

  async function step(answer: TrialAnswer | undefined): Promise<{ trial: TrialRecord | undefined; changed: boolean }> {
    await settleEvents();
    const [session, held, listed] = await Promise.all([browserSession(), newestTrial(), carriedSites()]);
    const disturbed = held?.progress.current.phase === 'in-effect' ? await disturbance(held) : undefined;
    let changed = false;
    const trial = await changeTrial({
      underWay: underWayKeys,
      routes: ({ plan }) => (isGatewayTrial(plan) ? (load) => routeOf(load, listed) : undefined),
      step: (before, { began, settled }) => {
        const after = stepTrial(before, { now: Date.now(), session, began, settled, ...answer, disturbed });
        changed = after.trial !== before;
        return after;
      },
    });
    return { trial, changed };
  }

  /** `undefined`: it has to wait, for a load to end or for the person. @throws failures that do not concern preferences, such as the store's. */
  async function executeCommand(command: TrialCommand, trial: TrialRecord): Promise<TrialAnswer | undefined> {
    switch (command.kind) {
      case 'switch-to':
        return (await isPageLoading()) ? undefined : switchTo(command, trial);
      case 'prepare':
        return prepare(command, trial);
      case 'verify':
        return verify(command);
      case 'look':
        return { event: { kind: 'looked', at: Date.now(), decision: await lookAtLoads(trial) } };
      case 'revert':
        return (await isPageLoading()) ? undefined : revert(trial);
      default:
        return assertNever(command);
    }
  }

  /** Counts pages that the trial does not know too, such as one that began before it, but none that takes longer than any load is observed. */
  async function isPageLoading(): Promise<boolean> {
    return (await openNavigations(Date.now() - LOAD_LOST_AFTER_MS)).length > 0;
  }

  async function switchTo({ profileId, slot }: Extract<TrialCommand, { kind: 'switch-to' }>, trial: TrialRecord): Promise<TrialAnswer> {
    const { plan } = trial;
    const switched = (): TrialAnswer => ({ event: { kind: 'switched', at: Date.now(), slot } });
    try {
      const profile = findProfile(profileId);
      if (profile === undefined) throw new PlumbfoxError('bad-input', `this version of Plumbfox knows no profile ${profileId}`);
      if (isGatewayTrial(plan)) {
        if (isThroughGateway(plan, profileId) && handlesPreferences(trial)) await revertProfile();
        const refused = await turnGateway(plan, profileId);
        if (refused || isThroughGateway(plan, profileId) || !handlesPreferences(trial)) return refused ?? switched();
      }
      await requireExperimentApi(networkPreferences()).forgetLost();
      const { mismatches } = await applyProfile(profile, undefined, clearedFor(plan));
      if (mismatches.length === 0) return switched();
      return failed(slot, `${mismatches.join(', ')} did not take the value`);
    } catch (error) {
      if (!(error instanceof PlumbfoxError)) throw error;
      const isOthers = error instanceof PreferenceRefused && error.reason === 'changed-by-someone-else';
      return isOthers ? { event: { kind: 'paused', at: Date.now() }, because: `${error.message}.` } : failed(slot, error.message);
    }
  }

  /** A missing gateway says nothing about a profile: the trial waits for the person. @returns the pause; `undefined`: it is switched. */
  async function turnGateway(plan: TrialPlan, profileId: string): Promise<TrialAnswer | undefined> {
    try {
      await switchGateway(plan, profileId);
      return undefined;
    } catch (error) {
      if (!(error instanceof PlumbfoxError)) throw error;
      const because = `The gateway could not be switched on: ${error.message.replace(/\.$/, '')}.`;
      return { event: { kind: 'paused', at: Date.now() }, because };
    }
  }

  /** Stages the profile with the helper; without one, the popup asks the person to set it. */
  async function prepare(
    { profileId, slot }: Extract<TrialCommand, { kind: 'prepare' }>,
    trial: TrialRecord,
  ): Promise<TrialAnswer | undefined> {
    if (trial.byHelper) {
      if (!(await isHelperFree())) return undefined;
      await stageProfile(profileId);
    }
    return { event: { kind: 'prepared', at: Date.now(), slot } };
  }

  /** A session with another profile than the one due does not count; the slot waits for one with it. */
  async function verify({ profileId, slot }: Extract<TrialCommand, { kind: 'verify' }>): Promise<TrialAnswer | undefined> {
    return (await activeProfileThisSession()) === profileId ? { event: { kind: 'switched', at: Date.now(), slot } } : undefined;
  }

  /** @throws PlumbfoxError `environment` where there is no Experiment API any more. */
  async function revert(trial: TrialRecord): Promise<TrialAnswer> {
    const notAgain = await restoreBefore(trial);
    return { event: { kind: 'reverted', at: Date.now() }, ...(notAgain !== undefined && { notAgain }) };
  }

  /** When to advance the trial although nothing happens, wall clock, ms since the epoch; `undefined`: only when something happens. */
  async function nextLookAt({ plan, progress }: TrialRecord, now: number): Promise<number | undefined> {
    const { current, status } = progress;
    const command = commandFor(progress, plan);
    // The person has to do something, and Firefox restarts then.
    if (command?.kind === 'verify') return undefined;
    if (command !== undefined) return (await freeAt(now)) ?? now + TRY_AGAIN_MS;
    if (status !== 'running') return undefined;
    if (current.phase === 'switching') return freeAt(now);
    if (plan.slots.kind !== 'minutes') return undefined;
    const over = current.since + plan.slots.perSlot * MS_PER_MINUTE - current.inEffectMs;
    return over > now ? over : freeAt(now);
  }

  /** When every navigation in progress has ended or is given up; `undefined`: none is in progress. */
  async function freeAt(now: number): Promise<number | undefined> {
    const open = await openNavigations(now - LOAD_LOST_AFTER_MS);
    return open.length === 0 ? undefined : Math.max(...open) + LOAD_LOST_AFTER_MS + 1;
  }

  return { runExclusive, dispatch, advanceTrial, recordEventOfTrial, executeCommand, nextLookAt };
}

/** What any of the arms may leave behind. All of them begin their turns without it. */
const clearedFor = ({ profiles }: TrialPlan): readonly LeftBehind[] =>
  leftBehindBy(profiles.flatMap(({ id }) => Object.keys(findProfile(id)?.preferences ?? {}))).filter(
    (kind) => HANDLING[kind] === 'cleared',
  );

const failed = (slot: number, reason: string): TrialAnswer => ({ event: { kind: 'switch-failed', at: Date.now(), slot, reason } });
