/** The user's control of a trial: start one, which is checked, planned and stored; pause, resume and stop it; and delete all trials. */
import * as v from 'valibot';
import type { NetworkPreferences } from '../adapters/applier-experiment-api.ts';
import { hasHostPermission } from '../adapters/permissions.ts';
import type { ComparedProfile } from '../core/compare/comparison.ts';
import { PlumbfoxError, PreferenceRefused } from '../core/errors.ts';
import { loadSummary } from '../core/field/load-summary.ts';
import { carrierFor, preferencesFor } from '../core/profiles/carrier.ts';
import { CONTROL, CONTROL_ID, FIREFOX_DEFAULT, findProfile } from '../core/profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../core/profiles/profile.ts';
import { checkPriceAccepted } from '../core/profiles/profile-price.ts';
import { pageProtocols } from '../core/report/comparable-loads.ts';
import { advance } from '../core/trial/advance.ts';
import { expectedLoads, mostLoads } from '../core/trial/course.ts';
import { isGatewayTrial } from '../core/trial/gateway-arms.ts';
import { type ProtocolPlan, planProtocols, reachedProtocols } from '../core/trial/protocol-plan.ts';
import { beginTrial } from '../core/trial/stretches.ts';
import { makeTrialPlan, type TrialPlan } from '../core/trial/trial-plan.ts';
import type { FormerProfile, TrialRecord } from '../protocol/trial-record.ts';
import type { TrialLengths, TrialWish } from '../protocol/trial-state.ts';
import type { ProfileSwitch } from './profile-switch.ts';
import type { RecordStores } from './record-stores.ts';
import { needsGateway, type TrialMeans, whyNot } from './trial-candidates.ts';
import { carriedSites, routeOf, type TrialGateway } from './trial-gateway.ts';
import { changeMessage, formerSetLive, preferencesTouched, type TrialRestore } from './trial-restore.ts';
import type { TrialRunner } from './trial-runner.ts';
import { isTrialOver } from './trial-step.ts';

interface PlanState {
  readonly live: boolean;
  readonly now: number;
  readonly protocols: ProtocolPlan;
}

/** Newest loads that decide which protocol the verdict is about. Some days of browsing, read in some 100 ms; a half is known to 5 points. */
const NEWEST_ASKED = 100;

interface TrialControlDeps {
  readonly stores: Pick<RecordStores, 'newestLoads' | 'addTrial' | 'deleteTrials' | 'newestTrial'>;
  readonly networkPreferences: () => NetworkPreferences | undefined;
  readonly profileSwitch: Pick<ProfileSwitch, 'appliedLive' | 'revertProfile'>;
  readonly trialGateway: Pick<TrialGateway, 'countableLoads' | 'isGatewayThere' | 'returnGateway'>;
  readonly trialRestore: Pick<
    TrialRestore,
    'changedSinceBefore' | 'formerProfile' | 'activeProfileThisSession' | 'isHelperThere' | 'restoreBefore'
  >;
  readonly trialRunner: Pick<TrialRunner, 'runExclusive' | 'advanceTrial' | 'dispatch'>;
}

export type TrialControl = ReturnType<typeof createTrialControl>;

export function createTrialControl({
  stores: { newestLoads, addTrial, deleteTrials, newestTrial },
  networkPreferences,
  profileSwitch: { appliedLive, revertProfile },
  trialGateway: { countableLoads, isGatewayThere, returnGateway },
  trialRestore: { changedSinceBefore, formerProfile, activeProfileThisSession, isHelperThere, restoreBefore },
  trialRunner: { runExclusive, advanceTrial, dispatch },
}: TrialControlDeps) {
  /**
   * @throws PlumbfoxError `bad-input` when a profile cannot be tried, or a trial is in progress; `environment` when nothing can be recorded;
   *   PreferenceRefused when this Firefox does not let a preference of a profile be set.
   */
  async function startTrial(wish: TrialWish, id: string = crypto.randomUUID()): Promise<void> {
    await runExclusive(() => begin(wish, id));
    await advanceTrial();
  }

  /** How long the trial would be. @throws PlumbfoxError `bad-input` when a profile cannot be tried, or it would take too long. */
  async function planTrial(wish: TrialWish): Promise<TrialLengths> {
    const { candidates, isLive } = await chosen(wish);
    const protocols = await protocolsFor(candidates);
    const plan = planFor(wish, candidates, { live: isLive, now: Date.now(), protocols });
    const { judged, share } = protocols;
    const lengths = {
      plannedLoads: expectedLoads(plan),
      mostLoads: mostLoads(plan),
      slots: plan.slots,
      ...(share < 1 && { judged: { protocol: judged, share } }),
    };
    return isGatewayTrial(plan) ? { ...lengths, gateway: await countableLoads() } : lengths;
  }

  /** The candidates, and whether all of them can be switched while Firefox runs. */
  async function chosen(wish: TrialWish): Promise<{ readonly candidates: readonly Profile[]; readonly isLive: boolean }> {
    const live = networkPreferences() !== undefined;
    // The helper is asked only if a candidate needs the gateway.
    const isWanted = wish.candidates.some((id) => needsGateway(findProfile(id) ?? FIREFOX_DEFAULT));
    const means = { live, gateway: isWanted && (await isGatewayThere()) };
    const hasControl = wish.candidates.some((id) => id !== CONTROL_ID && needsGateway(findProfile(id) ?? FIREFOX_DEFAULT));
    // The control is added to a trial that needs it.
    const candidates = wish.candidates.filter((id) => !(hasControl && id === CONTROL_ID)).map((id) => candidate(id, means));
    const direct = candidates.find((profile) => !needsGateway(profile));
    if (isWanted && direct && !live) {
      const why = 'this Firefox has to be restarted for it, and profiles that go through the gateway are switched while it runs';
      throw new PlumbfoxError('bad-input', `${direct.id} cannot be tried with them: ${why}. Choose one kind`);
    }
    return { candidates, isLive: live || isWanted };
  }

  async function begin(wish: TrialWish, id: string): Promise<void> {
    const now = Date.now();
    await refuseWhileOneRuns();
    if (!(await hasHostPermission())) {
      throw new PlumbfoxError('environment', 'Plumbfox may not see page loads, so a trial would record nothing: allow access first');
    }
    const preferences = networkPreferences();
    const { candidates, isLive } = await chosen(wish);
    for (const { preferences: set } of candidates) checkPriceAccepted(set, wish.accepts ?? []);
    const plan = { ...planFor(wish, candidates, { live: isLive, now, protocols: await protocolsFor(candidates) }), id };
    if (isGatewayTrial(plan)) await refuseOtherProfile();
    const direct = candidates.filter((profile) => !needsGateway(profile));
    const former = await formerToRevert(plan);
    const found = preferences === undefined ? { before: {}, own: [] } : await prepare(preferences, direct, former);
    const { progress } = advance(beginTrial(plan), { kind: 'started', at: now }, plan);
    const predicted = (wish.predicted ?? []).filter(({ profileId }) => wish.candidates.includes(profileId));
    const byHelper = plan.slots.kind === 'session' && (await isHelperThere());
    const trial: TrialRecord = {
      plan,
      progress,
      ...found,
      toldUntil: 0,
      ...(byHelper && { byHelper }),
      ...(former && { former }),
      ...(predicted.length > 0 && { predicted }),
    };
    await add(trial);
  }

  /** A trial that cannot be stored has not begun: the profile it reverted is applied again. */
  async function add(trial: TrialRecord): Promise<void> {
    try {
      await addTrial(trial);
    } catch (error) {
      if (trial.former?.by === 'live') await restoreBefore(trial);
      throw error;
    }
  }

  async function refuseWhileOneRuns(): Promise<void> {
    if (isTrialOver(await newestTrial())) return;
    throw new PlumbfoxError('bad-input', 'A trial is under way: stop it before you start another');
  }

  /** The gateway leaves preferences as they are: with another profile set in this run of Firefox the baseline would be no baseline. */
  async function refuseOtherProfile(): Promise<void> {
    const held = await activeProfileThisSession();
    if (held === BASELINE_ID) return;
    throw new PlumbfoxError('bad-input', `This Firefox runs under ${held}: undo it and restart Firefox, then start the trial`);
  }

  /** The profile that the person has applied, if this trial has to revert it. */
  async function formerToRevert({ slots }: TrialPlan): Promise<FormerProfile | undefined> {
    const former = await formerProfile();
    return former?.by === 'live' || slots.kind === 'session' ? former : undefined;
  }

  /** Reverts the applied profile, so that the person's own preferences are the baseline; if it is refused, nothing is changed. */
  async function prepare(
    preferences: NetworkPreferences,
    candidates: readonly Profile[],
    former: FormerProfile | undefined,
  ): Promise<Pick<TrialRecord, 'before' | 'own'>> {
    for (const profile of candidates) await preferences.check(preferencesFor(profile, 'none'));
    if ((await appliedLive()) !== undefined) await revertProfile();
    return preferencesTouched(preferences, [...candidates, ...formerSetLive(former)]);
  }

  /** The protocol that the verdict is about, by the person's newest loads: for a trial through the gateway, by those that could count in it. */
  async function protocolsFor(candidates: readonly Profile[]): Promise<ProtocolPlan> {
    const carried = candidates.map((profile) => ({ profile, carrier: carrierFor(profile, { gateway: true }) }));
    const all = await newestLoads(NEWEST_ASKED);
    const listed = carried.some(({ carrier }) => carrier === 'gateway') ? await carriedSites() : undefined;
    const loads = listed === undefined ? all : all.filter((load) => routeOf(load, listed) !== 'not-carried');
    const figures = loads.map(loadSummary);
    const protocols = pageProtocols<number>();
    for (const { page, protocol, standing } of figures) if (protocol !== undefined) protocols.add(page, protocol, standing === 'whole');
    return planProtocols(
      figures.map(({ page }) => protocols.of(page)),
      reachedProtocols(carried),
    );
  }

  /** @throws PlumbfoxError `bad-input` when no trial is running. */
  async function pauseTrial(): Promise<void> {
    await required(['running'], 'No trial is running');
    await dispatch({ kind: 'paused', at: Date.now() });
  }

  /**
   * @throws PlumbfoxError `bad-input` when no trial is paused; PreferenceRefused when a preference was changed since it began: a
   *   trial continues only under the conditions it began with.
   */
  async function resumeTrial(): Promise<void> {
    const trial = await required(['paused'], 'No trial is paused');
    const [changed] = trial.progress.applied ? [] : await changedSinceBefore(trial);
    if (changed) {
      const detail = `${changeMessage(changed)} Set it back to ${changed.expected} to continue, or stop the trial.`;
      throw new PreferenceRefused(changed.preference, 'changed-by-someone-else', detail.slice(changed.preference.length + 1));
    }
    await dispatch({ kind: 'resumed', at: Date.now() });
  }

  /** @throws PlumbfoxError `bad-input` when no trial is in progress. */
  async function endTrial(): Promise<void> {
    await required(['planned', 'running', 'paused'], 'No trial is under way');
    await dispatch({ kind: 'stopped', at: Date.now() });
  }

  /**
   * Undoes at once what a trial in progress has set, and deletes all trials, unreadable ones included.
   * @returns what the person has to do because that failed, in words; `undefined`: nothing.
   */
  function forgetTrials(): Promise<string | undefined> {
    return runExclusive(async () => {
      const leftToDo = await restoreNow();
      await deleteTrials();
      return leftToDo;
    });
  }

  /** An unreadable trial may have set anything, so everything is reverted. @throws DOMException when the store cannot be read. */
  async function restoreNow(): Promise<string | undefined> {
    try {
      const trial = await newestTrial();
      return trial?.progress.applied ? await restoreOrExplain(trial) : undefined;
    } catch (error) {
      if (!(error instanceof v.ValiError)) throw error;
      await returnGateway();
      if (networkPreferences() !== undefined) await revertProfile();
      return undefined;
    }
  }

  /** A failure to restore must not keep the person from deleting. */
  async function restoreOrExplain(trial: TrialRecord): Promise<string | undefined> {
    try {
      const why = await restoreBefore(trial);
      return why === undefined ? undefined : `${trial.former?.profileId} could not be applied again: ${why}. Apply it yourself`;
    } catch (error) {
      if (!(error instanceof PlumbfoxError)) throw error;
      return `What the trial has set could not be undone: ${error.message}. Press "Undo"`;
    }
  }

  async function required(statuses: readonly TrialRecord['progress']['status'][], otherwise: string): Promise<TrialRecord> {
    const trial = await newestTrial();
    if (trial && statuses.includes(trial.progress.status)) return trial;
    throw new PlumbfoxError('bad-input', otherwise);
  }

  return { startTrial, planTrial, pauseTrial, resumeTrial, endTrial, forgetTrials };
}

function candidate(id: string, means: TrialMeans): Profile {
  const profile = findProfile(id);
  if (profile === undefined) throw new PlumbfoxError('bad-input', `There is no profile ${id}`);
  const reason = id === BASELINE_ID ? 'it is what the others are compared with' : whyNot(profile, means);
  if (reason !== undefined) throw new PlumbfoxError('bad-input', `${id} cannot be tried: ${reason}`);
  return profile;
}

function planFor(wish: TrialWish, candidates: readonly Profile[], { live, now, protocols }: PlanState): TrialPlan {
  const baseline = findProfile(BASELINE_ID);
  if (baseline === undefined) throw new PlumbfoxError('internal', 'The baseline is no profile');
  return makeTrialPlan({
    id: crypto.randomUUID(),
    seed: crypto.getRandomValues(new Uint32Array(1))[0] ?? 0,
    baseline: BASELINE_ID,
    profiles: [baseline, ...candidates, ...(candidates.some(needsGateway) ? [CONTROL] : [])].map(comparedProfile),
    live,
    createdAt: now,
    protocols,
    ...(wish.slots && { slots: wish.slots }),
    ...(wish.mostLoadsPerArm !== undefined && { mostLoadsPerArm: wish.mostLoadsPerArm }),
  });
}

function comparedProfile(profile: Profile): ComparedProfile {
  const { id, connections, depth, preferences } = profile;
  const role = id === BASELINE_ID ? 'baseline' : id === CONTROL_ID ? 'control' : 'candidate';
  return {
    id,
    carrier: carrierFor(profile, { gateway: true }),
    role,
    depth,
    intended: preferences,
    ...(connections !== undefined && { connections }),
  };
}
