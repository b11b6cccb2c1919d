/** The event page. Every listener is registered here, at the top level and at once: one added later misses the event that woke the page. */
import { browser } from '../adapters/browser.ts';
import { keptAs, owned } from '../adapters/failure-notes.ts';
import { watchGatewayPermission } from '../adapters/gateway-permission.ts';
import { watchHostPermission } from '../adapters/host-permission.ts';
import { answerProxyChallenges } from '../adapters/proxy-authentication.ts';
import { listenToRequests } from '../adapters/request-events.ts';
import { listenToAlarms } from '../adapters/wake-alarms.ts';
import { noteCarrier, switchGatewayOff, watchGatewayEnd } from './gateway.ts';
import { keepIfWell, noteHealth } from './helper-health.ts';
import { lookForLeftPages } from './left-pages.ts';
import { answer } from './messages.ts';
import { noteLostEvent } from './recorder.ts';
import { onFirefoxStart, onWake } from './start-up.ts';
import { switchedByPerson } from './trial-gateway.ts';
import { followTrial, recordEventOfTrial } from './trial-runner.ts';

// None of what the listeners settle with rejects: nobody would hear it.
listenToRequests(async (event) => {
  noteCarrier(event);
  if (event.type === 'main_frame') lookForLeftPages();
  await Promise.all([recordEventOfTrial(event), noteHealth(event)]);
}, noteLostEvent);
listenToAlarms({ trial: followTrial, health: () => keepIfWell().then(followTrial) });
answerProxyChallenges();
watchGatewayPermission(() => owned('gatewayNoteFailure', () => switchedByPerson(switchGatewayOff)).then(followTrial));
watchGatewayEnd(followTrial);
watchHostPermission();
browser.runtime.onMessage.addListener(answer);
browser.runtime.onStartup.addListener(onFirefoxStart);
onWake().catch(keptAs('policyFailure'));
