/** What is looked after when Firefox starts, and when the event page does. */
import { dropLeftoverRoute } from './profile-switch.ts';

/** Settles when a route left over from the last session is gone. */
export async function onFirefoxStart(): Promise<void> {
  await dropLeftoverRoute();
}

export function afterStart(): void {}
