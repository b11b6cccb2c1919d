/** The event page. Every listener is registered here, at the top level and at once: one added later misses the event that woke the page. */
import { browser } from '../adapters/browser.ts';
import { watchHostPermission } from '../adapters/host-permission.ts';
import { answerProxyChallenges } from '../adapters/proxy-authentication.ts';
import { listenToRequests } from '../adapters/request-events.ts';
import { listenToTrialAlarm } from '../adapters/trial-alarm.ts';
import { answer } from './answer.ts';
import { onFirefoxStart, onWake } from './start-up.ts';
import { followTrial, recordEventOfTrial } from './trial-course.ts';

listenToRequests(recordEventOfTrial);
listenToTrialAlarm(followTrial);
answerProxyChallenges();
watchHostPermission();
browser.runtime.onMessage.addListener(answer);
browser.runtime.onStartup.addListener(onFirefoxStart);
void onWake();
