/** Events and document timings on their way into the store. */

import { inEffectHistory } from '../adapters/applied-store.ts';
import { storeEvents } from '../adapters/event-store.ts';
import { groupCommit } from '../adapters/group-commit.ts';
import { hasHostPermission } from '../adapters/host-permission.ts';
import { settleLateEvents } from '../adapters/late-events.ts';
import { storeLoad } from '../adapters/load-store.ts';
import { originOf } from '../adapters/origin-of.ts';
import { readRunState, writeRunState } from '../adapters/run-state.ts';
import { addLateEntries } from '../core/measure/add-late-entries.ts';
import { appliedDuring } from '../core/measure/applied-during.ts';
import { joinPageLoad } from '../core/measure/join-page-load.ts';
import type { RawRequestEvent } from '../core/measure/raw-observation.ts';
import { selectLoadEvents } from '../core/measure/select-load-events.ts';
import type { PageTiming } from '../protocol/page-timing.ts';

/**
 * Events gather this long before they are written together. A page of 45 requests on loopback took 353 ms without the extension, 379 ms with a
 * transaction for each event and 370 ms with this (medians of 40, ESR 153, two busy cores). Far below the idle time of an event page, which
 * waits for its listeners in any case.
 */
const GATHER_MS = 200;

const events = groupCommit(storeEvents, { pause: () => new Promise((done) => setTimeout(done, GATHER_MS)) });

/** Settles when the event is stored: until then Firefox keeps the event page. */
export async function recordEvent(event: RawRequestEvent): Promise<void> {
  if (!(await hasHostPermission())) return;
  await noticingFailure(() => events.write(event));
}

/** Joins a document's timing with its events and stores the load. Answers whether it is stored. */
export async function recordTiming(timing: PageTiming, tabId: number): Promise<boolean> {
  if (!(await hasHostPermission())) return false;
  await events.settled();
  return noticingFailure(async () => {
    const history = await inEffectHistory();
    const applied = appliedDuring(history, timing.timeOrigin, timing.timeOrigin + timing.endedAt);
    await storeLoad(
      { timing, tabId },
      {
        first: (tabEvents) => {
          const { events: used } = selectLoadEvents(timing, tabEvents);
          return { load: joinPageLoad(timing, used, { applied, originOf }), used };
        },
        amend: (load, late) => addLateEntries(load, { timing, late, originOf }),
      },
    );
    await writeRunState('loadsStored', Date.now());
    return true;
  });
}

/** Everything that has arrived so far is in its load when this settles. */
export async function settleRecords(): Promise<void> {
  await events.settled();
  await noticingFailure(() => settleLateEvents(Date.now(), originOf));
}

let failureKnown: Promise<boolean> | undefined;

/** Keeps the recording state true: a failed write is remembered for the popup, the next that succeeds clears it. */
async function noticingFailure<T>(write: () => Promise<T>): Promise<T> {
  failureKnown ??= readRunState().then((state) => state.storeFailure !== undefined);
  const known = await failureKnown;
  try {
    const result = await write();
    if (known) {
      failureKnown = Promise.resolve(false);
      await writeRunState('storeFailure', undefined);
    }
    return result;
  } catch (error) {
    failureKnown = Promise.resolve(true);
    await writeRunState('storeFailure', error instanceof Error ? `${error.name}: ${error.message}` : String(error));
    throw error;
  }
}
