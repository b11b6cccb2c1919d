/** What is looked after when Firefox starts, and whenever the event page does. */
import { settleByHand } from './by-hand.ts';
import { settleGateway } from './gateway-course.ts';
import { awaitHealth } from './helper-health.ts';
import { beginManagedTrial } from './managed-trial.ts';
import { dropLeftoverRoute, notePolicy } from './profile-switch.ts';
import { noticeStartFailure } from './start-failure.ts';
import { followTrial } from './trial-course.ts';

/** Settles when a route left over from the last session is gone, and a trial goes on. */
export async function onFirefoxStart(): Promise<void> {
  await noticeStartFailure('routeFailure', dropLeftoverRoute);
  await followTrial();
}

/** Settles when what a policy and the helper have put in effect is noted, and a trial goes on where the event page left it. Nothing waits for it: no event may. */
export async function onWake(): Promise<void> {
  await noticeStartFailure('policyFailure', async () => {
    await settleGateway();
    await settleByHand();
    await notePolicy();
    await beginManagedTrial();
  });
  await noticeStartFailure('helperFailure', async () => {
    await awaitHealth();
  });
  await followTrial();
}
