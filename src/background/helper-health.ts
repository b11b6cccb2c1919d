/**
 * Confirms an applied profile when Firefox works with it: it has run for 30 s, and the last page or part of a page that it requested arrived.
 * Unless the helper is informed of that, it reverts the profile at the third start.
 */
import { recordFailure } from '../adapters/failure-notes.ts';
import { HelperFailure } from '../adapters/native-helper.ts';
import { browserSession, readRunState, writeRunState } from '../adapters/run-state.ts';
import { setAlarm } from '../adapters/wake-alarms.ts';
import { isThisMachine } from '../core/address-space.ts';
import type { RawRequestEvent } from '../core/measure/page-load.ts';
import type { HelperRun } from '../protocol/helper-state.ts';
import { type HelperSession, noteKept } from './helper-session.ts';

/** Firefox itself waits as long before it forgets a start that crashed (`toolkit.startup.recent_crashes`: 30 s). */
const WELL_AFTER_MS = 30_000;

interface HelperHealthDeps {
  readonly helperSession: Pick<HelperSession, 'helperRun' | 'askHelper'>;
}

export type HelperHealth = ReturnType<typeof createHelperHealth>;

export function createHelperHealth({ helperSession: { helperRun, askHelper } }: HelperHealthDeps) {
  /** Whether the helper waits for confirmation, so that events cost nothing otherwise; `undefined`: not known in this event page. */
  let awaited: boolean | undefined;

  /** The time of the next try after a failure, wall clock, ms since the epoch. */
  let notBefore = 0;

  /** Asks the helper about this run of Firefox, and sets the alarm if it waits for confirmation. `isWanted`: see `helperRun`. */
  async function awaitHealth(options?: { readonly isWanted: boolean }): Promise<HelperRun> {
    const run = await helperRun(options);
    awaited = run.awaitsConfirmation;
    if (awaited) await setAlarm('health', await wellAt());
    return run;
  }

  /** Receives every request, as the recorder does. Never rejects: the popup reports failures. */
  async function noteHealth(event: RawRequestEvent): Promise<void> {
    const isWell = healthOf(event);
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

  /** Confirms what is applied, once it is time and Firefox works; a failure is tried again half a minute later. Never rejects. */
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
    // Checked before a process is started: an event may come before it is known whether the helper waits, and mostly it does not.
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
      // Something else may have been applied since, which this run of Firefox has not read.
      if (!(await readRunState()).helperRun?.awaitsConfirmation) return;
      await helper.ask({ op: 'confirm' });
      await noteKept();
      await writeRunState('helperChanged', Date.now());
    });
  }

  return { awaitHealth, noteHealth, keepIfWell };
}

/**
 * Whether an event shows that Firefox works: any part of a page that came over the network, with whatever status, shows that it does; a page that
 * did not come, unless it was cancelled, that it does not. A part that did not come shows nothing, because blockers do that.
 *
 * Only https counts: any party on the way, such as a hotel's portal or a proxy with an error page, can answer plain http, and so do the gateway and
 * servers of this machine. A user who browses only plain http confirms with a button.
 */
function healthOf({ phase, type, url, status, fromCache, error = '' }: RawRequestEvent): boolean | undefined {
  if (phase === 'completed') return status !== undefined && fromCache !== true && isElsewhere(url) ? true : undefined;
  return phase === 'failed' && type === 'main_frame' && !error.includes('ABORT') ? false : undefined;
}

function isElsewhere(url: string): boolean {
  const { protocol, hostname } = URL.parse(url) ?? {};
  return protocol === 'https:' && hostname !== undefined && !isThisMachine(hostname);
}

const wellAt = async (): Promise<number> => (await browserSession()).since + WELL_AFTER_MS;
