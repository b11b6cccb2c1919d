/** Applies and reverts profiles while Firefox runs, and notes what is in effect by this extension or by others. */
import { experimentApiApplier, type NetworkPreferences, requireExperimentApi, routeIsApplied } from '../adapters/applier-experiment-api.ts';
import { appliedByPolicy } from '../adapters/applier-policy.ts';
import { readRunState, writeRunState } from '../adapters/run-state.ts';
import { type InEffectSince, inEffectSince, withoutGateway } from '../core/measure/page-load.ts';
import { createMutex } from '../core/mutex.ts';
import type { AppliedProfile, GatewayRoute, PreferenceReadback, Profile, Reverted } from '../core/profiles/profile.ts';
import type { LeftBehind } from '../core/profiles/reference/left-behind.ts';
import type { LiveFacts, LivePreference } from '../protocol/page-state.ts';
import type { RecordStores } from './record-stores.ts';

interface ProfileSwitchDeps {
  readonly stores: Pick<RecordStores, 'inEffectHistory' | 'noteInEffect' | 'newestTrial'>;
  readonly networkPreferences: () => NetworkPreferences | undefined;
}

export type ProfileSwitch = ReturnType<typeof createProfileSwitch>;

export function createProfileSwitch({ stores: { inEffectHistory, noteInEffect, newestTrial }, networkPreferences }: ProfileSwitchDeps) {
  const applier = () => experimentApiApplier(requireExperimentApi(networkPreferences()));

  /** Two switches at once would take each other's values for the previous ones. */
  const runExclusive = createMutex();

  /**
   * @param left - What the profile before may have left behind, to be cleared; a profile that is in effect already leaves it for itself.
   * @throws PreferenceRefused, or PlumbfoxError `environment` where there is no Experiment API.
   */
  function applyProfile(profile: Profile, route: GatewayRoute | undefined, left: readonly LeftBehind[] = []): Promise<AppliedProfile> {
    return runExclusive(async () => {
      const former = (await readRunState()).route;
      // Written before the gateway can challenge a request, or Firefox would ask the person.
      if (route) await writeRunState('route', route);
      try {
        const before = left.length === 0 ? undefined : (await inEffectHistory()).at(-1)?.applied?.profileId;
        const applied = await applier().apply(profile, route && { route });
        if (left.length > 0 && before !== profile.id) await requireExperimentApi(networkPreferences()).clearLeftBehind(left);
        await noteApplied(applied, route);
        return applied;
      } catch (error) {
        await writeRunState('route', former);
        throw error;
      }
    });
  }

  /** Notes what is in effect from now on. */
  async function noteApplied(applied: AppliedProfile, route: GatewayRoute | undefined): Promise<void> {
    await writeRunState('route', route);
    await noteInEffect(applied, Date.now());
  }

  /** Waits for a switch in progress. */
  function revertProfile(): Promise<Reverted> {
    return runExclusive(async () => {
      const result = await applier().revert();
      await writeRunState('route', undefined);
      // A policy's profile is in effect again, where there is one.
      await noteInEffect((await appliedByPolicy(networkPreferences())) ?? null, Date.now());
      return result;
    });
  }

  /**
   * Notes that nothing of ours is in effect any more where the privileged script has restored everything by itself, because the extension was
   * disabled: since the event page began, as nothing was recorded before.
   */
  function noteReverted(): Promise<void> {
    return runExclusive(async () => {
      const preferences = networkPreferences();
      const current = (await inEffectHistory()).at(-1)?.applied ?? undefined;
      if (preferences === undefined || current?.applier !== 'experiment-api' || Object.keys(current.intended).length === 0) return;
      if ((await preferences.journal()).length > 0) return;
      await noteInEffect((await appliedByPolicy(preferences)) ?? null, performance.timeOrigin);
    });
  }

  /**
   * Notes what a policy has put in effect, or that it no longer does: since this event page began, because policies act at the start of Firefox.
   */
  async function notePolicy(): Promise<void> {
    await noteReverted();
    const byPolicy = await appliedByPolicy(networkPreferences());
    const current = (await inEffectHistory()).at(-1)?.applied ?? undefined;
    if (current !== undefined && current.applier !== 'policy') return;
    if (current?.profileId === byPolicy?.profileId) return;
    await noteInEffect(byPolicy ?? null, performance.timeOrigin);
  }

  /** Every preference that the Experiment API may set, the route included. @throws PlumbfoxError `environment` where there is none. */
  const readBack = (): Promise<readonly PreferenceReadback[]> => applier().readBack();

  /** Makes Firefox close idle connections, so that a load opens its own. @throws PlumbfoxError `environment` without the Experiment API. */
  async function pruneConnections(): Promise<void> {
    await requireExperimentApi(networkPreferences()).pruneConnections();
  }

  /** A gateway ends with the session that started it: a route left over from the last session leads nowhere. */
  async function dropLeftoverRoute(): Promise<void> {
    const preferences = networkPreferences();
    if (preferences !== undefined && (await routeIsApplied(preferences))) await revertProfile();
  }

  /** The state of profiles applied at once; `undefined`: nothing can be applied while this Firefox runs. */
  async function liveFacts(): Promise<LiveFacts | undefined> {
    const preferences = networkPreferences();
    if (preferences === undefined) return undefined;
    const [entries, heldBy, set] = await Promise.all([history(), holder(), preferences.journal()]);
    const applied = newestLive(entries);
    if (applied === undefined) return { canRevert: set.length > 0, ...(heldBy && { heldBy }) };
    const held = await preferences.readBack(Object.keys(applied.intended));
    const shown = held.flatMap(({ preference: name, value: found, locked }): LivePreference[] => {
      const intended = applied.intended[name];
      return intended === undefined ? [] : [{ name, intended, ...(found !== undefined && { found }), locked }];
    });
    const since = inEffectSince(withoutGateway(entries));
    return {
      applied: { profileId: applied.profileId, preferences: shown, ...(since !== undefined && { since }) },
      canRevert: true,
      ...(heldBy && { heldBy }),
    };
  }

  /** The profile that was applied while Firefox runs. */
  const appliedLive = async (): Promise<AppliedProfile | undefined> => newestLive(await history());

  /** The recording's state reports a store that cannot be read. */
  async function history(): ReturnType<typeof inEffectHistory> {
    try {
      return await inEffectHistory();
    } catch (error) {
      if (error instanceof DOMException) return [];
      throw error;
    }
  }

  /** What controls the preferences instead of the person. */
  async function holder(): Promise<LiveFacts['heldBy']> {
    const trial = await trialStanding();
    if (trial !== undefined) return trial;
    return (await history()).at(-1)?.applied?.applier === 'gateway' ? 'gateway' : undefined;
  }

  /** An unreadable trial may be in progress all the same; with an unreadable store none is. */
  async function trialStanding(): Promise<'trial' | 'trial-restoring' | undefined> {
    try {
      const { status, applied } = (await newestTrial())?.progress ?? {};
      if (status === undefined) return undefined;
      if (status !== 'ended') return 'trial';
      return applied ? 'trial-restoring' : undefined;
    } catch (error) {
      return error instanceof DOMException ? undefined : 'trial';
    }
  }

  return {
    applyProfile,
    noteApplied,
    revertProfile,
    noteReverted,
    notePolicy,
    readBack,
    pruneConnections,
    dropLeftoverRoute,
    liveFacts,
    appliedLive,
    holder,
  };
}

function newestLive(history: readonly InEffectSince[]): AppliedProfile | undefined {
  const current = withoutGateway(history).at(-1)?.applied ?? undefined;
  return current?.applier === 'experiment-api' ? current : undefined;
}
