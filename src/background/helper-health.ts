/**
 * A profile that was applied is kept when the browser is well with it: Firefox has been up for 30 s, and the last page or part of one that it
 * asked for came. Until the helper is informed, it reverts the profile at the third start.
 */

import { recordFailure } from '../adapters/failure-notes.ts';
import { HelperFailure } from '../adapters/native-helper.ts';
import { browserSession, readRunState, writeRunState } from '../adapters/run-state.ts';
import { setAlarm } from '../adapters/wake-alarms.ts';
import { isThisMachine } from '../core/address-space.ts';
import type { RawRequestEvent } from '../core/measure/page-load.ts';
import type { HelperRun } from '../protocol/helper-state.ts';
import { type HelperSession, noteKept } from './helper-session.ts';

/** As long as Firefox itself waits before it forgets a start that crashed (`toolkit.startup.recent_crashes`: 30 s). */
const WELL_AFTER_MS = 30_000;

interface HelperHealthDeps {
  readonly helperSession: Pick<HelperSession, 'helperRun' | 'askHelper'>;
}

export type HelperHealth = ReturnType<typeof createHelperHealth>;

export function createHelperHealth({ helperSession: { helperRun, askHelper } }: HelperHealthDeps) {
  /** What nobody waits for costs an event nothing; `undefined`: not known in this life of the event page. */
  let awaited: boolean | undefined;

  /** After a failure: wall clock, ms since the epoch. */
  let notBefore = 0;

  /** Settles when the helper has been asked about this run of Firefox, and the alarm is set where it waits for word; `isWanted`: as `helperRun`. */
  async function awaitHealth(options?: { readonly isWanted: boolean }): Promise<HelperRun> {
    const run = await helperRun(options);
    awaited = run.awaitsConfirmation;
    if (awaited) await setAlarm('health', await wellAt());
    return run;
  }

  /** Receives every request, as the recorder does. Never rejects: the popup reports what cannot be stored. */
  async function noteHealth(event: RawRequestEvent): Promise<void> {
    const isWell = saysWell(event);
    if (isWell !== undefined && awaited !== false) await recordFailure('healthFailure', () => onHealth(isWell));
  }

  async function onHealth(isWell: boolean): Promise<void> {
    const known = await readRunState();
    awaited = known.helperRun?.awaitsConfirmation;
    if (awaited === false) return;
    if (known.isWell !== isWell) await writeRunState('isWell', isWell);
    if (isWell) await keep();
  }

  let keeping: Promise<void> | undefined;

  /** Tells the helper to keep what is applied, once it is time and the browser is well; what fails is tried again half a minute later. Never rejects. */
  async function keepIfWell(): Promise<void> {
    await recordFailure('healthFailure', keep);
  }

  function keep(): Promise<void> {
    keeping ??= tryToKeep().finally(() => {
      keeping = undefined;
    });
    return keeping;
  }

  async function tryToKeep(): Promise<void> {
    const { isWell, helperRun: run } = await readRunState();
    // Before a process is started for it: an event may come before it is known whether anything waits, and mostly nothing does.
    if (isWell !== true || !run?.awaitsConfirmation || Date.now() < Math.max(notBefore, await wellAt())) return;
    try {
      await confirm();
    } catch (error) {
      if (!(error instanceof HelperFailure)) throw error;
      notBefore = Date.now() + WELL_AFTER_MS;
      await setAlarm('health', notBefore);
    }
  }

  function confirm(): Promise<void> {
    return askHelper(async (helper) => {
      // Something else may have been applied meanwhile, of which this run of Firefox knows nothing.
      if (!(await readRunState()).helperRun?.awaitsConfirmation) return;
      await helper.ask({ op: 'confirm' });
      await noteKept();
      await writeRunState('helperChanged', Date.now());
    });
  }

  return { awaitHealth, noteHealth, keepIfWell };
}

/**
 * That any part of a page came over the network, with whatever status: well. That a page did not come: not well, unless it was called off.
 * A part that did not come says nothing: blockers do that.
 *
 * Only https says well: anybody on the way, a hotel's portal or a proxy with an error page, can answer plain http, as the gateway and servers of this
 * machine do for themselves. Whoever browses plain http alone says so by "Keep".
 */
function saysWell({ phase, type, url, status, fromCache, error = '' }: RawRequestEvent): boolean | undefined {
  if (phase === 'completed') return status !== undefined && fromCache !== true && isElsewhere(url) ? true : undefined;
  return phase === 'failed' && type === 'main_frame' && !error.includes('ABORT') ? false : undefined;
}

function isElsewhere(url: string): boolean {
  const { protocol, hostname } = URL.parse(url) ?? {};
  return protocol === 'https:' && hostname !== undefined && !isThisMachine(hostname);
}

const wellAt = async (): Promise<number> => (await browserSession()).since + WELL_AFTER_MS;
