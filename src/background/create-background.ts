/** Puts the parts of the background together: each gets what it needs of the others. */
import type { NetworkPreferences } from '../adapters/applier-experiment-api.ts';
import type { MarkedPageLoad } from '../core/trial/trial-mark.ts';
import { createFieldReport } from './field-report.ts';
import { createGateway } from './gateway.ts';
import { createGatewayHistory } from './gateway-history.ts';
import { createHelper } from './helper.ts';
import { createHelperHealth } from './helper-health.ts';
import { createHelperSession } from './helper-session.ts';
import { createLeftPages } from './left-pages.ts';
import { createLiveApply } from './live-apply.ts';
import { createManualProfile } from './manual-profile.ts';
import { createMessages } from './messages.ts';
import { createNeverRecorded } from './never-recorded.ts';
import { createPageState } from './page-state.ts';
import { createProfileSwitch } from './profile-switch.ts';
import type { RecordStores } from './record-stores.ts';
import { createRecorder } from './recorder.ts';
import { createStartUp } from './start-up.ts';
import { createToolbar } from './toolbar.ts';
import { createTrialControl } from './trial-control.ts';
import { createTrialGateway } from './trial-gateway.ts';
import { createTrialLoads } from './trial-loads.ts';
import { createTrialRestore } from './trial-restore.ts';
import { createTrialRunner } from './trial-runner.ts';
import { createTrialStatus } from './trial-status.ts';
import { createTryout } from './tryout.ts';

export interface BackgroundDeps {
  readonly stores: RecordStores;
  /** The Experiment API as it is now; `undefined`: there is none. */
  readonly networkPreferences: () => NetworkPreferences | undefined;
}

export type Background = ReturnType<typeof createBackground>;

/** Creates the state of one event page. Registers no listener and starts no work. */
export function createBackground(deps: BackgroundDeps) {
  // The recorder is made before those that follow it.
  const onLoad = async (load: MarkedPageLoad, tabId: number) => {
    await Promise.all([toolbar.showLoad(load, tabId), tryout.noteLoad(load, tabId)]);
  };
  const gatewayHistory = createGatewayHistory(deps);
  const helperSession = createHelperSession(deps);
  const helperHealth = createHelperHealth({ helperSession });
  const profileSwitch = createProfileSwitch(deps);
  const helper = createHelper({ helperHealth, helperSession, profileSwitch });
  const manualProfile = createManualProfile(deps);
  const gateway = createGateway({ ...deps, gatewayHistory, helperSession });
  const trialGateway = createTrialGateway({ ...deps, gateway, helperSession });
  const trialRestore = createTrialRestore({ ...deps, helper, helperSession, manualProfile, profileSwitch, trialGateway });
  const trialLoads = createTrialLoads(deps);
  const trialStatus = createTrialStatus({ ...deps, manualProfile, trialGateway, trialLoads, trialRestore });
  const neverRecorded = createNeverRecorded(deps);
  const recorder = createRecorder({ ...deps, gatewayHistory, neverRecorded, onLoad });
  const trialRunner = createTrialRunner({ ...deps, profileSwitch, recorder, trialGateway, trialLoads, trialRestore });
  const liveApply = createLiveApply({ profileSwitch, trialRunner });
  const trialControl = createTrialControl({ ...deps, profileSwitch, trialGateway, trialRestore, trialRunner });
  const leftPages = createLeftPages({ ...deps, recorder, trialRunner });
  const pageState = createPageState({ ...deps, manualProfile, profileSwitch, trialStatus });
  const toolbar = createToolbar({ ...deps, pageState });
  const tryout = createTryout({ ...deps, pageState });
  const fieldReport = createFieldReport({ ...deps, trialStatus });
  const startUp = createStartUp({ ...deps, gateway, helperHealth, leftPages, manualProfile, profileSwitch, trialControl, trialRunner });
  const messages = createMessages({
    ...deps,
    fieldReport,
    gateway,
    helper,
    leftPages,
    liveApply,
    manualProfile,
    neverRecorded,
    pageState,
    profileSwitch,
    recorder,
    trialControl,
    trialRunner,
    trialStatus,
    toolbar,
    tryout,
  });
  return {
    fieldReport,
    trialLoads,
    gateway,
    gatewayHistory,
    helper,
    helperHealth,
    helperSession,
    leftPages,
    liveApply,
    manualProfile,
    messages,
    pageState,
    profileSwitch,
    recorder,
    startUp,
    toolbar,
    trialControl,
    trialGateway,
    trialRestore,
    trialRunner,
    trialStatus,
    tryout,
  };
}
