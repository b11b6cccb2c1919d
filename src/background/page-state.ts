/** The background's state as the popup and the dashboard show it. */

import { type NetworkPreferences, readBackFrom } from '../adapters/applier-experiment-api.ts';
import { browser } from '../adapters/browser.ts';
import { keptFailures, startFailures } from '../adapters/failure-notes.ts';
import { ownProfiles } from '../adapters/own-profiles.ts';
import { hasHostPermission } from '../adapters/permissions.ts';
import type { ShownTab } from '../adapters/shown-load.ts';
import { loadsPerDay } from '../core/answer/proof.ts';
import { longestCause } from '../core/measure/load-causes.ts';
import { isMeasurable, measureLoad } from '../core/measure/measure-load.ts';
import { type InEffectSince, inEffectSince } from '../core/measure/page-load.ts';
import { findProfile } from '../core/profiles/presets.ts';
import { type AppliedProfile, BASELINE_ID, mismatchesOf } from '../core/profiles/profile.ts';
import type { MarkedPageLoad } from '../core/trial/trial-mark.ts';
import type { ActiveProfile, CardFacts, DashboardState, LateFailure, PopupState, RecordingState } from '../protocol/page-state.ts';
import type { ManualProfile } from './manual-profile.ts';
import type { ProfileSwitch } from './profile-switch.ts';
import type { RecordStores } from './record-stores.ts';
import { trialOffer } from './trial-candidates.ts';
import type { TrialStatus } from './trial-status.ts';

/** The newest loads that show a person's pace: more of them where these were made in less than a day. Chosen, not measured. */
const PACE_LOADS = [100, 1_000, 10_000];

interface PageStateDeps {
  readonly stores: Pick<
    RecordStores,
    | 'inEffectHistory'
    | 'countNavigations'
    | 'countLoads'
    | 'loadById'
    | 'newestLoads'
    | 'newestSpan'
    | 'shownLoad'
    | 'areRecordsReadOnly'
    | 'checkRecords'
    | 'recordLosses'
    | 'keptSettings'
  >;
  readonly manualProfile: Pick<ManualProfile, 'manualFacts'>;
  readonly networkPreferences: () => NetworkPreferences | undefined;
  readonly profileSwitch: Pick<ProfileSwitch, 'liveFacts'>;
  readonly trialStatus: Pick<TrialStatus, 'trialFacts'>;
}

export type PageState = ReturnType<typeof createPageState>;

export function createPageState({
  stores: {
    inEffectHistory,
    countNavigations,
    countLoads,
    loadById,
    newestLoads,
    newestSpan,
    shownLoad,
    areRecordsReadOnly,
    checkRecords,
    recordLosses,
    keptSettings,
  },
  manualProfile: { manualFacts },
  networkPreferences,
  profileSwitch: { liveFacts },
  trialStatus: { trialFacts },
}: PageStateDeps) {
  /** `now`: wall clock, ms since the epoch. An unreadable store is a state of the recording, not a failure of the popup. */
  async function popupFacts(now: number): Promise<PopupState> {
    const failures = await startFailures();
    const { gatewayNoteFailure, healthFailure } = await keptFailures();
    const lateFailures = [lateFailure('gateway', gatewayNoteFailure), lateFailure('health', healthFailure)].filter(
      (one) => one !== undefined,
    );
    const live = await liveFacts();
    const own = await ownProfiles();
    const about = {
      active: await activeProfile(),
      ...(failures.length > 0 && { startFailures: failures }),
      ...(lateFailures.length > 0 && { lateFailures }),
      ...(live && { live }),
      ...(own.length > 0 && { ownProfiles: own }),
    };
    try {
      await checkRecords();
      const losses = await recordLosses();
      const [loads, navigations, lastLoad, trial, byHand] = await Promise.all([
        countLoads(),
        countNavigations(),
        newestLoad(),
        trialFacts(now),
        manualFacts(),
      ]);
      return {
        recording: await recordingState(),
        ...about,
        ...losses,
        lastLoad,
        loads,
        navigations,
        comparison: undefined,
        trial,
        ...(byHand && { byHand }),
      };
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      return { recording: failedState(`${error.name}: ${error.message}`), ...about, lastLoad: undefined, loads: 0, comparison: undefined };
    }
  }

  /** Whether loads are recorded, and why not. */
  async function recordingState(): Promise<RecordingState> {
    if (!(await hasHostPermission())) return { state: 'no-permission' };
    if (areRecordsReadOnly()) return { state: 'version-too-new' };
    const { storeFailure } = await keptFailures();
    if (storeFailure !== undefined) return failedState(storeFailure);
    return { state: (await keptSettings())?.isListLost === false ? 'recording' : 'list-lost' };
  }

  /** The popup adds the figures that depend on the link, which its worker estimates from all loads. */
  async function newestLoad(): Promise<PopupState['lastLoad']> {
    const [load] = await newestLoads(1, isMeasurable);
    return load && { url: load.url, startedAt: load.startedAt, measures: measureLoad(load, {}), link: undefined };
  }

  async function activeProfile(): Promise<ActiveProfile> {
    const history = await readableHistory();
    const applied = history.at(-1)?.applied ?? undefined;
    const since = inEffectSince(history);
    if (applied === undefined) {
      return { profileId: BASELINE_ID, title: titleOf(BASELINE_ID), appliedBy: 'browser', carrier: 'none', mismatches: [] };
    }
    const depth = findProfile(applied.profileId)?.depth;
    return {
      profileId: applied.profileId,
      title: titleOf(applied.profileId),
      appliedBy: applied.applier,
      carrier: applied.carrier,
      ...(depth !== undefined && { depth }),
      mismatches: await mismatchesNow(applied),
      ...(since !== undefined && { since }),
    };
  }

  /** Also empty where the store cannot be read, which the recording's state reports. */
  async function readableHistory(): Promise<readonly InEffectSince[]> {
    try {
      return await inEffectHistory();
    } catch (error) {
      if (error instanceof DOMException) return [];
      throw error;
    }
  }

  /** Compares the preferences as they are now where Firefox can be asked, otherwise as they were last read back. */
  async function mismatchesNow(applied: AppliedProfile): Promise<readonly string[]> {
    const preferences = networkPreferences();
    if (preferences === undefined) return applied.mismatches;
    return mismatchesOf(await readBackFrom(preferences, Object.keys(applied.intended)), applied.intended);
  }

  /** What cannot be read is absent: the recording's state says why. `now`: wall clock, ms since the epoch. */
  async function cardFacts(now: number, tab: ShownTab | undefined, named: readonly string[] = []): Promise<CardFacts> {
    try {
      const [load, perDay, loads] = await Promise.all([tab && shownLoad(tab), pace(now), Promise.all(named.map(loadById))]);
      const hosts = loads.flatMap((one) => (one === undefined ? [] : [[one.id, URL.parse(one.url)?.host ?? one.url] as const]));
      return {
        ...(load && isMeasurable(load) && { thisPage: thisPage(load) }),
        ...(perDay !== undefined && { perDay }),
        ...(hosts.length > 0 && { hosts: Object.fromEntries(hosts) }),
      };
    } catch (error) {
      if (error instanceof DOMException) return {};
      throw error;
    }
  }

  /** Page loads a day; `undefined`: it is not known yet. */
  async function pace(now: number): Promise<number | undefined> {
    for (const count of PACE_LOADS) {
      const span = await newestSpan(count);
      const perDay = span && loadsPerDay(span, now);
      if (perDay !== undefined || span === undefined || span.loads < count) return perDay;
    }
    return undefined;
  }

  /** Built on the popup's state, so that both pages give the same answer. `now`: wall clock, ms since the epoch. */
  async function dashboardFacts(now: number): Promise<DashboardState> {
    return dashboardStateOf(await popupFacts(now), { live: networkPreferences() !== undefined });
  }

  return { popupFacts, cardFacts, dashboardFacts, recordingState };
}

/** The dashboard's state besides its worker's results. `live`: preferences can be switched while Firefox runs. */
export function dashboardStateOf(
  { recording, recordLoss, standstills, active, trial, loads, lastLoad, ownProfiles }: PopupState,
  { live }: { readonly live: boolean },
): DashboardState {
  // Predictions do not depend on a store.
  const { offered } = trial?.offer ?? trialOffer({ live, gateway: false }, ownProfiles);
  const candidates = offered.map(({ id }) => id);
  return {
    recording,
    ...(recordLoss && { recordLoss }),
    ...(standstills && { standstills }),
    active,
    ...(trial && { trial }),
    loads,
    ...(lastLoad && { lastLoad: { startedAt: lastLoad.startedAt } }),
    ...(ownProfiles && { ownProfiles }),
    candidates,
  };
}

function thisPage(load: MarkedPageLoad): NonNullable<CardFacts['thisPage']> {
  const longest = longestCause(load);
  return { url: load.url, startedAt: load.startedAt, measures: measureLoad(load, {}), ...(longest && { longest }) };
}

const lateFailure = (of: LateFailure['of'], message: string | undefined): LateFailure | undefined =>
  message === undefined ? undefined : { of, message };

/** The recording's state after Firefox's error for a failure of the store. */
function failedState(message: string): RecordingState {
  // Firefox gives an InvalidStateError there, and the same when the disk is full.
  if (browser.extension.inIncognitoContext) return { state: 'private-browsing' };
  if (message.startsWith('VersionError')) return { state: 'version-too-new' };
  if (message.startsWith('TimeoutError')) return { state: 'held-by-another' };
  return { state: 'store-failed', message };
}

const titleOf = (id: string): string => findProfile(id)?.title ?? id;
