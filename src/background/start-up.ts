/** What is looked after when Firefox starts, and whenever the event page does. */
import { dropLeftoverRoute, notePolicy } from './profile-switch.ts';
import { noticeStartFailure } from './start-failure.ts';

/** Settles when a route left over from the last session is gone. */
export function onFirefoxStart(): Promise<void> {
  return noticeStartFailure('routeFailure', dropLeftoverRoute);
}

/** Settles when what a policy says is noted. Nothing waits for it: no event may. */
export function onWake(): Promise<void> {
  return noticeStartFailure('policyFailure', notePolicy);
}
