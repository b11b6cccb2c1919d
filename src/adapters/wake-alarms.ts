/**
 * Wakes the event page when something is due: a timer would die with the page. Firefox forgets alarms when it exits, and keeps to the requested
 * moment even if that is seconds away (ext-alarms.js; Chrome has a minimum delay of 30 s).
 */
import { browser } from './browser.ts';

/**
 * `trial`: a slot of minutes is over, or what is in progress no longer counts. `health`: Firefox has run for long enough. `tryout`: a load of it has
 * not begun, or not ended.
 */
type WakeAlarm = 'trial' | 'health' | 'tryout';

/** Call at the top level, so that an alarm wakes the event page. The promise that `due` returns keeps the page until it settles. */
export function listenToAlarms(due: Readonly<Record<WakeAlarm, () => Promise<void>>>): void {
  browser.alarms.onAlarm.addListener(({ name }) => (Object.hasOwn(due, name) ? due[name as WakeAlarm]() : undefined));
}

/** Sets the one alarm of this name. `at`: wall clock, ms since the epoch; `undefined` clears it. */
export async function setAlarm(name: WakeAlarm, at: number | undefined): Promise<void> {
  if (at === undefined) await browser.alarms.clear(name);
  else browser.alarms.create(name, { when: at });
}
