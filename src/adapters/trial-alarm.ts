/** Wakes the event page for a trial: when a slot of minutes is over, or when what is under way no longer counts. A timer would die with the page. */
import { browser } from './browser.ts';

const NAME = 'trial';

/** Call at the top level, so that the alarm wakes the event page. The promise that `due` returns keeps the page until it settles. */
export function listenToTrialAlarm(due: () => Promise<void>): void {
  browser.alarms.onAlarm.addListener(({ name }) => (name === NAME ? due() : undefined));
}

/** There is at most one alarm; `at`: wall clock, ms since the epoch; `undefined`: none. Firefox forgets alarms when it ends. */
export async function setTrialAlarm(at: number | undefined): Promise<void> {
  if (at === undefined) await browser.alarms.clear(NAME);
  else browser.alarms.create(NAME, { when: at });
}
