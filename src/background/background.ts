/** The event page. Every listener is registered here, at the top level and at once: one added later misses the event that woke the page. */
import { browser } from '../adapters/browser.ts';
import { watchHostPermission } from '../adapters/host-permission.ts';
import { answerProxyChallenges } from '../adapters/proxy-authentication.ts';
import { listenToRequests } from '../adapters/request-events.ts';
import { answer } from './answer.ts';
import { recordEvent } from './recorder.ts';
import { onFirefoxStart, onWake } from './start-up.ts';

listenToRequests(recordEvent);
answerProxyChallenges();
watchHostPermission();
browser.runtime.onMessage.addListener(answer);
browser.runtime.onStartup.addListener(onFirefoxStart);
void onWake();
