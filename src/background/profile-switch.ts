/** What is applied through this extension, and what others say is in effect. */
import { inEffectHistory, noteInEffect } from '../adapters/applied-store.ts';
import { experimentApiApplier, requireExperimentApi, routeIsApplied } from '../adapters/applier-experiment-api.ts';
import { appliedByPolicy } from '../adapters/applier-policy.ts';
import { networkPreferences } from '../adapters/network-preferences.ts';
import { readRunState, writeRunState } from '../adapters/run-state.ts';
import type { Reverted } from '../core/profiles/applier.ts';
import type { AppliedProfile, GatewayRoute, PreferenceReadback, Profile } from '../core/profiles/profile.ts';

const applier = () => experimentApiApplier(requireExperimentApi(networkPreferences()));

let last: Promise<unknown> = Promise.resolve();

/** One switch after the other: two at once would each take the other's values for what was there before. */
function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work, work);
  last = result.catch(() => undefined);
  return result;
}

/** @throws PreferenceRefused, or PlumbfoxError `environment` where there is no Experiment API. */
export function applyProfile(profile: Profile, route: GatewayRoute | undefined): Promise<AppliedProfile> {
  return oneAtATime(async () => {
    const former = (await readRunState()).route;
    // Known before the first request meets the gateway's challenge; unanswered, Firefox would ask the person.
    if (route) await writeRunState('route', route);
    try {
      const applied = await applier().apply(profile, route && { route });
      await noteApplied(applied, route);
      return applied;
    } catch (error) {
      await writeRunState('route', former);
      throw error;
    }
  });
}

/** Remembers what is in effect from now on. */
export async function noteApplied(applied: AppliedProfile, route: GatewayRoute | undefined): Promise<void> {
  await writeRunState('route', route);
  await noteInEffect(applied, Date.now());
}

/** Waits for a switch under way. */
export function revertProfile(): Promise<Reverted> {
  return oneAtATime(async () => {
    const result = await applier().revert();
    await writeRunState('route', undefined);
    // Without ours, a policy's profile is in effect again, where there is one.
    await noteInEffect((await appliedByPolicy(networkPreferences())) ?? null, Date.now());
    return result;
  });
}

/**
 * Notes that nothing of ours is in effect any more where the privileged script has put everything back by itself, because the extension was
 * disabled. It holds since the event page began, as nothing was recorded before.
 */
export function noteTakenBack(): Promise<void> {
  return oneAtATime(async () => {
    const preferences = networkPreferences();
    const current = (await inEffectHistory()).at(-1)?.applied ?? undefined;
    if (preferences === undefined || current?.applier !== 'experiment-api' || Object.keys(current.intended).length === 0) return;
    if ((await preferences.journal()).length > 0) return;
    await noteInEffect((await appliedByPolicy(preferences)) ?? null, performance.timeOrigin);
  });
}

/**
 * Notes what a policy has put in effect, or that it no longer does. A policy acts at the start of Firefox, before any event page:
 * what it says holds since this page began.
 */
export async function notePolicy(): Promise<void> {
  await noteTakenBack();
  const byPolicy = await appliedByPolicy(networkPreferences());
  const current = (await inEffectHistory()).at(-1)?.applied ?? undefined;
  if (current !== undefined && current.applier !== 'policy') return;
  if (current?.profileId === byPolicy?.profileId) return;
  await noteInEffect(byPolicy ?? null, performance.timeOrigin);
}

/** Every preference that the Experiment API may set, the route included. @throws PlumbfoxError `environment` where there is none. */
export const readBack = (): Promise<readonly PreferenceReadback[]> => applier().readBack();

/**
 * Firefox lets go of the connections it keeps, so that a load opens its own. @throws PlumbfoxError `environment` without the Experiment
 * API.
 */
export async function pruneConnections(): Promise<void> {
  await requireExperimentApi(networkPreferences()).pruneConnections();
}

/** A gateway does not outlive the session that started it: a route left over from the last one leads nowhere. */
export async function dropLeftoverRoute(): Promise<void> {
  const preferences = networkPreferences();
  if (preferences !== undefined && (await routeIsApplied(preferences))) await revertProfile();
}
