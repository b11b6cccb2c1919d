/** The event page. Every listener is registered here, at the top level: one added later misses the event that woke the page. */

import { networkPreferences } from '../adapters/applier-experiment-api.ts';
import { browser } from '../adapters/browser.ts';
import { failureHandler, recordFailure } from '../adapters/failure-notes.ts';
import { watchFormAnswers } from '../adapters/form-answers.ts';
import { answerProxyChallenges } from '../adapters/gateway-proxy.ts';
import { watchGatewayPermission, watchHostPermission } from '../adapters/permissions.ts';
import { listenToRequests } from '../adapters/request-events.ts';
import { watchRunState } from '../adapters/run-state.ts';
import { listenToAlarms } from '../adapters/wake-alarms.ts';
import { type Installed, isInstallation, resumeWelcomeTab, welcomeInstallation } from '../adapters/welcome-tab.ts';
import { createBackground } from './create-background.ts';
import { recordStores } from './record-stores.ts';
import { noteLostEvent } from './recorder.ts';
import { switchedByPerson } from './trial-gateway.ts';

const background = createBackground({ stores: recordStores, networkPreferences });
const { gateway, helperHealth, leftPages, messages, startUp, toolbar, trialRunner, tryout } = background;

// These handlers never reject: nothing awaits them.
listenToRequests(async (event) => {
  gateway.noteCarrier(event);
  if (event.type === 'main_frame') leftPages.lookForLeftPages();
  await Promise.all([trialRunner.recordEventOfTrial(event), helperHealth.noteHealth(event), tryout.noteEvent(event)]);
}, noteLostEvent);
listenToAlarms({
  trial: trialRunner.advanceTrial,
  tryout: tryout.noteTime,
  health: () => helperHealth.keepIfWell().then(trialRunner.advanceTrial),
});
answerProxyChallenges();
watchFormAnswers();
watchGatewayPermission(() =>
  recordFailure('gatewayNoteFailure', () => switchedByPerson(gateway.switchGatewayOff)).then(trialRunner.advanceTrial),
);
gateway.watchGatewayEnd(trialRunner.advanceTrial);
watchHostPermission(toolbar.showIcon);
watchRunState(['storeFailure', 'trialChanged'], toolbar.showIcon);
browser.runtime.onMessage.addListener(messages.answer);
browser.runtime.onInstalled.addListener(onInstalled);
browser.runtime.onStartup.addListener(startUp.onFirefoxStart);
startUp.onWake().then(toolbar.showIcon).catch(failureHandler('policyFailure'));
// A Firefox without this tab works as well.
const welcomeResumed = resumeWelcomeTab().catch(() => undefined);

/** Begins the settings, and opens the tab that says, once, what is recorded and how to begin. */
async function onInstalled(installed: Installed): Promise<void> {
  if (!isInstallation(installed)) return;
  await recordStores.beginSettings().catch(failureHandler('storeFailure'));
  await toolbar.showIcon();
  // Nobody reads it in a Firefox that a program drives, such as the lab's.
  if (navigator.webdriver) return;
  // Both at once could open it twice.
  await welcomeResumed;
  await welcomeInstallation().catch(() => undefined);
}
